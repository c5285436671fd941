// A grid while the functional machine runs it: its state, and what every part of the machine asks of it. The parts are free functions, one
// file each: turns.hpp (which block runs), dispatch.hpp (the loop over instructions), hang.hpp, step.hpp and helpers.hpp (for a Stepper),
// and in `operations` what the instructions do.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "exec/block.hpp"
#include "exec/bulk_copy.hpp"
#include "exec/cluster.hpp"
#include "exec/decode.hpp"
#include "exec/deferred_atomics.hpp"
#include "exec/fault.hpp"
#include "exec/injector.hpp"
#include "exec/launch.hpp"
#include "exec/race_detector.hpp"
#include "exec/remote_accesses.hpp"
#include "exec/resumable_launch.hpp"
#include "exec/store_buffer.hpp"
#include "exec/warp_circle.hpp"
#include "exec/what_matters.hpp"

namespace warpwright::exec {

class StepRecorder;

// Global memory when several SMs run at once: see stepper.hpp.
struct SeparateMemory {
  StoreBuffer stores;
  DeferredAtomics atomics;
  StepRecorder* recorder = nullptr;
  RemoteAccesses remote;
  bool clustersChanged = false;  // threads have arrived at the barrier of a cluster, or left one
};

// A warp instruction in execution.
struct Issue {
  Block& block;
  Warp& warp;
  Path& path;
  Op& op;
  Pc pc;
  LaneMask active, executing;
  u64 now;  // warp instructions of the grid so far
};

// The blocks of the grid, and the slots for as many as the machine holds at once.
struct GridBlocks {
  std::vector<std::unique_ptr<Block>> slots;
  std::vector<bool> occupied;  // by slot
  // Clusters of several blocks, by the first slot over their size: a functional machine has them in slots side by side.
  std::vector<std::unique_ptr<Cluster>> clusters;
  u64 count = 0, next = 0, done = 0;  // next: in the order in which they begin
};

// A routine that executes beside a warp.
struct Helper {
  Warp warp;
  Block* block = nullptr;  // null: the helper is free
  const Warp* parent = nullptr;
  const isa::Function* routine = nullptr;
  DecodedKernel* code = nullptr;
  u32 firstRegister = 0, registers = 0;  // among those of a thread
  LaneMask lanes;
  bool isAbandoned = false;
  WarpCircle circle;      // while warps are watched
  bool wasSeen = false;   // by isStuck()
  bool hasMoved = false;  // since then
};
struct GridHelpers {
  std::vector<std::unique_ptr<Helper>> warps;
  std::map<const isa::Function*, std::unique_ptr<DecodedKernel>> routines;  // that they execute
  std::vector<InstructionCount> counts;                                     // of helpers alone
  bool wereFresh = false;  // isStuck() found some that had begun since it was asked before, and nothing else that gets further
};

struct RunEnd {  // what begins (less what ends) at a pc: see dispatch.cpp
  u64 warps = 0, lanes = 0;
};
// Of all resident warps: hashes of their paths, and of each register and predicate.
struct StateHash {
  u64 paths = 0;
  std::array<u64, Locations{}.size()> locations{};
};
// Brent's search for a state that comes back.
struct Repetition {
  StateHash state;
  std::vector<RunEnd> runs;  // counts at that time
  u64 steps = 0, power = 1, changes = 0;
  bool hostMayWrite = false;  // then
};
// How far the grid is, and whether it gets any further.
struct GridProgress {
  u64 instructions = 0;  // warp instructions up to the last turn's end
  u64 changes = 0;       // things that another thread may have waited for
  u64 slice = 0;         // of a block's turn: warp instructions
  u64 last = 0;          // `instructions` when a thread exited or a barrier opened
  const char* waitsBecause = "";
  u64 lastReported = 0;              // `instructions` at the last call of request.progress
  std::optional<bool> hostMayWrite;  // when all began to poll
  Repetition repetition;
};

// What was noticed that did not end the grid.
struct Findings {
  std::set<Pc> warned;
  std::string undefined;                            // the first of noteUndefined()
  std::set<std::pair<Pc, LaunchStatus>> tolerated;  // faults, by pc
};

// A store to global memory in the first block that executes it.
struct TriedStore {
  u64 block = 0;
  std::map<GlobalAddress, u32> writers;  // warps, by address
  bool races = false;                    // two warps have stored to the same address
};

struct Grid {
  // Throws Error for a request that no machine could run. Both outlive the grid.
  Grid(const LaunchRequest& request, GlobalMemory& memory);

