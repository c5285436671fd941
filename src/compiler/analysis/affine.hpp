// Which values are the same in all lanes of a warp, or grow by the same step from lane to lane, as far as the code tells.
#pragma once

#include <vector>

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// The three classes of Collange and Kouyoumdjian ("Affine Vector Cache for memory bandwidth savings", 2011, section 2.3), over the active
// lanes: uniform d_i = c; affine d_i = b + i s; generic anything else. Each contains the one before. Predicates are uniform or generic.
enum class LanePattern : u8 { uniform, affine, generic };

// Per unit. A unit is classified by all its definitions, so live ranges should have been split (registers/split_ranges.hpp).
// Where the lanes of a warp come together again after a branch that may divide them, what they wrote on the way is generic (Coutinho,
// Sampaio, Pereira, Meira: "Divergence Analysis and Optimizations", 2011). Taken for granted: the x extent of a block is a multiple of
// the warp size, or the block has one dimension; integers do not overflow; the words of an affine 64-bit value count as affine.
std::vector<LanePattern> findLanePatterns(const MachineFunction& function);

}  // namespace warpwright::compiler
