// Values of any number of bits, one behind the other, the least significant bit first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "base/types.hpp"

namespace warpwright::compression {

class BitWriter {
 public:
  // bits: 0 to 64; higher bits of the value are ignored.
  void put(u64 value, u32 bits) {
    for (u32 done = 0; done < bits;) {
      if (used_ % 8 == 0) bytes_.push_back(std::byte{0});
      const u32 room = 8 - used_ % 8, now = std::min(room, bits - done);
      bytes_.back() |= static_cast<std::byte>(((value >> done) & ((u64{1} << now) - 1)) << (8 - room));
      done += now;
      used_ += now;
    }
  }
  // What follows begins with a byte.
  void align() { used_ = static_cast<u32>(bytes_.size()) * 8; }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
  u32 used_ = 0;  // bits
};

class BitReader {
 public:
  explicit BitReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  u64 take(u32 bits) {
    u64 value = 0;
    for (u32 done = 0; done < bits;) {
      const u32 room = 8 - used_ % 8, now = std::min(room, bits - done);
      const u64 part = (std::to_integer<u64>(bytes_[used_ / 8]) >> (8 - room)) & ((u64{1} << now) - 1);
      value |= part << done;
      done += now;
      used_ += now;
    }
    return value;
  }
  void align() { used_ = (used_ + 7) / 8 * 8; }

 private:
  std::span<const std::byte> bytes_;
  u32 used_ = 0;
};

}  // namespace warpwright::compression
