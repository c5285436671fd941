// One container at the start of some bytes: what the readers of files and of memory have in common.
#pragma once

#include <span>
#include <string>

#include "fatbin/container.hpp"

namespace warpwright::fatbin {

// Where bytes lie in their origin, for messages.
struct Position {
  std::string origin;
  u64 offset = 0;
};

// Throws Error: a damaged fat binary at the position.
[[noreturn]] void throwDamaged(const Position& position, const std::string& cause);

// The container or PTX text that the bytes begin with, and how many bytes it takes. Throws Error as read() does.
struct FirstContainer {
  Container container;
  u64 size = 0;
};
FirstContainer readFirst(std::span<const std::byte> bytes, const Position& position);

}  // namespace warpwright::fatbin
