#include "fatbin/memory_map.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <string>

namespace warpwright::fatbin {

MemoryMap::MemoryMap() {
  std::ifstream in("/proc/self/maps");
  // Each line begins with "BEGIN-END rwxp", in hexadecimal.
  for (std::string line; std::getline(in, line);) {
    Range range{};
    const char* const last = line.data() + line.size();
    const auto begin = std::from_chars(line.data(), last, range.begin, 16);
    if (begin.ec != std::errc{} || begin.ptr == last) continue;
    const auto end = std::from_chars(begin.ptr + 1, last, range.end, 16);
    if (end.ec != std::errc{} || last - end.ptr < 2 || end.ptr[1] != 'r') continue;
    if (!readable_.empty() && readable_.back().end == range.begin)
      readable_.back().end = range.end;
    else
      readable_.push_back(range);
  }
}

std::span<const std::byte> MemoryMap::from(const void* address) const {
  const auto at = reinterpret_cast<u64>(address);
  const auto* const bytes = static_cast<const std::byte*>(address);
  if (readable_.empty()) return {bytes, std::numeric_limits<u64>::max() / 2 - at};
  const auto after =
      std::upper_bound(readable_.begin(), readable_.end(), at, [](u64 value, const Range& range) { return value < range.end; });
  if (after == readable_.end() || at < after->begin) return {};
  return {bytes, after->end - at};
}

}  // namespace warpwright::fatbin
