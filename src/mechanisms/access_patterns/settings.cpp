#include "mechanisms/access_patterns/settings.hpp"

#include <array>

namespace warpwright::config {
template <>
inline constexpr std::array<std::string_view, 3> kNamesOf<compiler::GranularityRules::Skewed> = {"index", "scaled_step", "bytes"};
}  // namespace warpwright::config

namespace warpwright::mechanisms::access_patterns {

std::span<const config::Row<Settings>> rows() {
  static const std::array kRows{
      config::row<&Settings::leastBytes>("least_bytes", "B", {32, 256, true}, "what DRAM gives at least; Gou, section 6.3.3: 32"),
      config::row<&Settings::mostBytes>("most_bytes", "B", {32, 256, true},
                                        "of a channel before the next one's: no load fetches more; Gou, table 6.2: 256"),
      config::choice<&Settings::skewed>("skewed",
                                        "what the steps and sections of a skewed access are counted in: an index, an index with steps in "
                                        "bytes, or bytes; Gou, algorithm 6.1, leaves it open, and table 6.4 has loads of 256 bytes in the "
                                        "Walsh transform, whose sections are long in bytes first"),
      config::choice<&Settings::roundsDown>("rounds_down",
                                            "a row of a block that is no power of two long counts as the next lower one; Gou, table 6.4, "
                                            "has powers of two alone"),
  };
  return kRows;
}

}  // namespace warpwright::mechanisms::access_patterns
