// Sizes of lines as the memory partition finds them: two bits a line, in blocks that lie in DRAM, and a cache of such blocks (section
// 5.3.2: 8 MB for 4 GB in lines of 128 bytes). The cache knows which blocks it holds; the sizes themselves are LineSizes'.
#pragma once

#include <optional>
#include <vector>

#include "base/types.hpp"
#include "mem/partition/address_map.hpp"

namespace warpwright::mechanisms::line_compression {

// What one access to DRAM brings.
inline constexpr u32 kMetadataBlockBytes = 32;
inline constexpr u32 kBitsOfLine = 2;
inline constexpr u32 kLinesOfBlock = kMetadataBlockBytes * 8 / kBitsOfLine;

// A block of a channel, in the order of the lines that the channel holds.
using BlockId = u64;

// Where the blocks of a channel lie.
class MetadataAddresses {
 public:
  // The map must outlive it.
  MetadataAddresses(const mem::AddressMap& map, PartitionId partition, u32 lineBytes)
      : map_(map), partition_(partition), blockCovers_(u64{kLinesOfBlock} * lineBytes) {}

  BlockId blockOf(GlobalAddress line) const { return map_.local(line) / blockCovers_; }
  // In the same channel, beyond all data.
  GlobalAddress addressOf(BlockId block) const;

 private:
  const mem::AddressMap& map_;
  const PartitionId partition_;
  const u64 blockCovers_;  // bytes
};

class MetadataCache {
 public:
  // bytes 0: it holds every block.
  MetadataCache(u32 bytes, u32 ways);

  bool holds(BlockId block);  // and it is used now
  // After holds() or fill() of it.
  void change(BlockId block) {
    if (Entry* entry = find(block)) entry->isChanged = true;
  }
  // Gives the block that has to be written to DRAM for it.
  std::optional<BlockId> fill(BlockId block);

 private:
  struct Entry {
    std::optional<BlockId> block{};
    bool isChanged = false;
    u64 used = 0;  // when last
  };
  Entry* find(BlockId block);
  u64 firstOf(BlockId block) const { return block % sets_ * ways_; }

  u32 ways_, sets_;
  std::vector<Entry> entries_;  // a set after the other
  u64 clock_ = 0;
};

}  // namespace warpwright::mechanisms::line_compression
