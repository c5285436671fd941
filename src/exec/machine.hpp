// The functional machine while it runs one grid. The parts are one file each: grid.cpp (which block runs), run_warp.cpp (the
// dispatch loop), control.cpp, access.cpp, barrier.cpp, warp_operations.cpp, special_registers.cpp, system_calls.cpp, hang.cpp.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "exec/block.hpp"
#include "exec/decode.hpp"
#include "exec/deferred_atomics.hpp"
#include "exec/fault.hpp"
#include "exec/launch.hpp"
#include "exec/race_detector.hpp"
#include "exec/resumable_launch.hpp"
#include "exec/stepper.hpp"
#include "exec/store_buffer.hpp"
#include "exec/warp_circle.hpp"
#include "exec/what_matters.hpp"

namespace warpwright::exec {

class Mbarrier;
class StepRecorder;

// Global memory when several SMs run at once: see stepper.hpp.
struct SeparateMemory {
  StoreBuffer stores;
  DeferredAtomics atomics;
  StepRecorder* recorder = nullptr;
};

class Machine {
 public:
  // Throws Error for a request that no machine could run.
  Machine(const LaunchRequest& request, GlobalMemory& memory);

  // As ResumableLaunch has them.
  bool run(Patience patience);
  void endAsHung();
  void stop();

  // step.cpp: what a Stepper calls instead of run().
  void separate(SeparateMemory& memory, u64 clockKhz) {
    separate_ = &memory;
    clockKhz_ = clockKhz;
  }
  u32 warpsPerBlock() const { return shape_.warps(); }
  void startBlock(u32 place, u64 index, u32 sm);
  bool endBlockIfFinished(u32 place);
  NextInstruction nextInstruction(u32 place, u32 index);
  void step(u32 place, u32 index, u64 now, StepRecorder& recorder);
  void performAtomic(u32 place);
  // helpers.cpp
  std::optional<u32> beginHelper(u32 place, u32 index, const isa::Function& routine, LaneMask lanes, bool speculative);
  void copyRegister(u32 helper, u32 parentRegister, u32 helperRegister, bool in);
  NextInstruction nextHelperInstruction(u32 helper);
  void stepHelper(u32 helper, u64 now, StepRecorder& recorder);
  bool failsQuietly(u32 helper) const { return helpers_[helper]->warp.isSpeculative; }
  void abandonHelper(u32 helper) { helpers_[helper]->isAbandoned = true; }
  void endHelper(u32 helper);
  LaunchResult settledResult();
  std::string whereThreadsWait() const;     // hang.cpp
  u64 changes() const { return changes_; }  // things that another thread may have waited for
  // hang.cpp: what a Stepper asks to find that nothing will ever change.
  void follow(u32 place, u32 index, const StepRecord& record, WarpCircle& circle) const;
  bool isStuck(std::span<const WarpCircle> circles) const;
  bool releaseWaiting();

 private:
  // A warp instruction in execution.
  struct Issue {
    Block& block;
    Warp& warp;
    Path& path;
    Op& op;
    u32 pc;
    LaneMask active, executing;
    u64 now;  // warp instructions of the grid so far
  };
  // A store to global memory in the first block that executes it.
  struct TriedStore {
    u64 block = 0;
    std::map<u64, u32> writers;  // warps, by address
    bool races = false;          // two warps have stored to the same place
  };
  // Of all resident warps: hashes of their paths, and of each register and predicate.
  struct StateHash {
    u64 paths = 0;
    std::array<u64, Places{}.size()> places{};
  };
  struct RunEnd {  // what begins (less what ends) at a pc: see countRun()
    u64 warps = 0, lanes = 0;
  };
  // A routine that executes beside a warp.
  struct Helper {
    Warp warp;
    Block* block = nullptr;  // null: the place is free
    const Warp* parent = nullptr;
    DecodedKernel* code = nullptr;
    u32 firstRegister = 0, registers = 0;  // among those of a thread
    LaneMask lanes;
    bool isAbandoned = false;
  };
  class HelperScope;
  enum class TurnEnd : u8 { finished, slice, stuck };  // stuck: every path waits or polls

