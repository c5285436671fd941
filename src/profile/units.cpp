#include "profile/units.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace warpwright::profile {
namespace {

// Three significant digits.
std::string scaled(double value, std::string_view unit) {
  const int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, digits, unit);
}

template <std::size_t N>
std::string withPrefix(double value, double step, const std::array<std::string_view, N>& units) {
  std::size_t unit = 0;
  while (unit + 1 < N && value >= step * 0.9995) {
    value /= step;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} {}", value, units[0]) : scaled(value, units[unit]);
}

}  // namespace

std::string countText(u64 count) {
  if (count >= 1'000'000)
    return withPrefix(static_cast<double>(count) / 1e3, 1e3, std::array<std::string_view, 5>{"k", "M", "G", "T", "P"});
  if (count < 1000) return fmt::format("{}", count);
  return fmt::format("{},{:03}", count / 1000, count % 1000);
}

std::string bytesText(u64 bytes) {
  return withPrefix(static_cast<double>(bytes), 1024, std::array<std::string_view, 6>{"B", "KiB", "MiB", "GiB", "TiB", "PiB"});
}

std::string timeText(u64 nanoseconds) {
  return withPrefix(static_cast<double>(nanoseconds), 1e3, std::array<std::string_view, 4>{"ns", "us", "ms", "s"});
}

std::string percentText(stats::Ratio share) { return share ? fmt::format("{:.1f} %", *share * 100) : "-"; }

std::string ratioText(stats::Ratio value, int digits) { return value ? fmt::format("{:.{}f}", *value, digits) : "-"; }

}  // namespace warpwright::profile
