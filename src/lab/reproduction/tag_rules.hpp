// The rules of tag propagation (seed 001, table 1), as the tagged register file follows them.
#pragma once

#include <string>

namespace warpwright::lab {

// The tag of a result, U, A or V: `rule` is "sum A V", with the tags of the first and the second operand. "": there is no such rule.
std::string tagOfResult(const std::string& rule);

}  // namespace warpwright::lab
