// Matrix operations of whole warps (PTX ISA, "Warp Level Matrix Instructions"). In warps of 64 lanes each half of 32 works for itself.
#include "exec/operations/tensor.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>

namespace warpwright::exec {
namespace {

constexpr u32 kMostWords = 4;  // of the fragments that are exchanged

using Exchanged = std::array<std::array<u32, kMatrixLanes>, kMostWords>;

u32 halfOf(u32 word, u32 which) { return which ? word >> 16 : word & 0xffff; }

// Rows of 16 bytes, row r of matrix j in lane 8j + r, to fragments: element (r, c) of a matrix lies in lane 4r + c/2, or, transposed, in
// lane 4c + r/2.
void deal(const isa::Matrix& matrix, const u32* rows, u32 stride, Exchanged& result) {
  for (u32 j = 0; j < matrix.words[0]; ++j) {
    for (u32 lane = 0; lane < kMatrixLanes; ++lane) {
      const u32 group = lane / 4, pair = lane % 4;
      if (!matrix.transposed) {
        result[j][lane] = rows[pair * stride + 8 * j + group];
        continue;
      }
      const u32* word = rows + group / 2 * stride + 8 * j + 2 * pair;
      result[j][lane] = halfOf(word[0], group % 2) | halfOf(word[1], group % 2) << 16;
    }
  }
}

// An 8x8 matrix the other way round, as fragments.
u32 transposed(const u32* fragment, LaneId lane) {
  const u32 group = lane / 4, pair = lane % 4;
  const u32 first = fragment[2 * pair * 4 + group / 2], second = fragment[(2 * pair + 1) * 4 + group / 2];
  return halfOf(first, group % 2) | halfOf(second, group % 2) << 16;
}

// The reverse of deal().
void gatherRows(const isa::Matrix& matrix, const u32* fragments, u32 stride, Exchanged& result) {
  for (u32 j = 0; j < matrix.words[1]; ++j) {
    for (u32 row = 0; row < 8; ++row) {
      for (u32 pair = 0; pair < 4; ++pair) {
        const u32* fragment = fragments + j * stride;
        result[pair][8 * j + row] = matrix.transposed ? transposed(fragment, LaneId{4 * row + pair}) : fragment[4 * row + pair];
      }
    }
  }
}

// All 32 lanes must be there: .sync.aligned.
void requireWholeWarp(const Grid& grid, const Issue& issue) {
  const LaneId lane = issue.executing.least();
  if (grid.request.limits.warpSize < kMatrixLanes) {
    fault(site(grid, issue), lane, LaunchStatus::illegalInstruction,
          fmt::format("a matrix instruction needs warps of 32 threads, this machine has {}", grid.request.limits.warpSize),
          "choose a machine with warps of 32");
  }
  for (u32 first = 0; first < grid.request.limits.warpSize; first += kMatrixLanes) {
    const LaneMask half = LaneMask::range(first, kMatrixLanes);
    const u32 present = (issue.executing & half).size();
    const bool absent = (issue.warp.existing & half).empty();
    if (present == kMatrixLanes || absent) continue;
    fault(site(grid, issue), lane, LaunchStatus::illegalInstruction,
          fmt::format("a matrix instruction (.sync.aligned) is executed by {} of the 32 threads of a warp", present),
          "let all threads of the warp execute it together, outside divergent code, in blocks of a multiple of 32 threads");
  }
}

}  // namespace

void matrixOperation(Grid& grid, const Issue& issue) {
  requireWholeWarp(grid, issue);
  const Op& op = issue.op;
  const isa::Modifiers& modifiers = op.instruction->modifiers;
  for (u32 first = 0; first < grid.request.limits.warpSize; first += kMatrixLanes) {
    if (!issue.executing.contains(first)) continue;
    u32* to = registers(issue.warp, op.destinations[0]) + first;
    const u32* from = source(issue.warp, op.sources[0]) + first;
    if (op.matrix) {
      multiply(*op.matrix, {to, from, source(issue.warp, op.sources[1]) + first, source(issue.warp, op.sources[2]) + first, grid.lanes},
               modifiers);
      continue;
    }
    Exchanged result;
    const isa::Opcode opcode = op.instruction->opcode;
    if (opcode == isa::Opcode::mat_deal) deal(modifiers.matrix, from, grid.lanes, result);
    if (opcode == isa::Opcode::mat_gather) gatherRows(modifiers.matrix, from, grid.lanes, result);
    if (opcode == isa::Opcode::mat_transpose)
      for (const LaneId lane : LaneMask::first(kMatrixLanes)) result[0][lane] = transposed(from, lane);
    // Of gathered rows, lanes beyond 8 * words hold nothing.
    const u32 rows = opcode == isa::Opcode::mat_gather ? 8u * modifiers.matrix.words[1] : kMatrixLanes;
    for (u32 word = 0; word < modifiers.matrix.words[0]; ++word) std::copy_n(result[word].begin(), rows, to + word * grid.lanes);
  }
}

}  // namespace warpwright::exec
