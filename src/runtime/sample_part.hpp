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

// "2/8". Throws Error for anything else.
SamplePart parseSamplePart(std::string_view text);

}  // namespace warpwright::runtime
