#include "mechanisms/access_patterns/settings.hpp"

#include <array>

#include "mechanisms/granularity_rules.hpp"

namespace warpwright::mechanisms::access_patterns {

std::span<const config::Row<Settings>> rows() {
  static const std::array kRows{
      config::row<&Settings::leastBytes>("least_bytes", "B", {32, 256, true}, "what DRAM gives at least; Gou, section 6.3.3: 32"),
      config::row<&Settings::mostBytes>("most_bytes", "B", {32, 256, true},
                                        "of a channel before the next one's: no load fetches more; Gou, table 6.2: 256"),
      config::choice<&Settings::skewed>("skewed", kSkewedText),
      config::choice<&Settings::roundsDown>("rounds_down",
                                            "a row of a block that is no power of two long counts as the next lower one; Gou, table 6.4, "
                                            "has powers of two alone"),
  };
  return kRows;
}

}  // namespace warpwright::mechanisms::access_patterns
