// Prefetches. Nothing but time depends on them, so they exist on a machine that is stepped alone, and no address is a fault.
#include "exec/operations/prefetch.hpp"

#include <algorithm>
#include <bit>

#include "exec/step_recorder.hpp"
#include "isa/address_space.hpp"

namespace warpwright::exec {
namespace {

using isa::Space;

constexpr u32 kPieceBytes = 32;  // the smallest piece that memory moves

// As many bytes of each lane as lie in the allocation of its address.
void prefetchBytes(Grid& grid, const Issue& issue, const LaneAddresses& addresses) {
  const u32* sizes = source(issue.warp, issue.op.sources[1]);
  std::vector<u64> pieces;
  for (const LaneId lane : issue.executing) {
    const GlobalAddress address(addresses.lane[lane]);
    const Allocation* allocation = grid.memory.find(address, 1);
    if (!allocation) continue;
    const GlobalAddress end = std::min(address + sizes[lane], allocation->end());
    for (GlobalAddress piece = alignDown(address, kPieceBytes); piece < end; piece += kPieceBytes) pieces.push_back(piece);
  }
  if (!pieces.empty()) grid.separate->recorder->prefetch(std::move(pieces), kPieceBytes);
}

}  // namespace

void prefetch(Grid& grid, const Issue& issue) {
  if (!grid.separate) return;
  const Op& op = issue.op;
  LaneAddresses addresses;
  const u32* low = op.addressWords ? source(issue.warp, op.sources[0]) : nullptr;
  grid.addresses(low, op.addressWords == 2 ? low + grid.lanes : nullptr, op.offset, op.wraps, op.accessBytes(), issue.executing, addresses);
  if (op.sources[1].present) return prefetchBytes(grid, issue, addresses);
  LaneMask global, local;
  for (const LaneId lane : issue.executing) {
    const LaneMask bit = LaneMask::of(lane);
    u64& address = addresses.lane[lane];
    const bool inWindow = op.space == Space::generic && address / isa::kWindowBytes == isa::kLocalWindow / isa::kWindowBytes;
    if (inWindow) address -= isa::kLocalWindow;
    if (inWindow || op.space == Space::local) {
      if (address < issue.block.localBytes) local |= bit;
    } else if (grid.memory.find(GlobalAddress(address), 1)) {
      global |= bit;
    }
  }
  StepRecorder& recorder = *grid.separate->recorder;
  if (global) recorder.prefetch(Space::global, global, addresses);
  if (local) recorder.prefetch(Space::local, local, addresses);
}

}  // namespace warpwright::exec
