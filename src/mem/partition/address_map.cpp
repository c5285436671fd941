#include "mem/partition/address_map.hpp"

namespace warpwright::mem {
namespace {

// Exclusive-or of all groups of `bits` bits.
u32 fold(u64 value, u32 bits) {
  u64 result = 0;
  for (; value != 0; value >>= bits) result ^= value;
  return static_cast<u32>(result & ((u64{1} << bits) - 1));
}

}  // namespace

AddressMap::AddressMap(u32 partitions, u32 slices, u32 portsPerPartition, u64 pieceBytes, bool hashed)
    : partitions_(partitions),
      slices_(slices),
      ports_(portsPerPartition),
      shift_(static_cast<u32>(std::countr_zero(pieceBytes))),
      hashed_(hashed) {}

u32 AddressMap::partition(u64 address) const { return choose(address >> shift_, partitions_); }

u32 AddressMap::slice(u64 address) const { return choose(partitions_.quotient(address >> shift_), slices_); }

u32 AddressMap::port(u64 address) const { return partition(address) * ports_ + portOfSlice(slice(address)); }

u64 AddressMap::local(u64 address) const { return partitions_.quotient(address >> shift_) << shift_ | (address & (pieceBytes() - 1)); }

u32 AddressMap::choose(u64 number, const Divider& count) const {
  const u32 place = count.remainder(number);
  if (!hashed_ || count.divisor() == 1) return place;
  const u32 change = fold(count.quotient(number), static_cast<u32>(std::bit_width(count.divisor() - 1)));
  return std::has_single_bit(count.divisor()) ? place ^ change : (place + change) % count.divisor();
}

}  // namespace warpwright::mem
