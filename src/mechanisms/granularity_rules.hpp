// How settings of mechanisms name the readings of the choice of granularities (compiler/patterns/granularity.hpp).
#pragma once

#include <array>
#include <string_view>

#include "compiler/patterns/granularity.hpp"
#include "config/field.hpp"

namespace warpwright::config {

template <>
inline constexpr std::array<std::string_view, 3> kNamesOf<compiler::GranularityRules::Skewed> = {"index", "scaled_step", "bytes"};

}  // namespace warpwright::config

namespace warpwright::mechanisms {

inline constexpr std::string_view kSkewedText =
    "what the steps and sections of a skewed access are counted in: an index, an index with steps in bytes, or bytes; Gou, algorithm 6.1, "
    "leaves it open, and table 6.4 has loads of 256 bytes in the Walsh transform, whose sections are long in bytes first";

inline constexpr std::string_view kAtWarpTimeText =
    "`by_pattern`: an access whose address depends on the path of its warp asks for what the version allows in whose range, for its block "
    "of threads, it lies; false: for the least, as section 6.3.3 drops such patterns. Default: false.";

inline constexpr std::string_view kPrivateTooText =
    "`by_pattern`: loads of private memory ask for the words of their warp, which lie side by side; false: for the least. Default: true, "
    "as "
    "the thesis counts private memory (section 6.5.1); how it lies there is not said.";

}  // namespace warpwright::mechanisms
