// What designs take as logic, for published values.
#pragma once

#include <optional>

#include "lab/reproduction/published.hpp"
#include "rtl/synthesis.hpp"

namespace warpwright::lab {

// An expression over gates, depth, flip_flops, lut4, lut6 and memory_bits of the value's design (rtl/synthesis.hpp), and over.gates, … of
// the other one that it names. Throws Error for an unknown design, and where Yosys is not there.
std::optional<double> synthesisValue(rtl::Synthesis& synthesis, const PublishedValue& value);

}  // namespace warpwright::lab
