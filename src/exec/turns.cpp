// Which block runs: one after another, but with as many resident as the machine holds, so that blocks may wait for each other.
//
// A turn of a block ends when it is done, after kBlockSlice warp instructions, or when all its paths wait or poll in vain. Then
// the next slot gets a turn. A rotation is one turn of every slot. The blocks of a cluster have slots side by side, begin together, and
// take turns among themselves until one has used up its own or none gets further: theirs is the turn of the cluster.
//
// When is a grid hung? As long as nothing outside it changes memory:
//   - a block in which every path waits at a barrier or for other lanes is stuck for good; in a cluster, all of its blocks must be so;
//   - a state of all resident warps (registers, predicates, paths) that comes back, with no store, memory-changing atomic, barrier,
//     exit, system call or clock read in between, will come back for ever. States are compared by 64-bit hashes at rotation ends. Only
//     what decides where control goes, and what it accesses, need come back (what_matters.hpp): a loop may count beside.
//   - Beyond such proof: kPollingLimit instructions in which every block only polls, or LaunchRequest::watchdogInstructions of any kind,
//     without a thread that exits or a barrier that opens.
// A grid of the second kind, or one that polls, may be helped from outside: it gives way to other launches and to the host (runGrid()), and
// is hung when nobody is left who could help. With others that are ready it gives way as soon as it waits, and after kPollingLimit
// instructions without an exit or a barrier.
#include "exec/turns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/demangle.hpp"
#include "exec/bulk_transfer.hpp"
#include "exec/dispatch.hpp"
#include "exec/hang.hpp"
#include "exec/host_threads.hpp"

