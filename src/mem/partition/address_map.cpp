#include "mem/partition/address_map.hpp"

namespace warpwright::mem {

AddressMap::AddressMap(u32 partitions, u32 slices, u32 portsPerPartition, u64 pieceBytes, const config::Policy& hash)
    : partitions_(partitions),
      slices_(slices),
      ports_(portsPerPartition),
      shift_(static_cast<u32>(std::countr_zero(pieceBytes))),
      hash_(channelHashList().make(hash)) {
  if (hash_->isIdentity()) hash_.reset();
}

PartitionId AddressMap::partition(GlobalAddress address) const { return PartitionId(choose(address >> shift_, partitions_)); }

SliceId AddressMap::slice(GlobalAddress address) const { return SliceId(choose(partitions_.quotient(address >> shift_), slices_)); }

MemoryPortId AddressMap::port(GlobalAddress address) const { return MemoryPortId(partition(address) * ports_ + slice(address) % ports_); }

MemoryPortId AddressMap::nearPort(GlobalAddress address, u32 half) const {
  const u32 home = partition(address), inHalf = home < halfCount() ? home : home - halfCount();
  return MemoryPortId((half * halfCount() + inHalf) * ports_ + slice(address) % ports_);
}

ChannelAddress AddressMap::local(GlobalAddress address) const {
  return ChannelAddress(partitions_.quotient(address >> shift_) << shift_ | (address & (pieceBytes() - 1)));
}

u32 AddressMap::choose(u64 number, const Divider& count) const {
  const u32 position = count.remainder(number);
  if (!hash_ || count.divisor() == 1) return position;
  const u32 change = hash_->change(count.quotient(number), count.divisor());
  return std::has_single_bit(count.divisor()) ? (position ^ change) & (count.divisor() - 1) : (position + change) % count.divisor();
}

}  // namespace warpwright::mem
