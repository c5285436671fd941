// How many bytes a load fetches at once (Gou, algorithm 6.1), and the readings of the algorithm that its text leaves open.
#pragma once

#include "compiler/patterns/launch_pattern.hpp"

namespace warpwright::compiler {

struct GranularityLimits {
  u32 least = 32;  // bytes that DRAM gives at least
  u32 most = 256;  // bytes of a channel before the next one's
};

struct GranularityRules {
  // Line 6 asks that blocks beside one another continue each other's rows (blockDim.x e = d). Without it, what is contiguous within the row
  // of a block is fetched together; so table 6.4 has both loads of the matrix product, one of which is the same for all blocks of a row.
  bool blocksContinueRows = true;
  // What e, d and h0 of a skewed access are counted in: y, an index; e and d times alpha and h0 as it is; or all in bytes, as if alpha were
  // part of y.
  enum class Skewed : u8 { index, scaledStep, bytes } skewed = Skewed::bytes;
  // A row that is no power of two long: down to one, or as long as it is.
  bool roundsDown = true;
  // Loads of private memory have sizes, too; else the least. The thesis counts them, and does not say how its private memory lies.
  bool privateToo = true;
};

// Bytes, of an access to global memory of `bytes` a lane in blocks that are `blockWidth` threads wide. Where the pattern is not known:
// least.
u32 granularityOf(const LaunchPattern& pattern, u32 bytes, u32 blockWidth, const GranularityLimits& limits, const GranularityRules& rules);

// Of an access to private memory, whose words lie lane by lane (base/lane_interleaving.hpp): those of a warp, where all threads access the
// same offset of theirs.
u32 privateGranularityOf(const LaunchPattern& pattern, Dim3 block, u32 warpSize, const GranularityLimits& limits);

// Of either.
u32 granularityOf(const AccessPattern& code, const LaunchPattern& pattern, Dim3 block, u32 warpSize, const GranularityLimits& limits,
                  const GranularityRules& rules);

}  // namespace warpwright::compiler