  // grid.cpp
  bool runGrid(Patience patience);
  bool waits(const char* why);
  bool pollsInVain(u64 idle, Patience patience);
  bool rotate();
  bool startNext(Block& block);
  void finish(Block& block, u32 place);
  TurnEnd runBlock(Block& block);
  bool awaitNobody(Warp& warp);
  bool repeatsItself(Patience patience);
  StateHash stateHash() const;
  bool comesBack(const StateHash& state) const;
  void reportProgress();
  void addPlace(u32 slot);
  Block& slot(u32 number);

  // helpers.cpp
  DecodedKernel& routineCode(const isa::Function& routine);
  std::optional<u32> freeRegisters(const Warp& parent, u32 count) const;
  // Whether an access that no memory answers is a fault.
  bool checksBounds(const Issue& issue) const { return request_.checks.bounds && !issue.warp.isSpeculative; }

  // step.cpp
  NextInstruction nextInstruction(Warp& warp);
  NextInstruction nextApart(Helper& helper);
  void stepApart(Helper& helper, u64 now, StepRecorder& recorder);
  void step(Block& block, Warp& warp, u64 now, StepRecorder& recorder);
  Path* nextPath(Warp& warp);
  Path* nextPathBehindMeetings(Warp& warp);
  void shareWarp(Warp& warp) const;
  bool isDeferred() const;
  bool awaitsAtomics(const Issue& issue, const LaneAddresses& addresses);
  void performSeparately(const Issue& issue, const LaneAddresses& addresses, LaneMask mask);
  void loadPatched(const Issue& issue, const LaneAddresses& addresses, LaneMask mask);
  void storeBuffered(const Issue& issue, const LaneAddresses& addresses, LaneMask mask);

  // run_warp.cpp
  template <bool kIssueEvents>
  void runWarp(Block& block, Warp& warp);
  template <bool kIssueEvents>
  s64 runPath(Block& block, Warp& warp, Path& path, s64 budget);
  bool controlAt(Block& block, Warp& warp, Path& path, Op& op, LaneMask active, LaneMask executing, u64 now);
  bool control(const Issue& issue);
  bool execute(const Issue& issue);
  void raiseBranch(const Block& block, const Warp& warp, const Op& op, u32 pc, LaneMask active, LaneMask executing) const;
  bool endsFirstTurn(const Issue& issue);
  bool hasNoRace(const Issue& issue);
  void noteStore(TriedStore& store, const Issue& issue) const;
  void waitForOthers(const Issue& issue);
  bool releaseWaiting(Warp& warp);
  void countRun(u32 begin, u32 end, u64 lanes);
  void settleCounts();
  void unissue(const Issue& issue);
  void raiseIssue(const Block& block, const Warp& warp, const Op& op, u32 pc, LaneMask active, LaneMask executing) const;
  void raiseResult(u64 block, const Warp& warp, const Op& op, u32 pc, LaneMask written) const;
  LaneMask writtenAtOnce(const Issue& issue) const;
  WarpView viewOf(const Warp& warp) const { return {warp.state.registers, lanes_, warp.predicates.data(), warp.existing}; }

  // control.cpp: each leaves the path tree up to date; the path may be gone.
  void branch(const Issue& issue);
  void branchIndexed(const Issue& issue);
  void call(const Issue& issue, u32 functionIndex);
  void callIndirect(const Issue& issue);
  void ret(const Issue& issue);
  void exit(const Issue& issue);
  void lanesExited(Block& block, Warp& warp, LaneMask lanes);
  [[noreturn]] void stop(const Issue& issue, LaunchStatus status);
  void undefinedCode(const Issue& issue);