  const LaunchRequest& request;
  GlobalMemory& memory;
  SeparateMemory* separate = nullptr;  // null: effects on global memory are immediate
  u64 clockKhz = 0;                    // 0: an instruction takes a nanosecond
  const u32 lanes;                     // of the register layout
  const u32 addressBits;
  DecodedKernel kernel;
  AddressFunction addresses;
  BlockShape shape;
  const ClusterShape clusters;
  std::vector<PlaneLine> threadIds;  // %tid.x, .y, .z of each warp in turn, in the register layout
  std::vector<u8> parameters;
  std::shared_ptr<RaceDetector> races;  // on request
  std::unique_ptr<Injector> injector;   // null: no fault is injected
  const bool issueEvents;               // the observer wants them, or the injector

  GridBlocks blocks;
  BulkCopies bulk;
  GridHelpers helpers;
  GridProgress progress;
  bool eagerPoints = false;              // some meeting point is eager
  std::map<Pc, TriedStore> triedStores;  // by pc
  std::vector<u64> texelAddresses;       // of the texture or surface instruction at hand, as TexelEvent lists them
  Findings findings;
  std::vector<RunEnd> runs;  // by pc
  LaunchResult result;
};

// --- operands
inline u32* registers(const Warp& warp, const LaneOperand& operand) { return warp.state.registers + operand.offset; }
inline const u32* source(const Warp& warp, const LaneOperand& operand) { return warp.state.words(operand); }
inline LaneMask predicate(const Warp& warp, const LaneOperand& operand) {
  return operand.present ? warp.predicates[operand.offset] ^ (operand.negated ? ~LaneMask{} : LaneMask{}) : ~LaneMask{};
}
// Writes the lanes of a predicate that is there.
inline void setPredicate(Warp& warp, const LaneOperand& operand, LaneMask lanes, LaneMask value) {
  if (!operand.present) return;
  LaneMask& target = warp.predicates[operand.offset];
  target = (target & ~lanes) | (value & lanes);
}
// A value of two planes.
inline u64 wide(const Grid& grid, const u32* plane, LaneId lane) { return plane[lane] | static_cast<u64>(plane[grid.lanes + lane]) << 32; }
inline u32 addressBytes(const Grid& grid) { return grid.addressBits / 8; }

// --- what holds of the grid
inline bool independent(const Grid& grid) { return grid.request.limits.reconvergence == Reconvergence::independent; }
// Whether an access that no memory answers is a fault.
inline bool checksBounds(const Grid& grid, const Issue& issue) { return grid.request.checks.bounds && !issue.warp.isSpeculative; }
inline WarpView viewOf(const Grid& grid, const Warp& warp) {
  return {warp.state.registers, grid.lanes, warp.predicates.data(), warp.existing};
}

// --- what happens to it
inline void madeProgress(Grid& grid) {
  ++grid.progress.changes;
  grid.progress.last = grid.progress.instructions;
}
inline FaultSite site(const Grid& grid, const Issue& issue) { return {grid.request, issue.block, issue.warp, issue.pc}; }
// A warning, once an instruction.
void warn(Grid& grid, Pc pc, const std::string& text);
// The same of a use of barriers or warp operations that CUDA leaves undefined: where that is checked, it fails the launch at its end.
void noteUndefined(Grid& grid, Pc pc, const std::string& text);

// As ResumableLaunch has them.
bool run(Grid& grid, Patience patience);
void endAsHung(Grid& grid);
void stop(Grid& grid);
// Races, counts and totals of what ran; the grid is of no further use.
LaunchResult settledResult(Grid& grid);

}  // namespace warpwright::exec
