// Prefetches. Nothing but time depends on them, so they exist on a machine that is stepped alone, and no address is a fault.
#include <algorithm>
#include <bit>

#include "exec/machine.hpp"
#include "exec/step_recorder.hpp"
#include "isa/address_space.hpp"

namespace warpwright::exec {
namespace {

using isa::Space;

constexpr u32 kPieceBytes = 32;  // the smallest piece that memory moves

}  // namespace

void Machine::prefetch(const Issue& issue) {
  if (!separate_) return;
  const Op& op = issue.op;
  LaneAddresses addresses;
  const u32* low = op.addressWords ? source(issue.warp, op.sources[0]) : nullptr;
  addresses_(low, op.addressWords == 2 ? low + lanes_ : nullptr, op.offset, op.wraps, op.accessBytes(), issue.executing, addresses);
  if (op.sources[1].present) return prefetchBytes(issue, addresses);
  LaneMask global, local;
  for (const u32 lane : issue.executing) {
    const LaneMask bit = LaneMask::of(lane);
    u64& address = addresses.lane[lane];
    const bool inWindow = op.space == Space::generic && address / isa::kWindowBytes == isa::kLocalWindow / isa::kWindowBytes;
    if (inWindow) address -= isa::kLocalWindow;
    if (inWindow || op.space == Space::local) {
      if (address < issue.block.localBytes) local |= bit;
    } else if (memory_.find(address, 1)) {
      global |= bit;
    }
  }
  StepRecorder& recorder = *separate_->recorder;
  if (global) recorder.prefetch(Space::global, global, addresses);
  if (local) recorder.prefetch(Space::local, local, addresses);
}

// As many bytes of each lane as lie in the allocation of its address.
void Machine::prefetchBytes(const Issue& issue, const LaneAddresses& addresses) {
  const u32* sizes = source(issue.warp, issue.op.sources[1]);
  std::vector<u64> pieces;
  for (const u32 lane : issue.executing) {
    const u64 address = addresses.lane[lane];
    const Allocation* allocation = memory_.find(address, 1);
    if (!allocation) continue;
    const u64 end = std::min(address + sizes[lane], allocation->end());
    for (u64 piece = address / kPieceBytes * kPieceBytes; piece < end; piece += kPieceBytes) pieces.push_back(piece);
  }
  if (!pieces.empty()) separate_->recorder->prefetch(std::move(pieces), kPieceBytes);
}

}  // namespace warpwright::exec
