// What the page shows of the code of a program on an SPE, as JSON.
#pragma once

#include "report/json.hpp"

namespace warpwright::report {

// `code` of a profile as the page has it: how many `instructions` there are, and the `lines` of those `most` before which the most cycles
// were lost, in the code's order. The straight code of a large kernel has tens of thousands, most of which tell nothing.
Json codeOf(const Json& code, std::size_t most);

}  // namespace warpwright::report