  // access.cpp
  bool mayAccessDirectly() const;
  bool accessDirectly(const Block& block, const Warp& warp, const Op& op);
  void access(const Issue& issue);
  void accessSpace(const Issue& issue, isa::Space space, LaneAddresses& addresses, LaneMask mask);
  void accessMixed(const Issue& issue, const LaneAddresses& addresses);
  void accessLocal(const Issue& issue, const LaneAddresses& addresses, LaneMask mask);
  void perform(const Issue& issue, u64 base, const LaneAddresses& addresses, LaneMask mask);
  bool storesAnew(u64 base, const LaneAddresses& addresses, LaneMask mask, const u32* planes, u32 elementBytes, u32 elements) const;
  LaneMask checkGlobal(const Issue& issue, LaneAddresses& addresses, LaneMask mask);
  LaneMask checkLimit(const Issue& issue, isa::Space space, const LaneAddresses& addresses, LaneMask mask, u64 bytes);
  void beyondLimit(const Issue& issue, isa::Space space, u32 lane, u64 address, u64 limit);
  void checkAlignment(const Issue& issue, isa::Space space, const LaneAddresses& addresses, LaneMask mask);
  // Ends the grid with the fault, or, where it is to go on, reports the first of its kind at this place.
  void faultOrWarn(u32 pc, LaunchStatus status, const std::function<Fault()>& describe);
  bool wasWritten(const Issue& issue, isa::Space space, u32 lane, u64 address) const;
  void noteWritten(const Issue& issue, isa::Space space, u32 lane, u64 address);
  void trackInitialisation(const Issue& issue, isa::Space space, const LaneAddresses& addresses, LaneMask mask);
  void readZero(const Issue& issue, LaneMask lanes);
  void followRaces(const Issue& issue, isa::Space space, const LaneAddresses& addresses, LaneMask mask);
  void noteFence(const Issue& issue);
  void raiseMemory(const Issue& issue, isa::Space space, const LaneAddresses& addresses, LaneMask mask);
  void notePoll(u64 block, Warp& warp, const Op& op, LaneMask mask, const LaneAddresses& addresses) const;
  u64 interleaved(u64 offset, u32 lane) const;
  // Any address of the generic space; false when the bytes are not all accessible.
  bool readGeneric(const Block& block, const Warp& warp, u32 lane, u64 address, u32 bytes, void* to) const;
  bool accessLocalBytes(const Warp& warp, u32 lane, u64 offset, u32 bytes, void* data, bool write) const;

  // prefetch.cpp
  void prefetch(const Issue& issue);
  void prefetchBytes(const Issue& issue, const LaneAddresses& addresses);

  // barrier.cpp
  void barrierSync(const Issue& issue);
  void barrierArrive(const Issue& issue);
  u32 arriving(const Issue& issue, u32 number, bool countsWarps) const;
  void arriveAtBarrier(const Issue& issue, u32 number, bool needsCount);
  void warnUnlessTogether(const Warp& warp, u32 pc, u32 number, LaneMask together);
  u32 barrierNumber(const Issue& issue);
  bool completeBarrier(Block& block, u32 number);
  void checkSameBarrier(Block& block, u32 number);

  // warp_operations.cpp
  // The lanes that execute a warp operation together; 0: the path has to wait for others.
  LaneMask gather(const Issue& issue, const LaneOperand& members);
  LaneMask neededLanes(const Issue& issue, const LaneOperand& members, LaneMask lanes) const;
  void checkMembers(const Issue& issue, const LaneOperand& members);
  // True when the path goes straight on; otherwise the path tree is up to date.
  bool warpOperation(const Issue& issue);
  void orderLanes(const Issue& issue, LaneMask lanes);
  void shuffle(const Issue& issue, LaneMask lanes);
  void vote(const Issue& issue, LaneMask lanes);
  void match(const Issue& issue, LaneMask lanes);
  void reduce(const Issue& issue, LaneMask lanes);
  void elect(const Issue& issue, LaneMask lanes);
  void activeMask(const Issue& issue);
  void specialRegister(const Issue& issue);

  // texture_access.cpp
  void textureFetch(const Issue& issue);
  void textureQuery(const Issue& issue);
  void surfaceAccess(const Issue& issue);
  void checkImage(const Issue& issue, u32 lane, const Image* image, u64 handle, const char* kind) const;
  void raiseTexels(const Issue& issue, std::span<const u64> addresses, u32 bytes, bool isStore);

  // tensor.cpp
  void requireWholeWarp(const Issue& issue) const;
  void matrixOperation(const Issue& issue);

  // async.cpp
  void copyAsync(const Issue& issue);
  bool readSource(const Issue& issue, u32 lane, u64 address, u32 bytes);
  void raiseCopy(const Issue& issue, isa::Space space, const LaneAddresses& addresses, LaneMask mask);
  template <typename Done>
  void finishCopies(Block& block, Warp& warp, Done done);
  void finishCopiesOf(Block& block, Warp& warp, LaneMask lanes);
  void commitCopies(const Issue& issue);
  void waitForCopies(const Issue& issue);
  void finishArrivals(const Issue& issue, u64 base, u64 offset);
  [[noreturn]] void tooMany(const Issue& issue, u32 lane, const Mbarrier& barrier) const;
  void mbarrier(const Issue& issue, u64 base, const LaneAddresses& addresses, LaneMask mask);

