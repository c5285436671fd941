// What stands out in a kernel: where it wastes bandwidth or lanes, in words, with the source line. docs/profile.md gives the rules.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profile/kernel_profile.hpp"

namespace warpwright::profile {

struct Finding {
  std::string_view rule;  // "uncoalesced", …
  SourceLine where;       // empty: the kernel as a whole
  std::string text;       // without the position
  double weight = 0;      // estimated share of the resource that is wasted, 0 to 1: the order of the list
};

// Most wasteful first; at most kMostFindings.
inline constexpr std::size_t kMostFindings = 8;
std::vector<Finding> findingsOf(const KernelProfile& kernel);

// "saxpy.cu:12", or "(no line)".
std::string positionText(const SourceLine& where);

}  // namespace warpwright::profile
