#include "sm/access/private_memory.hpp"

#include "sm/address_spaces.hpp"
#include "sm/warp_set.hpp"

namespace warpwright::sm {
namespace {

PrivateVectors inPieces(const config::Machine& machine, u64 warp, u64 bytesPerThread) {
  const u64 vector = vectorBytes(machine.warpSize);
  const u64 vectors = (bytesPerThread + kInterleavedWordBytes - 1) / kInterleavedWordBytes;
  const u64 spacing = machine.sm.localSpacing;
  return {kLocalBase + warp * ((vectors * vector + spacing - 1) / spacing * spacing), vector};
}

PrivateVectors interleaved(const config::Machine& machine, SmId sm, SlotId slot) {
  constexpr u64 kMostOfSm = u64{1} << 31;  // 512 KB a thread of 64 warps of 64 lanes
  const u64 vector = vectorBytes(machine.warpSize);
  return {kLocalBase + sm * kMostOfSm + slot * vector, machine.warpsPerSm * vector};
}

}  // namespace

PrivateVectors privateVectors(const config::Machine& machine, SmId sm, SlotId slot, u64 bytesPerThread) {
  if (machine.sm.localSpacing == 0) return interleaved(machine, sm, slot);
  return inPieces(machine, u64{sm} * kMostWarps + slot, bytesPerThread);
}

}  // namespace warpwright::sm
