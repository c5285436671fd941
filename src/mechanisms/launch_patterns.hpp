// Access patterns of a launch, for mechanisms that go by them: in launchBegins(), with compiler::kAccessPatterns among Kind::analyses.
#pragma once

#include "compiler/patterns/granularity.hpp"
#include "exec/launch.hpp"
#include "sm/launch_notes.hpp"

namespace warpwright::mechanisms {

compiler::LaunchValues launchValues(const exec::Launch& launch);

enum class Accesses : u8 { loads, loadsAndStores };

// Bytes that an access of the kernel fetches or stores at once in global or private memory, by pc of the program; the least for those of
// functions that it calls; 0 for all else, spill code among it, and everywhere in a program that was compiled without the analysis.
sm::PerInstruction<u32> granularities(const exec::LaunchRequest& request, Accesses accesses, const compiler::GranularityLimits& limits,
                                      const compiler::GranularityRules& rules);

// One of several addresses that an access may have, by the path that its warp has come: where it lies for a block of threads, and what it
// asks for.
struct AddressRange {
  u32 bytes = 0;           // that it asks for
  bool isBounded = false;  // false: nothing is known of where it lies, as a loop moves it, or bits of indices make it up
  s64 first = 0;           // the lowest address of block (0, 0)
  s64 perX = 0, perY = 0;  // what the coordinates of the block add to it
  u64 length = 0;          // bytes from there to the end of the highest access
  u64 addressMask = ~u64{0};

  // Whether the threads of the block touch any of so many bytes from the address on.
  bool touches(GlobalAddress address, u32 count, Dim3 block) const;
};

// Of each access whose address depends on the path (PatternFailure::versions), by pc of the program; of the others none.
sm::PerInstruction<std::vector<AddressRange>> versionsOf(const exec::LaunchRequest& request, const compiler::GranularityLimits& limits,
                                                         const compiler::GranularityRules& rules);

}  // namespace warpwright::mechanisms
