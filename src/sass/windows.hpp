// Where a trace's addresses lie.
#pragma once

#include <algorithm>

#include "isa/types.hpp"
#include "sass/kernel_header.hpp"

namespace warpwright::sass {

class Windows {
 public:
  explicit Windows(const KernelHeader& header) : shared_(header.sharedBase), local_(header.localBase) {}

  // Of a generic address.
  isa::Space spaceOf(u64 address) const {
    if (isIn(shared_, address)) return isa::Space::shared;
    return isIn(local_, address) ? isa::Space::local : isa::Space::global;
  }
  // An address in its space, be it generic or not.
  u64 offset(isa::Space space, u64 address) const {
    const u64 base = space == isa::Space::shared ? shared_ : space == isa::Space::local ? local_ : 0;
    return isIn(base, address) ? address - base : address;
  }

 private:
  // Both windows have 16 MiB (NVBit, nvbit_get_shmem_base_addr and nvbit_get_local_mem_base_addr).
  static constexpr u64 kBytes = u64{16} << 20;
  static bool isIn(u64 base, u64 address) { return base != 0 && address >= base && address - base < kBytes; }

  u64 shared_, local_;
};

// What of the block's and the threads' own memory a kernel touches.
struct UsedMemory {
  u64 sharedEnd = 0;
  u64 localBegin = ~u64{0}, localEnd = 0;

  void note(isa::Space space, u64 offset, u32 bytes) {
    if (space == isa::Space::shared) sharedEnd = std::max(sharedEnd, offset + bytes);
    if (space != isa::Space::local) return;
    localBegin = std::min(localBegin, offset);
    localEnd = std::max(localEnd, offset + bytes);
  }
  // Stacks begin at the end of the window: our threads have what lies between the first byte and the last that one touches.
  u64 firstLocal() const { return localEnd == 0 ? 0 : localBegin / kAlignment * kAlignment; }
  u64 localBytes() const { return localEnd == 0 ? 0 : (localEnd - firstLocal() + kAlignment - 1) / kAlignment * kAlignment; }

 private:
  static constexpr u64 kAlignment = 16;  // of the stack: an access has as many bytes at most
};

}  // namespace warpwright::sass
