// cp.async and the operations on mbarrier objects.
#include "exec/operations/async.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "exec/bulk_transfer.hpp"
#include "exec/mbarrier.hpp"
#include "exec/operations/access.hpp"
#include "exec/operations/separate_access.hpp"

namespace warpwright::exec {
namespace {

using isa::MbarrierOp;
using isa::Space;

u64& wordAt(u64 base, SharedOffset offset) { return *reinterpret_cast<u64*>(base + offset); }

// May be on objects of other blocks of the cluster (PTX ISA, "mbarrier": .shared::cluster).
bool isForAllOfCluster(MbarrierOp operation) {
  return operation == MbarrierOp::arrive || operation == MbarrierOp::arriveDrop || operation == MbarrierOp::expectTx ||
         operation == MbarrierOp::completeTx;
}

bool isWait(MbarrierOp operation) { return operation == MbarrierOp::testWait || operation == MbarrierOp::tryWait; }

// Whether the source bytes of one lane's copy are accessible; a report where bounds are checked.
bool readSource(Grid& grid, const Issue& issue, LaneId lane, GlobalAddress address, u32 bytes) {
  const BadAccess access{BadAccess::Kind::load, Space::global, address, bytes, 0};
  if (!grid.memory.find(address, bytes)) {
    if (!grid.request.checks.bounds) return false;
    const auto describe = [&] { return outOfBounds(site(grid, issue), lane, access, grid.memory); };
    if (!grid.memory.holds(address, bytes)) throw describe();
    faultOrWarn(grid, issue.pc, LaunchStatus::illegalAddress, describe);
  }
  if (grid.request.checks.uninitialised && !grid.memory.wasWritten(address, bytes))
    faultOrWarn(grid, issue.pc, LaunchStatus::useOfUninitialised,
                [&] { return uninitialised(site(grid, issue), lane, access, grid.memory); });
  return true;
}

void raiseCopy(Grid& grid, const Issue& issue, Space space, const LaneAddresses& addresses, LaneMask mask) {
  if (mask.empty()) return;
  MemoryEvent event;
  event.warp = {issue.block.index, issue.warp.index};
  event.pc = issue.pc;
  event.instruction = issue.op.instruction;
  event.space = space;
  event.isLoad = space == Space::global;
  event.isStore = space == Space::shared;
  event.mask = mask;
  event.bytesPerLane = issue.op.accessBytes();
  event.addresses = addresses.lane;
  grid.request.observer->memory(event);
}

// Writes the copies of a warp for which done(copy) holds, in the order of their issue.
template <typename Done>
void finishCopies(Grid& grid, Block& block, Warp& warp, Done done) {
  std::vector<PendingCopy>& pending = warp.copies.pending;
  const auto write = [&](const PendingCopy& copy) {
    std::memcpy(reinterpret_cast<void*>(block.sharedBase() + copy.offset), copy.data.data(), copy.bytes);
    ++grid.progress.changes;
    if (block.written) block.written->shared.mark(copy.offset, copy.bytes);
    if (!block.races) return;
    LaneAddresses address;
    address.lane[copy.lane] = copy.offset;
    block.races->access(warp.index, {.pc = copy.pc, .inShared = true, .writes = true, .bytes = copy.bytes}, address,
                        LaneMask::of(copy.lane));
  };
  std::erase_if(pending, [&](const PendingCopy& copy) {
    if (!done(copy)) return false;
    write(copy);
    return true;
  });
}

void tooMany(const Grid& grid, const Issue& issue, LaneId lane, const Mbarrier& barrier) {
  fault(site(grid, issue), lane, LaunchStatus::illegalInstruction,
        fmt::format("an mbarrier object gets more than it can count: {} of {} arrivals and {} bytes are pending in this phase",
                    barrier.pending(), barrier.expected(), barrier.transactions()),
        "let as many threads arrive in a phase as mbarrier.init said, and wait for its end before the next");
}

// Copies whose completion was to arrive at the object are done now, and have arrived.
void finishArrivals(Grid& grid, const Issue& issue, u64 base, SharedOffset offset) {
  std::vector<PendingArrival>& arrivals = issue.block.arrivals;
  if (arrivals.empty()) return;
  std::erase_if(arrivals, [&](const PendingArrival& arrival) {
    if (arrival.offset != offset) return false;
    Warp& warp = issue.block.warps[arrival.warp];
    finishCopies(grid, issue.block, warp,
                 [&](const PendingCopy& copy) { return copy.lane == arrival.lane && copy.serial <= arrival.serial; });
    if (issue.block.races) issue.block.races->releaseObject(arrival.warp, *issue.block.races, offset);
    Mbarrier barrier(wordAt(base, offset));
    if (!barrier.arrive(1)) tooMany(grid, issue, arrival.lane, barrier);
    wordAt(base, offset) = barrier.word();
    ++grid.progress.changes;
    return true;
  });
}

}  // namespace

void copyAsync(Grid& grid, const Issue& issue) {
  Op& op = issue.op;
  const u32 bytes = op.accessBytes();
  LaneAddresses to, from;
  const u32* low = op.addressWords ? source(issue.warp, op.sources[0]) : nullptr;
  grid.addresses(low, op.addressWords == 2 ? low + grid.lanes : nullptr, op.offset, op.wraps, bytes, issue.executing, to);
  const u32* fromLow = source(issue.warp, op.sources[1]);
  grid.addresses(fromLow, grid.addressBits == 64 ? fromLow + grid.lanes : nullptr, 0, grid.addressBits == 32, bytes, issue.executing, from);
  if (awaitsAtomics(grid, issue, from)) return;
  checkAlignment(grid, issue, Space::shared, to, issue.executing);
  checkAlignment(grid, issue, Space::global, from, issue.executing);
  const LaneMask mask = checkLimit(grid, issue, Space::shared, to, issue.executing, issue.block.sharedBytes);
  if (mask.empty()) return;
  const u32* sizes = op.sources[2].present ? source(issue.warp, op.sources[2]) : nullptr;
  AsyncCopies& copies = issue.warp.copies;
  LaneMask reading;
  ++copies.serial;
  ++grid.progress.changes;
  for (const LaneId lane : mask) {
    const u32 wanted = sizes ? std::min(sizes[lane], bytes) : bytes;
    PendingCopy copy{lane, copies.groups[lane], copies.serial, issue.pc, SharedOffset(to.lane[lane]), bytes, {}};
    const GlobalAddress address(from.lane[lane]);
    if (wanted && readSource(grid, issue, lane, address, wanted)) {
      std::memcpy(copy.data.data(), GlobalMemory::hostPointer(address), wanted);
      if (grid.separate) grid.separate->stores.patch(address, wanted, copy.data.data());
      reading.insert(lane);
    }
    copies.pending.push_back(copy);
  }
  if (issue.block.races) issue.block.races->access(issue.warp.index, {.pc = issue.pc, .bytes = bytes}, from, reading);
  if (!grid.request.observer) return;
  raiseCopy(grid, issue, Space::global, from, reading);
  raiseCopy(grid, issue, Space::shared, to, mask);
}

void finishCopiesOf(Grid& grid, Block& block, Warp& warp, LaneMask lanes) {
  if (warp.copies.pending.empty()) return;
  finishCopies(grid, block, warp, [&](const PendingCopy& copy) { return lanes.contains(copy.lane); });
}

void commitCopies(Grid& grid, const Issue& issue) {
  ++grid.progress.changes;
  for (const LaneId lane : issue.executing) ++issue.warp.copies.groups[lane];
}

// wait_group: all but the thread's last n groups; wait_all: everything, committed or not.
void waitForCopies(Grid& grid, const Issue& issue) {
  const LaneOperand& allowed = issue.op.sources[0];
  if (!allowed.present) return finishCopiesOf(grid, issue.block, issue.warp, issue.executing);
  const u32* counts = source(issue.warp, allowed);
  const AsyncCopies& copies = issue.warp.copies;
  finishCopies(grid, issue.block, issue.warp, [&](const PendingCopy& copy) {
    return issue.executing.contains(copy.lane) && u64{copy.group} + counts[copy.lane] < copies.groups[copy.lane];
  });
}

void mbarrier(Grid& grid, const Issue& issue, Block& home, const LaneAddresses& addresses, LaneMask mask, const KeptSources* kept) {
  const Op& op = issue.op;
  const isa::Modifiers& modifiers = op.instruction->modifiers;
  const MbarrierOp operation = modifiers.mbarrier;
  const u64 base = home.sharedBase();
  if (&home != &issue.block && !isForAllOfCluster(operation)) {
    fault(site(grid, issue), mask.least(), LaunchStatus::illegalAddress, "this operation on an mbarrier object of another block",
          "let threads of its own block initialise it and wait for it; others of the cluster may arrive");
  }
  const u32* counts = !op.sources[2].present ? nullptr : kept ? kept->c.data() : source(issue.warp, op.sources[2]);
  const u32* states = op.sources[1].present ? source(issue.warp, op.sources[1]) : nullptr;
  LaneMask done;
  for (const LaneId lane : mask) {
    const SharedOffset offset(addresses.lane[lane]);
    if (isWait(operation)) finishArrivals(grid, issue, base, offset);
    Mbarrier barrier(wordAt(base, offset));
    const u64 before = barrier.word();
    const u32 count = counts ? counts[lane] : 0;
    if (operation != MbarrierOp::init && !barrier.lives()) {
      fault(site(grid, issue), lane, LaunchStatus::illegalInstruction,
            fmt::format("no mbarrier object at shared address {:#x}", u64{offset}),
            "one thread must execute mbarrier.init, and a barrier must follow, before others use it");
    }
    bool fits = true;
    switch (operation) {
      case MbarrierOp::init:
        if (count == 0 || count > Mbarrier::kMostArrivals) {
          fault(site(grid, issue), lane, LaunchStatus::illegalInstruction, fmt::format("mbarrier.init with a count of {}", count),
                fmt::format("give a count from 1 to {}", Mbarrier::kMostArrivals));
        }
        std::erase_if(issue.block.arrivals, [&](const PendingArrival& arrival) { return arrival.offset == offset; });
        barrier = Mbarrier::initialised(count);
        break;
      case MbarrierOp::inval:
        barrier = Mbarrier(0);
        break;
      case MbarrierOp::arrive:
        if (modifiers.expectsTx) fits = barrier.addTransactions(count);
        fits = fits && barrier.arrive(modifiers.expectsTx ? 1 : count);
        break;
      case MbarrierOp::arriveDrop:
        if (modifiers.expectsTx) fits = barrier.addTransactions(count);
        fits = fits && barrier.arriveAndDrop(modifiers.expectsTx ? 1 : count);
        break;
      case MbarrierOp::expectTx:
        fits = barrier.addTransactions(count);
        break;
      case MbarrierOp::completeTx:
        fits = barrier.addTransactions(-s64{count});
        break;
      case MbarrierOp::asyncArrive:
        if (modifiers.increments) fits = barrier.expect(1);
        issue.block.arrivals.push_back({issue.warp.index, lane, issue.warp.copies.serial, offset});
        break;
      case MbarrierOp::testWait:
      case MbarrierOp::tryWait: {
        const u64 state = modifiers.parity ? 0 : wide(grid, states, lane);
        const auto isOver = [&] { return modifiers.parity ? barrier.hasCompletedParity((count & 1) != 0) : barrier.hasCompleted(state); };
        if (!isOver() && !grid.separate && !issue.block.bulkArrivals.empty()) {
          completePhase(grid, issue.block, offset);
          barrier = Mbarrier(wordAt(base, offset));
        }
        const bool complete = isOver();
        if (complete) done.insert(lane);
        if (complete && issue.block.races) issue.block.races->acquireObject(issue.warp.index, offset);
        break;
      }
    }
    if (!fits) tooMany(grid, issue, lane, barrier);
    if (op.destinations[0].present) {
      u32* plane = registers(issue.warp, op.destinations[0]);
      plane[lane] = static_cast<u32>(before);
      plane[grid.lanes + lane] = static_cast<u32>(before >> 32);
    }
    if (isWait(operation)) continue;
    if (issue.block.races) issue.block.races->releaseObject(issue.warp.index, *home.races, offset);
    wordAt(base, offset) = barrier.word();
    ++grid.progress.changes;
  }
  setPredicate(issue.warp, op.destinations[1], mask, done);
  // A wait in vain lets other paths and warps run; whether it can ever succeed is for the search for repeated states (turns.cpp).
  if (!isWait(operation) || done == mask) return issue.warp.hearNews();
  issue.warp.polls = grid.request.limits.pollsBeforeYield;
}

}  // namespace warpwright::exec