namespace warpwright::exec {
namespace {

constexpr u64 kBlockSlice = 1'000'000;
constexpr u64 kIdleSlice = 1 << 16;  // after a rotation without a change: soon all will be seen to come back
constexpr u64 kPollingLimit = u64{1} << 27;
constexpr u64 kDefaultWatchdog = u64{1} << 33;
constexpr u64 kProgressInterval = 4'000'000;  // warp instructions

// stuck: every path waits or polls; waits: none polls. Of several blocks the last of these that one has.
enum class TurnEnd : u8 { finished, waits, stuck, slice };

u64 mixed(u64 hash, u64 value) {
  hash = (hash ^ value) * 0x9e37'79b9'7f4a'7c15;
  return hash ^ hash >> 32;
}

Block& blockIn(Grid& grid, u32 number) {
  while (grid.blocks.slots.size() <= number) addBlockSlot(grid, static_cast<u32>(grid.blocks.slots.size()));
  return *grid.blocks.slots[number];
}

// The cluster whose blocks have the slots from this one on; null: it is one block.
Cluster* clusterIn(Grid& grid, u64 first) {
  const u32 size = grid.clusters.blocks();
  if (size == 1) return nullptr;
  std::vector<std::unique_ptr<Cluster>>& clusters = grid.blocks.clusters;
  while (clusters.size() <= first / size) clusters.push_back(std::make_unique<Cluster>());
  *clusters[first / size] = {};
  return clusters[first / size].get();
}

bool isOccupied(const Grid& grid, u64 first) {
  const u64 end = std::min<u64>(grid.blocks.occupied.size(), first + grid.clusters.blocks());
  for (u64 number = first; number < end; ++number)
    if (grid.blocks.occupied[number]) return true;
  return false;
}

bool startNext(Grid& grid, u64 first) {
  if (grid.blocks.next == grid.blocks.count) return false;
  Cluster* const cluster = clusterIn(grid, first);
  for (u32 rank = 0; rank < grid.clusters.blocks(); ++rank) {
    Block& block = blockIn(grid, static_cast<u32>(first + rank));
    beginBlock(grid, block, BlockSlotId{block.slot}, blockAt(grid.request, grid.blocks.next++), cluster);
  }
  madeProgress(grid);
  return true;
}

void reportProgress(Grid& grid) {
  if (!grid.request.progress || grid.progress.instructions - grid.progress.lastReported < kProgressInterval) return;
  grid.progress.lastReported = grid.progress.instructions;
  const std::string why = grid.request.progress({grid.blocks.done, grid.blocks.count, grid.progress.instructions});
  if (!why.empty())
    throw Fault{LaunchStatus::stopped,
                fmt::format("kernel '{}' is {}{}", demangled(grid.request.launch->kernel->name), why, whereThreadsWait(grid))};
}

bool waits(Grid& grid, const char* why) {
  grid.progress.waitsBecause = why;
  return false;
}

// Whether a grid in which all threads poll gives way. Where nobody else can, a thread of the program may write what is polled. It may have
// done so, and ended, since the kernel looked: what counts is whether there was one before.
bool pollsInVain(Grid& grid, u64 idle, Patience patience) {
  if (patience != Patience::utmost) return idle > kBlockSlice;
  if (!grid.progress.hostMayWrite) grid.progress.hostMayWrite = hostMayWrite(grid.memory, 1);
  if (idle <= kPollingLimit) return false;
  // Lanes that wait for others of their warp may hold what those poll for, and the state need never repeat where they write to local
  // memory.
  if (!releaseWaiting(grid)) {
    if (!*grid.progress.hostMayWrite) return true;
    grid.progress.hostMayWrite.reset();
  }
  grid.progress.last = grid.progress.instructions;
  return false;
}

TurnEnd runBlock(Grid& grid, Block& block) {
  const u64 limit = grid.progress.instructions + grid.progress.slice;
  const auto canRun = [](const Warp& warp) { return warp.canRun(); };
  const auto hasReady = [](const Warp& warp) { return warp.tree.hasReady(); };
  for (;;) {
    const u64 before = grid.progress.changes;
    for (Warp& warp : block.warps) {
      if (!warp.tree.hasReady()) continue;
      if (grid.issueEvents) {
        runWarp<true>(grid, block, warp);
      } else {
        runWarp<false>(grid, block, warp);
      }
      if (!warp.tree.hasReady()) awaitNobody(grid, warp);
    }
    if (block.liveThreads == 0) return TurnEnd::finished;
    const bool busy = std::any_of(block.warps.begin(), block.warps.end(), canRun);
    if (grid.progress.instructions >= limit) return busy ? TurnEnd::slice : TurnEnd::stuck;
    if (busy) continue;
    if (std::any_of(block.warps.begin(), block.warps.end(), hasReady)) {
      if (grid.progress.changes == before) return TurnEnd::stuck;
      continue;
    }
    return TurnEnd::waits;
  }
}

// One turn for each block of the cluster whose slots begin there.
TurnEnd runEachBlock(Grid& grid, u64 first) {
  TurnEnd all = TurnEnd::finished;
  for (u64 number = first; number < first + grid.clusters.blocks(); ++number) {
    if (!grid.blocks.occupied[number]) continue;
    Block& block = *grid.blocks.slots[number];
    const TurnEnd end = runBlock(grid, block);
    if (end == TurnEnd::finished) finish(grid, block, BlockSlotId{block.slot});
    all = std::max(all, end);
  }
  return all;
}

TurnEnd runCluster(Grid& grid, u64 first) {
  const bool isOneBlock = grid.clusters.blocks() == 1;
  const u64 limit = grid.progress.instructions + grid.progress.slice;
  for (;;) {
    const u64 before = grid.progress.changes;
    const TurnEnd end = runEachBlock(grid, first);
    const bool isIdle = isOneBlock || grid.progress.changes == before;
    if (end == TurnEnd::waits && isIdle)
      hang(grid, isOneBlock ? "every thread of a block waits for another" : "every thread of a cluster waits for another");
    if (end == TurnEnd::finished || end == TurnEnd::slice || isIdle) return end;
    reportProgress(grid);
    if (grid.progress.instructions >= limit) return TurnEnd::slice;
  }
}

// One turn for every cluster of slots. True when some block was stopped only by the end of its slice.
bool rotate(Grid& grid) {
  const u64 slots = u64{grid.request.limits.multiprocessors} * grid.request.limits.residentBlocksPerSm;
  bool busy = false;
  for (u64 first = 0; first + grid.clusters.blocks() <= slots; first += grid.clusters.blocks()) {
    if (first >= grid.blocks.slots.size() && grid.blocks.next == grid.blocks.count) break;
    if (!isOccupied(grid, first) && !startNext(grid, first)) continue;
    TurnEnd end = runCluster(grid, first);
    while (end == TurnEnd::finished) {
      reportProgress(grid);
      if (!startNext(grid, first)) break;
      end = runCluster(grid, first);
    }
    busy |= end == TurnEnd::slice;
    reportProgress(grid);
  }
  return busy;
}

// In all that matters for the instructions executed since.
bool comesBack(const Grid& grid, const StateHash& state) {
  const StateHash& before = grid.progress.repetition.state;
  if (state.paths != before.paths) return false;
  if (state.locations == before.locations) return true;
  std::vector<Pc> executed;
  u64 now = 0, then = 0;  // issues of an instruction
  for (Pc pc{0}; pc < grid.runs.size(); ++pc) {
    now += grid.runs[pc].warps;
    then += grid.progress.repetition.runs[pc].warps;
    if (now != then) executed.push_back(pc);
  }
  const Locations matters = whatMatters(executed, grid.request.launch->program->program);
  for (u32 location = 0; location < matters.size(); ++location)
    if (matters[location] && state.locations[location] != before.locations[location]) return false;
  return true;
}

StateHash stateHash(const Grid& grid) {
  StateHash hash{grid.blocks.next, {}};
  for (std::size_t number = 0; number < grid.blocks.slots.size(); ++number) {
    if (!grid.blocks.occupied[number]) continue;
    for (const Warp& warp : grid.blocks.slots[number]->warps) {
      if (warp.tree.finished()) continue;
      for (const Path& path : warp.tree.paths())
        hash.paths = mixed(mixed(hash.paths, path.mask.bits()), u64{path.pc} << 32 | path.node << 2 | static_cast<u32>(path.state));
      hash.paths = mixed(hash.paths, warp.tree.waiting().bits());
      for (u32 i = 0; i < warp.predicates.size(); ++i)
        hash.locations[kPredicatesFrom + i] = mixed(hash.locations[kPredicatesFrom + i], warp.predicates[i].bits());
      for (u32 i = 0; i < grid.shape.registers; ++i) {
        const u32* const plane = warp.state.registers + std::size_t{i} * grid.lanes;
        for (u32 lane = 0; lane < grid.lanes; ++lane) hash.locations[i] = mixed(hash.locations[i], plane[lane]);
      }
    }
  }
  return hash;
}

// Nothing has changed in a whole rotation: has the machine been in this state before, with no lanes left that could be let go?
bool repeatsItself(Grid& grid, Patience patience) {
  grid.progress.slice = kIdleSlice;
  Repetition& seen = grid.progress.repetition;
  const StateHash state = stateHash(grid);
  const auto keep = [&](u64 power) { seen = {state, grid.runs, 0, power, grid.progress.changes, hostMayWrite(grid.memory, 1)}; };
  if (seen.changes != grid.progress.changes || seen.runs.empty()) {
    keep(1);
  } else if (comesBack(grid, state)) {
    if (releaseWaiting(grid)) return false;
    if (patience != Patience::utmost || !seen.hostMayWrite) return true;
    keep(1);
  } else if (++seen.steps >= seen.power) {
    keep(2 * seen.power);
  }
  return false;
}

}  // namespace

void addBlockSlot(Grid& grid, u32 number) {
  grid.blocks.slots.push_back(
      std::make_unique<Block>(grid.shape, number, grid.kernel.pool(), reinterpret_cast<const u32*>(grid.threadIds.data())));
  grid.blocks.occupied.push_back(false);
  if (grid.request.checks.uninitialised) grid.blocks.slots.back()->written = std::make_unique<WrittenMemory>(grid.shape);
  if (!grid.races) return;
  const BlockRaces::Shape shape{grid.shape.warps(), grid.shape.warpSize, kBarriers, !independent(grid)};
  Block& block = *grid.blocks.slots.back();
  block.races = std::make_unique<BlockRaces>(*grid.races, shape);
  block.unfenced = InitialisationMap(block.sharedBytes);
}

void beginBlock(Grid& grid, Block& block, BlockSlotId slot, u64 order, Cluster* cluster) {
  const Launch& launch = *grid.request.launch;
  block.start(grid.clusters.blockAt(order), launch.grid, launch.kernel->begin);
  block.rank = grid.clusters.rankOf(block.position);
  block.cluster = cluster;
  if (cluster) cluster->blocks[block.rank] = &block;
  grid.blocks.occupied[slot] = true;
  if (block.races) block.races->startBlock(block.index, cluster != nullptr);
  if (grid.request.observer) grid.request.observer->blockBegins(block.index);
}

void finish(Grid& grid, Block& block, BlockSlotId slot) {
  grid.blocks.occupied[slot] = false;
  if (block.cluster) block.cluster->blocks[block.rank] = nullptr;
  ++grid.blocks.done;
  dropArrivals(grid, block);
  if (grid.request.observer) grid.request.observer->blockEnds(block.index);
}

// True when the grid has ended, false when it waits.
bool runGrid(Grid& grid, Patience patience) {
  const u64 resumed = grid.progress.instructions;
  grid.progress.slice = kBlockSlice;
  grid.progress.repetition.runs.clear();  // others may have changed memory meanwhile
  grid.progress.hostMayWrite.reset();
  while (grid.blocks.done < grid.blocks.count) {
    const u64 before = grid.progress.changes;
    const bool busy = rotate(grid);
    if (grid.blocks.done == grid.blocks.count) break;
    const bool isIdle = grid.progress.changes == before;
    if (!isIdle) grid.progress.slice = kBlockSlice;
    if (isIdle && repeatsItself(grid, patience)) return waits(grid, "the grid repeats the same state for ever");
    const u64 idle = grid.progress.instructions - grid.progress.last;
    if (!busy && pollsInVain(grid, idle, patience)) return waits(grid, "all threads keep polling");
    if (patience == Patience::none) {
      if (isIdle && !busy) return waits(grid, "all threads keep polling");
      if (grid.progress.instructions - std::max(resumed, grid.progress.last) > kPollingLimit) return waits(grid, "threads keep running");
    }
    const u64 watchdog = grid.request.watchdogInstructions ? grid.request.watchdogInstructions : kDefaultWatchdog;
    if (idle > watchdog) hang(grid, "no thread exited and no barrier opened for " + std::to_string(idle) + " warp instructions");
  }
  return true;
}

// Independent threads meet where they can; where those that they would meet wait themselves, at a barrier or for lanes of their warp, they
// go on.
bool awaitNobody(Grid& grid, Warp& warp) {
  return independent(grid) && warp.tree.releaseWaiting([](u32) { return true; });
}

}  // namespace warpwright::exec
