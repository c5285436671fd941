// Where an SM of a timed machine gets the instructions of its warps from, and hears what they did: the functional machine
// (exec/stepper.hpp), which executes them, or a launch that was executed elsewhere, of which only that is known.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/time.hpp"
#include "exec/launch.hpp"
#include "exec/tensor_tile.hpp"
#include "isa/address_space.hpp"

namespace warpwright::exec {

struct Cluster;

enum class WarpState : u8 {
  ready,
  serial,    // ready, but the next instruction must be stepped while no other SM runs
  barrier,   // waits at barriers
  lanes,     // waits for lanes of its own that will not come before something else happens
  finished,  // all threads exited
};

struct NextInstruction {
  WarpState state = WarpState::finished;
  Pc pc;  // ready, serial
};

// One space's part of a warp-wide access. addresses: one a lane (those of MemoryEvent); texels: see TexelEvent.
struct AccessRecord {
  isa::Space space = isa::Space::global;
  bool isLoad = false, isStore = false, isAtomic = false, isTexel = false;
  u32 bytes = 0;  // at each address
  LaneMask mask;
  u32 count = 0;                    // of addresses; texels and prefetches of so many bytes only
  Spread spread = Spread::unknown;  // of the addresses
  std::span<const u64> addresses;
  const u32* values = nullptr;  // registers, [word][lane]: what was stored or loaded; null for everything else
  bool isPrefetch = false;      // asks for what is there, and changes nothing: in a record alone, as observers do not hear of it
};

// A bulk copy that begins: from global to shared memory, the other way, or between blocks, which touches no global memory.
struct BulkRecord {
  u32 number = 0;
  bool isStore = false;
  bool isRemote = false;  // another block of the cluster gets bytes
  u32 bytes = 0;          // of shared memory
  std::span<const GlobalRun> runs;
};

// Instructions behind a step's own that it has executed, too: see WarpSource::runAhead().
struct ExecutedAhead {
  u32 count = 0;
  LaneMask lanes;          // that have executed them
  NextInstruction behind;  // of the warp, behind them
};

// What the last step() did.
struct StepRecord {
  Pc pc;
  const isa::Instruction* instruction = nullptr;
  LaneMask active, executing;
  u32 branchTargets = 0;             // 0: no branch; above 1: it diverged
  bool jumped = false;               // the warp's next instruction is not the one behind this
  bool waits = false;                // it has to wait for other lanes and will be stepped again
  bool awaitsAtomics = false;        // it awaits an atomic or a bulk copy of this SM: step it again after performAtomic(), or finishBulk()
  bool releasesOthers = false;       // other warps of the block may have become ready
  bool barrierOpened = false;        // … a barrier of theirs among them
  bool abandoned = false;            // a speculative helper: what would have been a fault has ended it, and its results are not there
  std::optional<u32> atomic;         // to be performed: performAtomic()
  std::span<const BulkRecord> bulk;  // to be finished: finishBulk()
  bool isRemote = false;             // accesses shared memory of other SMs: performRemote()
  std::array<u8, isa::kMostClusterBlocks> remoteLanes{};  // isRemote: lanes that go to the block with a rank
  NextInstruction next;                                   // of the warp, as next() gives it but for `ahead`
  ExecutedAhead ahead;
  u32 accessCount = 0;
  static constexpr u32 kMostAccesses = 5;  // a generic access may touch every space
  std::array<AccessRecord, kMostAccesses> accesses;
};

struct StepFault {
  LaunchStatus status;
  std::string message;
  std::optional<LaneId> lane;  // of the warp, whose fault it is
  u64 address = 0;             // of its access, in its space; 0: it is no access
};

// The blocks of a launch on one SM. Each SM has a source of its own for each launch; several of them may run in parallel.
class WarpSource {
 public:
  virtual ~WarpSource() = default;

  // Makes a block resident in a free slot (from 0 up to the request's residentBlocksPerSm): the one that begins as this one, see
  // ClusterShape. cluster: that it is in; null: it is one alone.
  virtual void start(BlockSlotId slot, u64 block, Cluster* cluster = nullptr) = 0;
  virtual bool isFinished(BlockSlotId slot) const = 0;  // all its threads exited
  // The block is finished, and nothing that it began is under way: its slot may be made ready for the next one. It need not be asked.
  virtual void clear(BlockSlotId /*slot*/) {}

  virtual NextInstruction next(BlockSlotId slot, u32 warp) = 0;
  // Executes the instruction that next() gave; now: %clock. Null: the grid is at fault, see fault().
  virtual const StepRecord* step(BlockSlotId slot, u32 warp, Cycle now) = 0;
  // From now on a step may also execute what follows in a straight line and reads and writes the warp's own registers alone, without
  // guards, by the lanes that are active (StepRecord::ahead). Those instructions are not to be stepped: next() gives the one behind them.
  // keepsValues: not behind an access, whose values (AccessRecord::values) might be overwritten before they are looked at.
  virtual void runAhead(bool /*keepsValues*/) {}
  // So many of them, the last ones, are not issued before the launch ends, and do not count.
  virtual void takeBack(BlockSlotId /*slot*/, u32 /*warp*/, u32 /*instructions*/) {}
  virtual const std::optional<StepFault>& fault() const = 0;

  // A line for each group of resident threads, with what they wait for and where, and why a block makes no progress, if none does; each
  // begins with a line break.
  virtual std::string whereThreadsWait() const = 0;

  // Counts what threads may have waited for: what changed in memory, barriers that opened, threads that ended, looks at a clock.
  virtual u64 changes() const = 0;
  // From now on, or no longer: follows the warps and their helpers, to find those that go in a circle.
  virtual void watch(bool on) = 0;
  // While they are followed, of each warp before isStuck() is asked, and at the beginning: whether it waits for nothing but an issue slot.
  virtual void waitsForSlot(BlockSlotId slot, u32 warp, bool waits) = 0;
  // Since watch(true): every thread waits for another, or for a helper, or goes in a circle without an effect, and so do helpers; or it has
  // waited for an issue slot all the time, while helpers went in a circle. Where that holds of all threads that share the memory, and
  // nothing has changed since then, none of them ever gets further.
  virtual bool isStuck() = 0;
  // Of resident blocks, that have yet to exit, or have a helper that goes in a circle.
  virtual bool hasThreads() const = 0;
  // Where a helper is that goes in a circle; empty: none does.
  virtual std::string circlingRoutine() const = 0;
  // Lets lanes go on that wait for others of their warp, which may be what the others wait for. False when there are none.
  virtual bool releaseWaiting() = 0;

  virtual bool hasStores() const = 0;  // that are buffered
  // Only while no SM runs.
  virtual void publishStores() = 0;
  virtual void performAtomic(u32 atomic) = 0;
  // A store has read its source; a copy is complete. False: the grid is at fault.
  virtual void bulkSourceRead(u32 /*bulk*/) {}
  virtual bool finishBulk(u32 /*bulk*/, u64 /*now*/) { return true; }

  // Counts of this SM; message and status when fault().
  virtual LaunchResult result() = 0;
};

// A launch that was executed elsewhere.
class RecordedLaunch {
 public:
  virtual ~RecordedLaunch() = default;
  // An SM's part of it, which it must outlive. request.observer hears of memory, branches and blocks.
  virtual std::unique_ptr<WarpSource> play(const LaunchRequest& request, SmId sm) const = 0;
};

}  // namespace warpwright::exec
