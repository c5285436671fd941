#include "lab/execution/limits.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string_view>

#include "base/error.hpp"

namespace warpwright::lab {
namespace {

constexpr std::array<std::string_view, 5> kPrefixes = {"", "K", "M", "G", "T"};

}  // namespace

u64 parseBytes(const std::string& text) {
  double number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit(end, text.data() + text.size());
  for (const std::string_view tail : {"iB", "B"})
    if (unit.ends_with(tail)) {
      unit.remove_suffix(tail.size());
      break;
    }
  for (std::size_t power = 0; power < kPrefixes.size(); ++power)
    if (failed == std::errc{} && number > 0 && unit == kPrefixes[power])
      return static_cast<u64>(number * static_cast<double>(u64{1} << (10 * power)));
  throw Error("'" + text + "' is no amount of memory", {}, "write it as 500M or 2G");
}

std::string bytesText(u64 bytes) {
  std::size_t power = 0;
  auto number = static_cast<double>(bytes);
  for (; number >= 1024 && power + 1 < kPrefixes.size(); ++power) number /= 1024;
  return power == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}iB", number, kPrefixes[power]);
}

}  // namespace warpwright::lab
