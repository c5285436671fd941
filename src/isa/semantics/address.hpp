// Conversion between generic addresses and the spaces' own, and between blocks of a cluster (PTX ISA 9.7.9: cvta, isspacep, mapa).
#pragma once

#include "isa/address_space.hpp"
#include "isa/semantics/values.hpp"

namespace warpwright::isa::semantics {
inline namespace WARPWRIGHT_HOST_LEVEL {

constexpr u64 windowOf(Space space) {
  switch (space) {
    case Space::shared:
      return kSharedWindow;
    case Space::local:
      return kLocalWindow;
    case Space::constant:
      return kConstantWindow;
    case Space::param:
      return kParamWindow;
    default:
      return 0;
  }
}

template <class U>
WARPWRIGHT_SEMANTIC U convertAddress(const Modifiers& modifiers, U address) {
  const U window = static_cast<U>(windowOf(modifiers.space));
  return modifiers.toSpace ? address - window : address + window;
}

// Global is whatever lies in no window.
template <class U>
WARPWRIGHT_SEMANTIC bool isInSpace(const Modifiers& modifiers, U address) {
  const U window = static_cast<U>(windowOf(modifiers.space));
  const U end = static_cast<U>(kParamWindow + kWindowBytes);
  if (window == 0) return address < U{kSharedWindow} || address >= end;
  const bool isOwnShared = modifiers.space == Space::shared && !modifiers.ofCluster;
  return address - window < static_cast<U>(isOwnShared ? kClusterStride : kWindowBytes);
}

// An address in shared memory, shared or generic, in the block of the cluster with the rank `of`, be it the block that executes: all blocks
// of the cluster may use it. A rank that no cluster has gives an address where nothing is.
template <class U>
WARPWRIGHT_SEMANTIC U mapToBlock(U address, u32 of) {
  constexpr U kBlocks = static_cast<U>(kWindowBytes - kClusterStride);
  const u32 rank = of > kMostClusterBlocks ? kMostClusterBlocks : of;
  const U mapped = static_cast<U>(static_cast<U>(rank + 1) * static_cast<U>(kClusterStride));
  return (address & static_cast<U>(~kBlocks)) | mapped;
}

}  // namespace WARPWRIGHT_HOST_LEVEL
}  // namespace warpwright::isa::semantics
