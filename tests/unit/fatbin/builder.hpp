// Fat binaries made by hand, byte by byte, so that the tests do not read what the reader's own structures wrote.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/types.hpp"

namespace warpwright::fatbin::test {

inline const std::string kPtx = ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n";

// Offsets of the fields of an entry's header.
constexpr u64 kKindAt = 0x00, kVersionAt = 0x02, kHeaderSizeAt = 0x04, kPayloadSizeAt = 0x08, kCompressedSizeAt = 0x10,
              kNameOffsetAt = 0x20, kNameLengthAt = 0x24, kFlagsAt = 0x28, kUncompressedSizeAt = 0x38;
constexpr u64 kContainerHeaderSize = 16, kEntryHeaderSize = 0x40;

struct EntrySpec {
  u16 kind = 1;
  u32 architecture = 75;
  u16 major = 7, minor = 0;
  u64 flags = 0x11;
  std::string contents = kPtx;
  std::string name, options;
};

void put(std::string& bytes, u64 offset, u64 value, u32 size);

std::string lz4(std::string_view contents);
std::string zstd(std::string_view contents);

// An entry with contents as they are; with flag 0x2000 or 0x8000, compressed.
std::string entry(const EntrySpec& spec = {});
// A container around entries. Size 0 where `sized` is false.
std::string container(const std::string& entries, bool sized = true);

inline std::span<const std::byte> bytesOf(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

// what() of the Error that the action throws; empty when it throws none.
std::string errorOf(const std::function<void()>& action);

}  // namespace warpwright::fatbin::test
