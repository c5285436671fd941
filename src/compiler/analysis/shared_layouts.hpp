// Layouts that code names for its accesses to shared memory: `.pragma "shared_layout S";` in front of a load, a store or an atomic says
// that the array lies in the layout of the stride family S, strides of an odd multiple of 2^S words (docs/bank-maps.md).
#pragma once

#include <vector>

#include "compiler/analysis/analysis.hpp"
#include "isa/program.hpp"

namespace warpwright::compiler {

inline constexpr u32 kMostSharedLayout = 31;

// Marks such accesses with 1 + S. Compiling throws Error for a pragma that no access to shared memory follows, and for a number that is
// none.
extern const AnalysisKind kSharedLayouts;

// By pc; empty where the program was not asked, or no access of it names one.
const std::vector<u32>& sharedLayouts(const isa::Program& program);

}  // namespace warpwright::compiler
