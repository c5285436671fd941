#include "machines/pc_histogram/settings.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "base/error.hpp"
#include "config/machine.hpp"

namespace warpwright::machines {
namespace {

template <class Number>
bool read(std::string_view digits, Number& into) {
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), into);
  return code == std::errc{} && end == digits.data() + digits.size();
}

}  // namespace

PcHistogramSettings parsePcHistogram(const std::string& text) {
  PcHistogramSettings settings;
  const std::size_t colon = text.find(':');
  bool isRead = read(std::string_view(text).substr(0, colon), settings.sm);
  if (colon != std::string::npos) isRead &= read(std::string_view(text).substr(colon + 1), settings.block.emplace());
  if (!isRead)
    throw Error("cannot read '" + text + "' as what a PC histogram is of", {}, "write an SM (0), or an SM and a block of the grid (0:3)");
  return settings;
}

void requireSm(const PcHistogramSettings& settings, const config::Machine& machine) {
  if (settings.sm < machine.multiprocessors) return;
  throw Error(fmt::format("a PC histogram of SM {} is asked for, and '{}' has {} SMs", settings.sm, machine.name, machine.multiprocessors),
              {}, fmt::format("name one from 0 to {}", machine.multiprocessors - 1));
}

}  // namespace warpwright::machines
