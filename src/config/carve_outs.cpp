#include "config/carve_outs.hpp"

#include <fmt/format.h>

#include <charconv>
#include <sstream>
#include <stdexcept>

#include "config/fields/rows.hpp"

namespace warpwright::config {

std::vector<u64> carveOutsOf(const std::string& text) {
  std::vector<u64> sizes;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    u32 kibibytes = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), kibibytes);
    if (problem != std::errc{} || end != word.data() + word.size())
      throw std::invalid_argument(fmt::format("'{}' is no number of KiB", word));
    if (!sizes.empty() && kibibytes * kKi <= sizes.back())
      throw std::invalid_argument(fmt::format("{} KiB is not more than what is before it", word));
    sizes.push_back(kibibytes * kKi);
  }
  return sizes;
}

}  // namespace warpwright::config
