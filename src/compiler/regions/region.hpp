// Regions of kernels that somebody may skip who knows what they would compute: they have no effect but values of registers, which follow
// from the values of a few others. Which there are is found by the compiler, or said by the user.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace warpwright::ptx {
struct Module;
}

namespace warpwright::compiler {

struct LineRange {
  std::string file;  // the end of its path; empty: any
  u32 first = 0, last = 0;
};

struct RegionChoice {
  std::string name;              // of who skips them: begins the names of labels and registers, and their pragmas: "NAME begin", "NAME end"
  bool found = true;             // those that the compiler finds
  u32 leastWork = 0;             // of a found one: its instructions, a long one as kLongWork of them
  std::vector<LineRange> lines;  // of the source, or of the PTX where that is unknown
  std::function<bool(const std::string& kernel)> wants;
};

// Words that a region may depend on, and give; instructions that hand them on have as many operands, less one that says what was known.
inline constexpr u32 kMostRegionWords = 3;
inline constexpr u32 kLongWork = 8;

// A word that a region depends on.
struct RegionKey {
  std::string reg;
  bool isSingle = false;  // it is an f32
};

// How a region that may be skipped stands in its kernel, all registers being words:
//   keys → words; LOOK UP: may change words and known; where known is 1, results are words; else the region, words ← results, UPDATE.
struct SkippableRegion {
  std::string kernel;
  u32 line = 0, instructions = 0;
  std::vector<RegionKey> keys;
  std::vector<std::string> words;  // as many as there are keys or results, whichever are more
  u32 results = 0;                 // words of them
  std::string known, lookUpLabel, updateLabel;
};

// Changes the kernels, and says where. The order of instructions changes within straight lines alone. Throws Error for regions of the user
// that cannot be skipped.
std::vector<SkippableRegion> makeSkippable(ptx::Module& module, const RegionChoice& choice);

}  // namespace warpwright::compiler
