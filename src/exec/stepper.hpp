// A launch driven one warp instruction at a time: what a timed machine needs of the functional one. Each SM has a Stepper of its own for
// each launch; several of them may run in parallel.
//
// What an SM does to global memory is seen by the others later, so that the order in which SMs are simulated cannot matter:
//   - stores are buffered, seen by the SM's own loads, and become visible with publishStores();
//   - atomics take effect in performAtomic(), when the memory system says so; until then their result registers keep old values;
//   - accesses to shared memory of other blocks of a cluster, and the opening of its barrier, take effect between quanta: performRemote(),
//     openClusterBarrier(); until then result registers keep old values;
//   - bulk copies take effect in finishBulk(), when the copy engine says so; their reductions in global memory with publishStores();
//   - system calls (malloc, printf, …) and writes to surfaces are `serial`: step() them while nothing else runs.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "exec/warp_source.hpp"

namespace warpwright::exec {

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

class Stepper final : public WarpSource {
 public:
  // Throws Error for a request that no machine could run. request.observer hears of this SM's events. clockKhz: of %globaltimer.
  Stepper(const LaunchRequest& request, GlobalMemory& memory, SmId sm, u64 clockKhz);
  ~Stepper() override;
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  u32 warpsPerBlock() const;
  void start(BlockSlotId slot, u64 block, Cluster* cluster = nullptr) override;
  bool isFinished(BlockSlotId slot) const override;
  void clear(BlockSlotId slot) override;
  NextInstruction next(BlockSlotId slot, u32 warp) override;
  const StepRecord* step(BlockSlotId slot, u32 warp, Cycle now) override;
  // Not while somebody hears of every instruction, or follows the warps. Helpers must not be used with it: they read their warps'
  // registers.
  void runAhead(bool keepsValues) override;
  void takeBack(BlockSlotId slot, u32 warp, u32 instructions) override;
  const std::optional<StepFault>& fault() const override;
  std::string whereThreadsWait() const override;
  u64 changes() const override;
  void watch(bool on) override;
  void waitsForSlot(BlockSlotId slot, u32 warp, bool waits) override;
  bool isStuck() override;
  bool hasThreads() const override;
  std::string circlingRoutine() const override;  // as whereHelperIs()
  bool releaseWaiting() override;
  bool hasStores() const override;
  void publishStores() override;
  void performAtomic(u32 atomic) override;
  void bulkSourceRead(u32 bulk) override;
  bool finishBulk(u32 bulk, u64 now) override;
  LaunchResult result() override;

  // --- clusters of several blocks; only while no SM runs
  u32 remoteAccesses() const;            // since forgetRemote()
  Cycle remoteIssued(u32 number) const;  // in the order of their issue
  // False: the grid is at fault, see fault().
  bool performRemote(u32 number);
  void forgetRemote();
  // Since forgetRemote(): threads have arrived at the barrier of a cluster, or ended.
  bool clustersChanged() const;
  // All threads of the block's cluster have arrived at its barrier. If so, openClusterBarrier() must follow for every block of it.
  bool takeClusterArrival(BlockSlotId slot);
  Cycle lastArrival(BlockSlotId slot) const;  // of its own threads
  void openClusterBarrier(BlockSlotId slot);

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

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpwright::exec
