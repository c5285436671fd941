#include "exec/bulk_transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "exec/mbarrier.hpp"

namespace warpwright::exec {
namespace {

using isa::AtomicOp;
using isa::BulkOp;

constexpr u32 kSwizzledBytes = 16;  // that a swizzle keeps together
constexpr u32 kPatchBytes = 32;     // of global memory, looked at together for stores of the SM

std::byte* sharedByte(const Block& block, SharedOffset offset) { return reinterpret_cast<std::byte*>(block.sharedBase() + offset); }

// visit(piece in shared memory, its bytes among those of the copy, how many).
template <typename Visit>
void forEachPiece(const BulkCopy& copy, SharedOffset base, Visit visit) {
  if (copy.swizzle == isa::TensorMap::Swizzle::none) return visit(base, 0u, copy.bytes());
  for (u32 at = 0; at < copy.bytes(); at += kSwizzledBytes) visit(SharedOffset(swizzled(copy.swizzle, base + at)), at, kSwizzledBytes);
}

// Each element at `to` becomes what the operation makes of it and that of the copy.
void combine(const BulkCopy& copy, bool isGlobal, void* to, const std::byte* from, u32 bytes) {
  const AtomicFunction function = atomicFunction(copy.reduction, copy.type, isGlobal);
  const u32 size = isa::sizeOf(copy.type);
  alignas(64) std::array<u32, 2 * kMaxWarpSize> planes{};
  LaneAddresses addresses;
  for (u32 begin = 0; begin < bytes; begin += kMaxWarpSize * size) {
    const u32 count = std::min(kMaxWarpSize, (bytes - begin) / size);
    for (u32 i = 0; i < count; ++i) {
      u64 value = 0;
      std::memcpy(&value, from + begin + i * size, size);
      planes[i] = static_cast<u32>(value);
      planes[kMaxWarpSize + i] = static_cast<u32>(value >> 32);
      addresses.lane[i] = begin + u64{i} * size;
    }
    function(reinterpret_cast<u64>(to), addresses, LaneMask::first(count), planes.data(), nullptr, nullptr, kMaxWarpSize);
  }
}

void followAccess(const BulkCopy& copy, BlockRaces& races, bool inShared, bool writes, u64 address, u32 bytes) {
  LaneAddresses one;
  one.lane[copy.lane] = address;
  // Each element of a reduction is as an atomic operation on it.
  const bool isAtomic = writes && copy.reduction != AtomicOp::none;
  races.access(copy.warp->index, {.pc = copy.pc, .inShared = inShared, .writes = writes, .strong = isAtomic, .bytes = bytes}, one,
               LaneMask::of(copy.lane));
}

void writeShared(const BulkCopy& copy, const BulkDestination& destination) {
  Block& to = *destination.block;
  forEachPiece(copy, destination.offset, [&](SharedOffset offset, u32 at, u32 bytes) {
    if (copy.reduction == AtomicOp::none) {
      std::memcpy(sharedByte(to, offset), copy.data.data() + at, bytes);
    } else {
      combine(copy, false, sharedByte(to, offset), copy.data.data() + at, bytes);
    }
    if (to.written) to.written->shared.mark(offset, bytes);
    // Of a thread of another block the block's own detector knows nothing.
    if (to.races && &to == copy.block) followAccess(copy, *to.races, true, true, offset, bytes);
  });
}

void countTransactions(Grid& grid, const BulkCopy& copy, const BulkDestination& destination) {
  Block& block = *destination.block;
  if (block.races && &block == copy.block) block.races->releaseObject(copy.warp->index, *block.races, destination.barrier);
  u64& word = *reinterpret_cast<u64*>(sharedByte(block, destination.barrier));
  Mbarrier barrier(word);
  const FaultSite site{grid.request, *copy.block, *copy.warp, copy.pc};
  if (!barrier.lives())
    fault(site, copy.lane, LaunchStatus::illegalInstruction,
          fmt::format("no mbarrier object at shared address {:#x} any more, when {} bytes of a bulk copy arrived", u64{destination.barrier},
                      copy.bytes()),
          "wait for the phase that the copy completes before the object is invalidated or its memory is used otherwise");
  if (!barrier.addTransactions(-s64{copy.bytes()}))
    fault(site, copy.lane, LaunchStatus::illegalInstruction,
          fmt::format("an mbarrier object gets more than it can count: {} bytes are pending in this phase", barrier.transactions()),
          "expect the bytes of a copy in the phase in which it arrives (mbarrier.expect_tx)");
  word = barrier.word();
}

void arriveAt(Grid& grid, BulkCopy& copy, BulkDestination& destination) {
  writeShared(copy, destination);
  countTransactions(grid, copy, destination);
  destination.isDone = true;
  ++grid.progress.changes;
}

void writeRun(Grid& grid, const BulkCopy& copy, const GlobalRun& run) {
  const std::byte* from = copy.data.data() + run.at;
  if (copy.reduction != AtomicOp::none) {
    combine(copy, true, GlobalMemory::hostPointer(run.address), from, run.bytes);
  } else if (grid.separate) {
    grid.separate->stores.store(run.address, run.bytes, from);
    return;
  } else {
    std::memcpy(GlobalMemory::hostPointer(run.address), from, run.bytes);
  }
  if (grid.memory.tracksInitialisation()) grid.memory.markInitialised(run.address, run.bytes);
}

void writeGlobal(Grid& grid, const BulkCopy& copy) {
  for (const GlobalRun& run : copy.runs) writeRun(grid, copy, run);
}

void finishStore(Grid& grid, u32 number) {
  BulkCopy& copy = grid.bulk[number];
  if (!copy.isRead) readBulkSource(grid, copy);
  if (copy.block->races) {
    for (const GlobalRun& run : copy.runs) followAccess(copy, *copy.block->races, false, true, run.address, run.bytes);
  }
  std::erase(copy.warp->copies.bulk, number);
  ++grid.progress.changes;
  if (grid.separate && copy.reduction != AtomicOp::none) {
    grid.bulk.reductions.push_back(number);
    return;
  }
  writeGlobal(grid, copy);
  grid.bulk.remove(number);
}

bool isComplete(const BulkCopy& copy) {
  return std::ranges::all_of(copy.destinations, [](const BulkDestination& destination) { return destination.isDone; });
}

Mbarrier objectAt(const Block& block, SharedOffset offset) { return Mbarrier(*reinterpret_cast<const u64*>(sharedByte(block, offset))); }

}  // namespace

void readGlobal(const Grid& grid, GlobalAddress address, u32 bytes, void* to) {
  std::memcpy(to, GlobalMemory::hostPointer(address), bytes);
  if (!grid.separate || grid.separate->stores.empty()) return;
  for (u32 at = 0; at < bytes; at += kPatchBytes)
    grid.separate->stores.patch(address + at, std::min(kPatchBytes, bytes - at), static_cast<std::byte*>(to) + at);
}

void readBulkSource(Grid& grid, BulkCopy& copy) {
  copy.isRead = true;
  ++grid.progress.changes;
  forEachPiece(copy, copy.source, [&](SharedOffset offset, u32 at, u32 bytes) {
    std::memcpy(copy.data.data() + at, sharedByte(*copy.block, offset), bytes);
    if (copy.block->races) followAccess(copy, *copy.block->races, true, false, offset, bytes);
  });
}

void finishBulk(Grid& grid, u32 number) {
  BulkCopy& copy = grid.bulk[number];
  if (copy.operation == BulkOp::store) return finishStore(grid, number);
  for (BulkDestination& destination : copy.destinations) arriveAt(grid, copy, destination);
  grid.bulk.remove(number);
}

bool goesElsewhere(const BulkCopy& copy) {
  return std::ranges::any_of(copy.destinations, [&](const BulkDestination& to) { return to.block != copy.block; });
}

void putOffBulk(Grid& grid, u32 number, u64 now) {
  RemoteAccess& access = grid.separate->remote.add();
  access.bulk = number;
  access.issued = now;
}

void performReductions(Grid& grid) {
  for (const u32 number : grid.bulk.reductions) {
    writeGlobal(grid, grid.bulk[number]);
    grid.bulk.remove(number);
  }
  grid.bulk.reductions.clear();
}

void completePhase(Grid& grid, Block& block, SharedOffset barrier) {
  const bool phase = objectAt(block, barrier).parity();
  std::erase_if(block.bulkArrivals, [&](const BulkArrival& arrival) {
    BulkCopy& copy = grid.bulk[arrival.copy];
    BulkDestination& destination = copy.destinations[arrival.destination];
    const Mbarrier object = objectAt(block, barrier);
    if (destination.barrier != barrier || object.parity() != phase || object.pending() != 0) return false;
    arriveAt(grid, copy, destination);
    if (isComplete(copy)) grid.bulk.remove(arrival.copy);
    return true;
  });
}

void finishStoresOf(Grid& grid, Warp& warp, LaneMask lanes) {
  if (grid.separate) return;
  const std::vector<u32>& pending = warp.copies.bulk;
  for (std::size_t i = 0; i < pending.size();) {
    const u32 number = pending[i];
    if (lanes.contains(grid.bulk[number].lane)) {
      finishBulk(grid, number);  // which takes it off the list
    } else {
      ++i;
    }
  }
}

void dropArrivals(Grid& grid, Block& block) {
  for (const BulkArrival& arrival : block.bulkArrivals) {
    BulkCopy& copy = grid.bulk[arrival.copy];
    copy.destinations[arrival.destination].isDone = true;
    if (isComplete(copy)) grid.bulk.remove(arrival.copy);
  }
  block.bulkArrivals.clear();
}

}  // namespace warpwright::exec
