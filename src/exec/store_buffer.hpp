// Global stores that one SM has issued and no other SM may see yet. The SM itself sees them: its loads are patched.
#pragma once

#include <array>
#include <vector>

#include "base/types.hpp"

namespace warpwright::exec {

class GlobalMemory;

class StoreBuffer {
 public:
  StoreBuffer();

  bool empty() const { return pieces_.empty(); }
  // Notes that `bytes` at `address` become `data`; later stores win.
  void store(GlobalAddress address, u32 bytes, const void* data);
  // False when no byte of the range is buffered; otherwise `data`, which holds the range as memory has it, is brought up to date.
  bool patch(GlobalAddress address, u32 bytes, void* data) const {
    if (pieces_.empty() || !mayHold(address, bytes)) return false;
    return patchBlocks(address, bytes, data);
  }
  // Quick; may err on the side of true. bytes: at most kBlockBytes.
  bool mayHold(GlobalAddress address, u32 bytes) const {
    const u64 first = address / kBlockBytes, last = (address + bytes - 1) / kBlockBytes;
    return mayHoldBlock(first) || (last != first && mayHoldBlock(last));
  }
  // Writes everything to memory in the order of the stores, and forgets it.
  void publish(GlobalMemory& memory);

 private:
  static constexpr u64 kBlockBytes = 64;
  static constexpr u32 kFilterBits = 2048;
  struct Piece {
    GlobalAddress address;
    u32 bytes, data;  // data: index in data_
  };
  struct BlockBytes {
    u64 block = ~u64{0};  // address / kBlockBytes
    u64 written = 0;      // bit a byte
    std::array<u8, kBlockBytes> bytes;
  };

  static u64 hash(u64 block) { return block * 0x9e37'79b9'7f4a'7c15 >> 32; }
  bool mayHoldBlock(u64 block) const {
    const u64 bit = hash(block) % kFilterBits;
    return filter_[bit / 64] >> bit % 64 & 1;
  }
  bool patchBlocks(GlobalAddress address, u32 bytes, void* data) const;
  const BlockBytes* find(u64 block) const;
  BlockBytes& findOrAdd(u64 block);
  void grow();

  std::vector<Piece> pieces_;
  std::vector<u8> data_;
  std::array<u64, kFilterBits / 64> filter_{};
  std::vector<BlockBytes> table_;  // open addressing; a power of two
  std::vector<u32> used_;          // indices in the table
};

}  // namespace warpwright::exec
