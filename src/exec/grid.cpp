// Which block runs: one after another, but with as many resident as the machine holds, so that blocks may wait for each other.
//
// A turn of a block ends when it is done, after kBlockSlice warp instructions, or when all its paths wait or poll in vain. Then
// the next resident place gets a turn. A rotation is one turn of every place.
//
// When is a grid hung? As long as nothing outside it changes memory:
//   - a block in which every path waits at a barrier or for other lanes is stuck for good;
//   - a state of all resident warps (registers, predicates, paths) that comes back, with no store, memory-changing atomic, barrier,
//     exit, system call or clock read in between, will come back for ever. States are compared by 64-bit hashes at rotation ends. Only
//     what decides where control goes, and what it accesses, need come back (what_matters.hpp): a loop may count beside.
//   - Beyond such proof: kPollingLimit instructions in which every block only polls, or LaunchRequest::watchdogInstructions of any kind,
//     without a thread that exits or a barrier that opens.
// A grid of the second kind, or one that polls, may be helped from outside: it gives way to other launches and to the host (runGrid()), and
// is hung when nobody is left who could help. With others that are ready it gives way as soon as it waits, and after kPollingLimit
// instructions without an exit or a barrier.
#include <fmt/format.h>

#include <algorithm>

#include "base/demangle.hpp"
#include "exec/host_threads.hpp"
#include "exec/machine.hpp"

