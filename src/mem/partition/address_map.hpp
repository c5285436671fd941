// Where an address lies: memory partition, L2 slice, port of the networks, and byte of the partition's DRAM channel.
#pragma once

#include <bit>

#include "base/types.hpp"
#include "mem/cache/set_index.hpp"
#include "mem/divider.hpp"
#include "mem/dram/channel_address.hpp"
#include "mem/partition/channel_hash/channel_hash.hpp"

namespace warpwright::mem {

// An L2 slice of a partition.
using SliceId = Id<struct L2Slice>;
// A port of the networks at the memory partitions: those of a partition follow one another, and its slices share them in turn.
using MemoryPortId = Id<struct MemoryPort>;

// Consecutive pieces of `pieceBytes` go to partition after partition, and within a partition to slice after slice. With a hash, the order
// changes from round to round, so that large power-of-two strides spread; each round still has one piece for each. Any number of partitions
// and slices; addresses below 2^48.
class AddressMap {
 public:
  // pieceBytes: a power of two, and no smaller than a line.
  AddressMap(u32 partitions, u32 slices, u32 portsPerPartition, u64 pieceBytes, const config::Policy& hash);

  PartitionId partition(GlobalAddress address) const;
  SliceId slice(GlobalAddress address) const;
  MemoryPortId port(GlobalAddress address) const;
  // Where partitions lie in two halves, those of the first before those of the second: whose it is, and the port of that partition of
  // `half` which has the address or is the partner of the one that has it.
  u32 half(GlobalAddress address) const { return partition(address) < halfCount() ? 0 : 1; }
  MemoryPortId nearPort(GlobalAddress address, u32 half) const;
  PartitionId partner(PartitionId partition) const { return PartitionId((partition + halfCount()) % partitions()); }
  // Where the partition's DRAM holds it.
  ChannelAddress local(GlobalAddress address) const;

  u32 partitions() const { return partitions_.divisor(); }
  u32 portsPerPartition() const { return ports_; }
  // Of all addresses, those that one slice, and one partition, sees.
  Interleave sliceShare() const { return {pieceBytes(), partitions_.divisor() * slices_.divisor()}; }
  Interleave partitionShare() const { return {pieceBytes(), partitions_.divisor()}; }

 private:
  u64 pieceBytes() const { return u64{1} << shift_; }
  u32 halfCount() const { return partitions() / 2; }
  u32 choose(u64 number, const Divider& count) const;

  Divider partitions_, slices_;
  u32 ports_;  // of a partition
  u32 shift_;
  std::shared_ptr<const ChannelHash> hash_;  // null: the identity
};

}  // namespace warpwright::mem
