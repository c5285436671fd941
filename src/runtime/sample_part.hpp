// The share of a sampled program's launches that one of several runs times.
#pragma once

#include <string_view>

#include "base/types.hpp"

namespace warpwright::runtime {

// Of the launches that must be timed: the number-th share of `count`, from 1 on.
struct SamplePart {
  u32 number = 1, count = 1;
  bool operator==(const SamplePart&) const = default;
};

// Numbers as they come, spread evenly: multiplication by 2^64 over the golden ratio (Knuth, "The Art of Computer Programming", 6.4).
constexpr u64 spread(u64 number) { return number * 0x9E3779B97F4A7C15u >> 32; }

// "2/8". Throws Error for anything else.
SamplePart parseSamplePart(std::string_view text);

}  // namespace warpwright::runtime
