// Values of memory that a test sets line by line.
#pragma once

#include <cstring>
#include <map>
#include <vector>

#include "mechanisms/line_compression/line_sizes.hpp"

namespace warpwright::mechanisms::line_compression {

inline constexpr u32 kLine = 128;  // bytes

inline u32 zeros(u32) { return 0; }
inline u32 smallWords(u32 word) { return 0x40000000 + word; }
// Without any pattern.
inline u32 noise(u32 word) { return (word + 1) * 0x9e3779b9 ^ (word + 7) << 13; }

class Values {
 public:
  template <class WordAt>
  void set(GlobalAddress line, u32 bytes, WordAt wordAt) {
    std::vector<std::byte>& to = lines_[line];
    to.resize(bytes);
    for (u32 word = 0; word < bytes / sizeof(u32); ++word) {
      const u32 value = wordAt(word);
      std::memcpy(to.data() + word * sizeof(u32), &value, sizeof(u32));
    }
  }
  // It must not outlive the values.
  LineReader reader() const {
    return [this](GlobalAddress line, std::span<std::byte> into) {
      const auto found = lines_.find(line);
      if (found == lines_.end()) return false;
      std::memcpy(into.data(), found->second.data(), into.size());
      return true;
    };
  }

 private:
  std::map<GlobalAddress, std::vector<std::byte>> lines_;
};

}  // namespace warpwright::mechanisms::line_compression
