#include "exec/operations/separate_access.hpp"

#include <algorithm>
#include <cstring>

#include "exec/dispatch.hpp"
#include "exec/operations/access.hpp"
#include "exec/step_recorder.hpp"

namespace warpwright::exec {
namespace {

constexpr u32 kMostAccessBytes = 16;

void loadPatched(Grid& grid, const Issue& issue, const LaneAddresses& addresses, LaneMask mask) {
  const Op& op = issue.op;
  u32* planes = registers(issue.warp, op.destinations[0]);
  // The address registers may be the destination: patches use the addresses, computed before.
  op.transfer(0, addresses, mask, op.elements, planes);
  if (grid.separate->stores.empty()) return;
  const u32 bytes = op.accessBytes();
  for (const LaneId lane : mask) {
    alignas(16) std::array<std::byte, kMostAccessBytes> data;
    const GlobalAddress address(addresses.lane[lane]);
    if (!grid.separate->stores.mayHold(address, bytes)) continue;
    std::memcpy(data.data(), GlobalMemory::hostPointer(address), bytes);
    if (!grid.separate->stores.patch(address, bytes, data.data())) continue;
    LaneAddresses one;
    one.lane[lane] = 0;
    op.transfer(reinterpret_cast<u64>(data.data()), one, LaneMask::of(lane), op.elements, planes);
  }
}

void storeBuffered(Grid& grid, const Issue& issue, const LaneAddresses& addresses, LaneMask mask) {
  const Op& op = issue.op;
  const u32 bytes = op.accessBytes();
  u32* planes = const_cast<u32*>(source(issue.warp, op.sources[1]));
  // Gathered by the transfer function itself, as if memory were here: lane l's bytes at l * bytes.
  alignas(64) std::array<std::byte, kMostAccessBytes * kMaxWarpSize> data;
  LaneAddresses packed;
  for (u32 lane = 0; lane < grid.lanes; ++lane) packed.lane[lane] = u64{lane} * bytes;
  packed.consecutive = true;
  op.transfer(reinterpret_cast<u64>(data.data()), packed, mask, op.elements, planes);
  bool isNew = false;
  for (const LaneId lane : mask) {
    if (isNew) break;
    std::array<std::byte, kMostAccessBytes> old;
    const GlobalAddress address(addresses.lane[lane]);
    std::memcpy(old.data(), GlobalMemory::hostPointer(address), bytes);
    grid.separate->stores.patch(address, bytes, old.data());
    isNew = std::memcmp(old.data(), data.data() + std::size_t{lane} * bytes, bytes) != 0;
  }
  grid.progress.changes += isNew;
  const auto store = [&](LaneId lane, u32 lanes) {
    grid.separate->stores.store(GlobalAddress(addresses.lane[lane]), lanes * bytes, data.data() + std::size_t{lane} * bytes);
  };
  for (LaneMask rest = mask; rest;) {
    const LaneId lane = rest.least();
    u32 lanes = 1;
    while (lane + lanes < grid.lanes && rest.contains(lane + lanes) &&
           addresses.lane[lane + lanes] == addresses.lane[lane] + u64{lanes} * bytes)
      ++lanes;
    store(lane, lanes);
    rest -= LaneMask::range(lane, lanes);
  }
}

}  // namespace

// The access at hand is one whose result comes with performAtomic() or performRemote().
bool isDeferred(const Grid& grid) {
  return grid.separate && (grid.separate->recorder->record().atomic || grid.separate->recorder->record().isRemote);
}

// What an atomic of this SM will change must not be read or written before: each thread sees its own effects in order.
bool awaitsAtomics(Grid& grid, const Issue& issue, const LaneAddresses& addresses) {
  if (!grid.separate || isAtomic(issue.op) || !grid.separate->atomics.mayTouch(addresses, issue.executing, issue.op.accessBytes()))
    return false;
  waitForSm(grid, issue);
  return true;
}

void waitForSm(Grid& grid, const Issue& issue) {
  StepRecord& record = grid.separate->recorder->record();
  record.awaitsAtomics = record.waits = true;
  unissue(grid, issue);
}

void performSeparately(Grid& grid, const Issue& issue, const LaneAddresses& addresses, LaneMask mask) {
  const Op& op = issue.op;
  if (op.handler == Handler::load) return loadPatched(grid, issue, addresses, mask);
  if (op.handler == Handler::store) return storeBuffered(grid, issue, addresses, mask);
  const u32 number = grid.separate->atomics.add();
  DeferredAtomic& atomic = grid.separate->atomics[number];
  atomic.op = &op;
  atomic.pc = issue.pc;
  atomic.block = issue.block.index;
  atomic.warp = &issue.warp;
  atomic.races = issue.block.races.get();
  atomic.mask = mask;
  atomic.addresses = addresses;
  const std::size_t words = std::size_t{grid.lanes} * ((op.accessBytes() + 3) / 4);
  std::copy_n(source(issue.warp, op.sources[1]), words, atomic.b.begin());
  if (op.sources[2].present) std::copy_n(source(issue.warp, op.sources[2]), words, atomic.c.begin());
  grid.separate->atomics.note(number);
  ++issue.warp.deferred;
  grid.separate->recorder->record().atomic = number;
}

void performAtomic(Grid& grid, u32 number) {
  const DeferredAtomic& atomic = grid.separate->atomics[number];
  const Op& op = *atomic.op;
  const u32* c = op.sources[2].present ? atomic.c.data() : nullptr;
  u32* result = op.destinations[0].present ? registers(*atomic.warp, op.destinations[0]) : nullptr;
  const bool changed = op.atomic(0, atomic.addresses, atomic.mask, atomic.b.data(), c, result, grid.lanes);
  grid.progress.changes += changed;
  if (changed) atomic.warp->hearNews();
  notePoll(grid, atomic.block, *atomic.warp, op, atomic.mask, atomic.addresses);
  --atomic.warp->deferred;
  if (grid.memory.tracksInitialisation()) {
    for (const LaneId lane : atomic.mask) grid.memory.markInitialised(GlobalAddress(atomic.addresses.lane[lane]), op.accessBytes());
  }
  if (atomic.races) {
    for (const LaneId lane : atomic.mask) atomic.races->acquire(atomic.warp->index, GlobalAddress(atomic.addresses.lane[lane]));
  }
  if (grid.issueEvents) raiseResult(grid, atomic.block, *atomic.warp, op, atomic.pc, atomic.mask);
  grid.separate->atomics.remove(number);
}

}  // namespace warpwright::exec
