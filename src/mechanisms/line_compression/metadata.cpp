#include "mechanisms/line_compression/metadata.hpp"

#include <algorithm>

#include "sm/address_spaces.hpp"

namespace warpwright::mechanisms::line_compression {
namespace {

// Behind what else hardware keeps there.
constexpr GlobalAddress kMetadataBase = sm::kHiddenBase + (u64{1} << 43);

}  // namespace

// A round of the interleaving has a piece for each channel, in an order that the map knows.
GlobalAddress MetadataAddresses::addressOf(BlockId block) const {
  const mem::Interleave share = map_.partitionShare();
  const u64 roundBytes = share.bytes * map_.partitions(), offset = block * kMetadataBlockBytes;
  const u64 round = kMetadataBase / roundBytes + 1 + offset / share.bytes;
  GlobalAddress address(round * roundBytes + offset % share.bytes);
  while (map_.partition(address) != partition_) address = address + share.bytes;
  return address;
}

MetadataCache::MetadataCache(u32 bytes, u32 ways)
    : ways_(ways), sets_(bytes / kMetadataBlockBytes / ways), entries_(std::size_t{sets_} * ways) {}

MetadataCache::Entry* MetadataCache::find(BlockId block) {
  if (sets_ == 0) return nullptr;
  const auto first = entries_.begin() + static_cast<std::ptrdiff_t>(firstOf(block));
  const auto found = std::find_if(first, first + ways_, [&](const Entry& entry) { return entry.block == block; });
  return found == first + ways_ ? nullptr : &*found;
}

bool MetadataCache::holds(BlockId block) {
  if (sets_ == 0) return true;
  Entry* entry = find(block);
  if (entry == nullptr) return false;
  entry->used = ++clock_;
  return true;
}

std::optional<BlockId> MetadataCache::fill(BlockId block) {
  const auto first = entries_.begin() + static_cast<std::ptrdiff_t>(firstOf(block));
  // A free entry was never used.
  Entry& victim = *std::min_element(first, first + ways_, [](const Entry& one, const Entry& other) { return one.used < other.used; });
  const std::optional<BlockId> written = victim.isChanged ? victim.block : std::nullopt;
  victim = {.block = block, .used = ++clock_};
  return written;
}

}  // namespace warpwright::mechanisms::line_compression
