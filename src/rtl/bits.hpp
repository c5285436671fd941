// Values of ports: any number of bits.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace warpwright::rtl {

// Bits of a larger value.
struct Field {
  u32 at = 0, width = 0;

  // Of fields of one width that lie one behind the other in this one, as lanes do.
  constexpr Field part(u32 index, u32 partWidth) const { return {at + index * partWidth, partWidth}; }
};

class Bits {
 public:
  Bits() : Bits(0) {}
  explicit Bits(u32 width) : width_(width), words_((width + 31) / 32) {}

  u32 width() const { return width_; }
  // The least significant first; bits beyond the width are 0.
  std::span<const u32> words() const { return words_; }
  std::span<u32> words() { return words_; }

  // Fields of 64 bits at most.
  u64 get(Field field) const;
  void put(Field field, u64 value);
  // Fields of any width.
  Bits slice(Field field) const;
  void paste(u32 at, const Bits& part);

  // Hexadecimal digits, all of them.
  std::string hex() const;

  bool operator==(const Bits&) const = default;

 private:
  u32 width_;
  std::vector<u32> words_;
};

}  // namespace warpwright::rtl
