// A launch driven one warp instruction at a time: what a timed machine needs of the functional one. Each SM has a Stepper of its own for
// each launch; several of them may run in parallel.
//
// What an SM does to global memory is seen by the others later, so that the order in which SMs are simulated cannot matter:
//   - stores are buffered, seen by the SM's own loads, and become visible with publishStores();
//   - atomics take effect in performAtomic(), when the memory system says so; until then their result registers keep old values;
//   - system calls (malloc, printf, …) and writes to surfaces are `serial`: step() them while nothing else runs.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/time.hpp"
#include "exec/launch.hpp"

namespace warpwright::exec {

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

// What the last step() did.
struct StepRecord {
  Pc pc;
  const isa::Instruction* instruction = nullptr;
  LaneMask active, executing;
  u32 branchTargets = 0;        // 0: no branch; above 1: it diverged
  bool jumped = false;          // the warp's next instruction is not the one behind this
  bool waits = false;           // it has to wait for other lanes and will be stepped again
  bool awaitsAtomics = false;   // it touches what an atomic of this SM will change first: step it again after performAtomic()
  bool releasesOthers = false;  // other warps of the block may have become ready
  bool barrierOpened = false;   // … a barrier of theirs among them
  bool abandoned = false;       // a speculative helper: what would have been a fault has ended it, and its results are not there
  std::optional<u32> atomic;    // to be performed: performAtomic()
  NextInstruction next;         // of the warp, as next() gives it
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

// Throws Error when helpers cannot execute the routine, a function of the program: it, or what it calls, has barriers, system calls,
// atomics, asynchronous copies, writes to surfaces, indirect calls, recursion or local memory of its own.
void checkRoutine(const isa::Program& program, const isa::Function& routine);

// Memory of the helpers of a warp, which they load from and store to as shared memory.
struct HelperMemory {
  u32 offset = 0;  // in shared memory
  std::span<std::byte> bytes;
  u32 tableOffset = 0;  // of what those of all warps of the block share
};

// … of all helpers of a block.
struct BlockHelperMemory {
  std::span<const std::byte> table, buffers;  // buffers: of its warps, one behind the other
  u32 bufferBytes = 0;                        // of a warp
};

class Stepper {
 public:
  // Throws Error for a request that no machine could run. request.observer hears of this SM's events. clockKhz: of %globaltimer.
  Stepper(const LaunchRequest& request, GlobalMemory& memory, SmId sm, u64 clockKhz);
  ~Stepper();
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  u32 warpsPerBlock() const;
  // Makes a block resident in a free slot (from 0 up to the request's residentBlocksPerSm).
  void start(BlockSlotId slot, u64 block);
  bool isFinished(BlockSlotId slot) const;  // all its threads exited

  NextInstruction next(BlockSlotId slot, u32 warp);
  // Executes the instruction that next() gave; now: %clock. Null: the grid is at fault, see fault().
  const StepRecord* step(BlockSlotId slot, u32 warp, Cycle now);
  const std::optional<StepFault>& fault() const;
  // Forgets the fault of the warp, which executes the instruction again, or goes on behind it. Nothing has come of it and nobody counts it.
  void resume(BlockSlotId slot, u32 warp, bool behind);
  // With the next publishStores(), memory of the host is accessible there, if there is any and the device has it not.
  void map(GlobalAddress page, u32 bytes);

  // Helpers of a warp: routines of the program that execute beside it, for a mechanism of the machine. A helper has the block, the warp
  // number and the thread numbers of its warp, all lanes of `lanes` whatever that has of them, and registers of its own behind those of
  // the kernel: nothing is begun when LaunchRequest::extraRegisters leaves no room for them. It is in no barrier, no count of threads or
  // instructions, and no observer hears of it. A speculative one does no harm: a load without memory gives 0, a store does nothing but in
  // helperMemory(), and what else would be a fault ends it. Throws Error for a routine that cannot be one: see checkRoutine(). Its warp's
  // block must not end before it. place: of its first register among those behind the kernel's, where nothing is begun while another
  // helper of the warp has one of them; none: wherever there is room.
  std::optional<u32> beginHelper(BlockSlotId slot, u32 warp, const isa::Function& routine, LaneMask lanes, bool speculative,
                                 std::optional<u32> place = std::nullopt);
  // Between registers of the warp and of the helper, all lanes of the helper's; in: to the helper.
  void copyRegister(u32 helper, u32 parentRegister, u32 helperRegister, bool in);
  // A register of the helper, a value for each lane that the layout has (layoutLanes): it may be read and written between its instructions.
  std::span<u32> helperRegister(u32 helper, u32 helperRegister);
  // What the helpers of its warp share beside registers (LaunchRequest::helperBytes, helperTableBytes).
  HelperMemory helperMemory(u32 helper);
  // … and those of all warps of a block.
  BlockHelperMemory helperMemoryOf(BlockSlotId slot) const;
  // As next() and step(), whose record this changes; serial and barrier never occur.
  NextInstruction nextHelper(u32 helper);
  const StepRecord* stepHelper(u32 helper, Cycle now);
  void endHelper(u32 helper);  // wherever it is
  // The routine of the helper and its place: "'spin' at routines.ptx:9".
  std::string whereHelperIs(u32 helper) const;
  // A register of a warp, as helperRegister() has those of helpers.
  std::span<const u32> warpRegister(BlockSlotId slot, u32 warp, u32 number) const;
  // The first register behind the kernel's, of any warp.
  u32 firstSpareRegister() const;
  // The warp executes nothing, from now on or no longer, until a helper of the SM has ended.
  void hold(BlockSlotId slot, u32 warp, bool on);

  // A line for each group of resident threads, with what they wait for and where, and why a block makes no progress, if none does; each
  // begins with a line break.
  std::string whereThreadsWait() const;

  // Counts what threads may have waited for: what changed in memory, barriers that opened, threads that ended, looks at a clock.
  u64 changes() const;
  // From now on, or no longer: follows the warps and their helpers, to find those that go in a circle.
  void watch(bool on);
  // While they are followed, of each warp before isStuck() is asked, and at the beginning: whether it waits for nothing but an issue slot.
  void waitsForSlot(BlockSlotId slot, u32 warp, bool waits);
  // Since watch(true): every thread waits for another, or for a helper, or goes in a circle without an effect, and so do helpers; or it has
  // waited for an issue slot all the time, while helpers went in a circle. Where that holds of all threads that share the memory, and
  // nothing has changed since then, none of them ever gets further.
  bool isStuck();
  // Of resident blocks, that have yet to exit, or have a helper that goes in a circle.
  bool hasThreads() const;
  // As whereHelperIs(), of a helper that goes in a circle; empty: none does.
  std::string circlingRoutine() const;
  // Lets lanes go on that wait for others of their warp, which may be what the others wait for. False when there are none.
  bool releaseWaiting();

  bool hasStores() const;  // that are buffered
  // Only while no SM runs.
  void publishStores();
  void performAtomic(u32 atomic);

  // Counts of this SM; message and status when fault().
  LaunchResult result();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpwright::exec