namespace warpwright::exec {
namespace {

constexpr u64 kBlockSlice = 1'000'000;
constexpr u64 kIdleSlice = 1 << 16;  // after a rotation without a change: soon all will be seen to come back
constexpr u64 kPollingLimit = u64{1} << 27;
constexpr u64 kDefaultWatchdog = u64{1} << 33;
constexpr u64 kProgressInterval = 4'000'000;  // warp instructions

u64 mixed(u64 hash, u64 value) {
  hash = (hash ^ value) * 0x9e37'79b9'7f4a'7c15;
  return hash ^ hash >> 32;
}

}  // namespace

// One more resident place. slot: its number among those of all SMs.
void Machine::addPlace(u32 slot) {
  blocks_.push_back(std::make_unique<Block>(shape_, slot, kernel_.pool(), reinterpret_cast<const u32*>(threadIds_.data())));
  occupied_.push_back(false);
  if (request_.checks.uninitialised) blocks_.back()->written = std::make_unique<WrittenMemory>(shape_);
  if (!races_) return;
  const BlockRaces::Shape shape{shape_.warps(), shape_.warpSize, kBarriers, !independent()};
  blocks_.back()->races = std::make_unique<BlockRaces>(*races_, shape);
}

Block& Machine::slot(u32 number) {
  while (blocks_.size() <= number) addPlace(static_cast<u32>(blocks_.size()));
  return *blocks_[number];
}

bool Machine::startNext(Block& block) {
  if (nextBlock_ == blockCount_) return false;
  block.start(nextBlock_++, request_.launch->grid, request_.launch->kernel->begin);
  occupied_[block.slot] = true;
  madeProgress();
  if (block.races) block.races->startBlock(block.index);
  if (request_.observer) request_.observer->blockBegins(block.index);
  return true;
}

void Machine::finish(Block& block, u32 place) {
  occupied_[place] = false;
  ++blocksDone_;
  if (request_.observer) request_.observer->blockEnds(block.index);
}

void Machine::reportProgress() {
  if (!request_.progress || instructions_ - lastReported_ < kProgressInterval) return;
  lastReported_ = instructions_;
  const std::string why = request_.progress({blocksDone_, blockCount_, instructions_});
  if (!why.empty())
    throw Fault{LaunchStatus::stopped,
                fmt::format("kernel '{}' is {}{}", demangled(request_.launch->kernel->name), why, whereThreadsWait())};
}

// True when the grid has ended, false when it waits.
bool Machine::runGrid(Patience patience) {
  const u64 resumed = instructions_;
  slice_ = kBlockSlice;
  repetition_.runs.clear();  // others may have changed memory meanwhile
  hostMayWrite_.reset();
  while (blocksDone_ < blockCount_) {
    const u64 before = changes_;
    const bool busy = rotate();
    if (blocksDone_ == blockCount_) break;
    const bool isIdle = changes_ == before;
    if (!isIdle) slice_ = kBlockSlice;
    if (isIdle && repeatsItself(patience)) return waits("the grid repeats the same state for ever");
    const u64 idle = instructions_ - lastProgress_;
    if (!busy && pollsInVain(idle, patience)) return waits("all threads keep polling");
    if (patience == Patience::none) {
      if (isIdle && !busy) return waits("all threads keep polling");
      if (instructions_ - std::max(resumed, lastProgress_) > kPollingLimit) return waits("threads keep running");
    }
    const u64 watchdog = request_.watchdogInstructions ? request_.watchdogInstructions : kDefaultWatchdog;
    if (idle > watchdog) hang("no thread exited and no barrier opened for " + std::to_string(idle) + " warp instructions");
  }
  return true;
}

bool Machine::waits(const char* why) {
  waitsBecause_ = why;
  return false;
}

// Whether a grid in which all threads poll gives way. Where nobody else can, a thread of the program may write what is polled. It may have
// done so, and ended, since the kernel looked: what counts is whether there was one before.
bool Machine::pollsInVain(u64 idle, Patience patience) {
  if (patience != Patience::utmost) return idle > kBlockSlice;
  if (!hostMayWrite_) hostMayWrite_ = hostMayWrite(memory_, 1);
  if (idle <= kPollingLimit) return false;
  // Lanes that wait for others of their warp may hold what those poll for, and the state need never repeat where they write to local
  // memory.
  if (!releaseWaiting()) {
    if (!*hostMayWrite_) return true;
    hostMayWrite_.reset();
  }
  lastProgress_ = instructions_;
  return false;
}

// One turn for every resident place. True when some block was stopped only by the end of its slice.
bool Machine::rotate() {
  const u64 places = u64{request_.limits.multiprocessors} * request_.limits.residentBlocksPerSm;
  bool busy = false;
  for (u64 number = 0; number < places; ++number) {
    if (number >= blocks_.size() && nextBlock_ == blockCount_) break;
    Block& block = slot(static_cast<u32>(number));
    if (!occupied_[number] && !startNext(block)) continue;
    TurnEnd end = runBlock(block);
    while (end == TurnEnd::finished) {
      finish(block, block.slot);
      reportProgress();
      if (!startNext(block)) break;
      end = runBlock(block);
    }
    busy |= end == TurnEnd::slice;
    reportProgress();
  }
  return busy;
}

Machine::TurnEnd Machine::runBlock(Block& block) {
  const u64 limit = instructions_ + slice_;
  const auto canRun = [](const Warp& warp) { return warp.canRun(); };
  const auto hasReady = [](const Warp& warp) { return warp.tree.hasReady(); };
  for (;;) {
    const u64 before = changes_;
    for (Warp& warp : block.warps) {
      if (!warp.tree.hasReady()) continue;
      if (issueEvents_) {
        runWarp<true>(block, warp);
      } else {
        runWarp<false>(block, warp);
      }
      if (!warp.tree.hasReady()) awaitNobody(warp);
    }
    if (block.liveThreads == 0) return TurnEnd::finished;
    const bool busy = std::any_of(block.warps.begin(), block.warps.end(), canRun);
    if (instructions_ >= limit) return busy ? TurnEnd::slice : TurnEnd::stuck;
    if (busy) continue;
    if (std::any_of(block.warps.begin(), block.warps.end(), hasReady)) {
      if (changes_ == before) return TurnEnd::stuck;
      continue;
    }
    hang("every thread of a block waits for another");
  }
}

// Independent threads meet where they can; where those that they would meet wait themselves, at a barrier or for lanes of their warp, they
// go on.
bool Machine::awaitNobody(Warp& warp) {
  return independent() && warp.tree.releaseWaiting([](u32) { return true; });
}

// Nothing has changed in a whole rotation: has the machine been in this state before, with no lanes left that could be let go?
bool Machine::repeatsItself(Patience patience) {
  slice_ = kIdleSlice;
  Repetition& seen = repetition_;
  const StateHash state = stateHash();
  const auto keep = [&](u64 power) { seen = {state, runs_, 0, power, changes_, hostMayWrite(memory_, 1)}; };
  if (seen.changes != changes_ || seen.runs.empty()) {
    keep(1);
  } else if (comesBack(state)) {
    if (releaseWaiting()) return false;
    if (patience != Patience::utmost || !seen.hostMayWrite) return true;
    keep(1);
  } else if (++seen.steps >= seen.power) {
    keep(2 * seen.power);
  }
  return false;
}

// In all that matters for the instructions executed since.
bool Machine::comesBack(const StateHash& state) const {
  const StateHash& before = repetition_.state;
  if (state.paths != before.paths) return false;
  if (state.places == before.places) return true;
  std::vector<u32> executed;
  u64 now = 0, then = 0;  // issues of an instruction
  for (u32 pc = 0; pc < runs_.size(); ++pc) {
    now += runs_[pc].warps;
    then += repetition_.runs[pc].warps;
    if (now != then) executed.push_back(pc);
  }
  const Places matters = whatMatters(executed, request_.launch->program->program);
  for (u32 place = 0; place < matters.size(); ++place)
    if (matters[place] && state.places[place] != before.places[place]) return false;
  return true;
}

Machine::StateHash Machine::stateHash() const {
  StateHash hash{nextBlock_, {}};
  for (std::size_t number = 0; number < blocks_.size(); ++number) {
    if (!occupied_[number]) continue;
    for (const Warp& warp : blocks_[number]->warps) {
      if (warp.tree.finished()) continue;
      for (const Path& path : warp.tree.paths())
        hash.paths = mixed(mixed(hash.paths, path.mask.bits()), u64{path.pc} << 32 | path.node << 2 | static_cast<u32>(path.state));
      hash.paths = mixed(hash.paths, warp.tree.waiting().bits());
      for (u32 i = 0; i < warp.predicates.size(); ++i)
        hash.places[kPredicatesFrom + i] = mixed(hash.places[kPredicatesFrom + i], warp.predicates[i].bits());
      for (u32 i = 0; i < shape_.registers; ++i) {
        const u32* const plane = warp.state.registers + std::size_t{i} * lanes_;
        for (u32 lane = 0; lane < lanes_; ++lane) hash.places[i] = mixed(hash.places[i], plane[lane]);
      }
    }
  }
  return hash;
}

}  // namespace warpwright::exec