  // system_calls.cpp
  void systemCall(const Issue& issue);
  void printFormatted(const Issue& issue);
  void allocate(const Issue& issue);
  void release(const Issue& issue);
  void assertFailed(const Issue& issue);
  u64 argument(const Issue& issue, u32 lane, u32 offset, u32 bytes) const;
  void setResult(const Issue& issue, u32 lane, u32 offset, u32 bytes, u64 value);
  std::string readText(const Issue& issue, u32 lane, u64 address) const;

  // hang.cpp
  [[noreturn]] void hang(const std::string& why) const;

  u32* registers(const Warp& warp, const LaneOperand& operand) const { return warp.state.registers + operand.offset; }
  const u32* source(const Warp& warp, const LaneOperand& operand) const { return warp.state.words(operand); }
  static LaneMask predicate(const Warp& warp, const LaneOperand& operand) {
    return operand.present ? warp.predicates[operand.offset] ^ (operand.negated ? ~LaneMask{} : LaneMask{}) : ~LaneMask{};
  }
  static void setPredicate(Warp& warp, const LaneOperand& operand, LaneMask lanes, LaneMask value);
  u64 wide(const u32* plane, u32 lane) const { return plane[lane] | static_cast<u64>(plane[lanes_ + lane]) << 32; }
  FaultSite site(const Issue& issue) const { return {request_, issue.block, issue.warp, issue.pc}; }
  void warn(u32 pc, const std::string& text);  // once a place
  // The same of a use of barriers or warp operations that CUDA leaves undefined: where that is checked, it fails the launch at its end.
  void noteUndefined(u32 pc, const std::string& text);
  bool independent() const { return request_.limits.reconvergence == Reconvergence::independent; }
  u32 addressBytes() const { return addressBits_ / 8; }
  void madeProgress() {
    ++changes_;
    lastProgress_ = instructions_;
  }

  const LaunchRequest& request_;
  GlobalMemory& memory_;
  SeparateMemory* separate_ = nullptr;  // null: effects on global memory are immediate
  u64 clockKhz_ = 0;                    // 0: an instruction takes a nanosecond
  const u32 lanes_;                     // of the register layout
  const u32 addressBits_;
  DecodedKernel kernel_;
  AddressFunction addresses_;
  BlockShape shape_;
  std::vector<PlaneLine> threadIds_;  // %tid.x, .y, .z of each warp in turn, in the register layout
  std::vector<u8> parameters_;
  std::shared_ptr<RaceDetector> races_;  // on request

  std::vector<std::unique_ptr<Block>> blocks_;  // by slot
  std::vector<bool> occupied_;
  u64 blockCount_ = 0, nextBlock_ = 0, blocksDone_ = 0;

  std::vector<std::unique_ptr<Helper>> helpers_;
  std::map<const isa::Function*, std::unique_ptr<DecodedKernel>> routines_;  // that helpers execute
  std::vector<InstructionCount> helperCounts_;                               // of helpers alone

  u64 instructions_ = 0;  // warp instructions up to the last turn's end
  u64 changes_ = 0;       // things that another thread may have waited for
  u64 slice_ = 0;         // of a block's turn: warp instructions
  u64 lastProgress_ = 0;  // instructions_ when a thread exited or a barrier opened
  const char* waitsBecause_ = "";
  u64 lastReported_ = 0;  // instructions_ at the last call of request.progress
  bool eagerPoints_ = false;
  std::optional<bool> hostMayWrite_;  // when all began to poll
  const bool issueEvents_;            // the observer wants them
  struct Repetition {                 // Brent's search for a state that comes back
    StateHash state;
    std::vector<RunEnd> runs;  // counts at that time
    u64 steps = 0, power = 1, changes = 0;
    bool hostMayWrite = false;  // then
  } repetition_;

  std::vector<u64> texelAddresses_;                   // of the texture or surface instruction at hand
  std::map<u32, TriedStore> triedStores_;             // by pc
  std::set<u32> warned_;                              // pcs
  std::string undefined_;                             // the first of noteUndefined()
  std::set<std::pair<u32, LaunchStatus>> tolerated_;  // faults that did not end the grid, by pc
  std::vector<RunEnd> runs_;
  LaunchResult result_;
};

}  // namespace warpwright::exec
