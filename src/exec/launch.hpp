// One kernel launch on the functional machine.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "exec/block_order.hpp"
#include "exec/injection.hpp"
#include "exec/memory.hpp"
#include "exec/observer.hpp"
#include "exec/texture.hpp"
#include "isa/program.hpp"

namespace warpwright::exec {

class KernelCache;

// A program in a device: variables have addresses, code relocations are applied, and from then on the code does not change.
struct LoadedProgram {
  isa::Program program;
  std::vector<GlobalAddress> variableAddresses;  // per Program::variables; constant: of its bytes in the constant memory's allocation
  GlobalAddress constantBase;                    // of the module's constant memory; 0 when it has none
  u64 number = 0;                                // of the programs loaded into this memory, in their order; never given twice
  std::shared_ptr<KernelCache> kernels{};        // decoded for one launch and kept for the next; null: decoded for each
};

// Allocates and initialises the program's variables. Throws Error when memory does not suffice or an external variable is undefined.
// `resolveExternal` finds a variable that another module defines.
std::unique_ptr<LoadedProgram> load(isa::Program program, GlobalMemory& memory,
                                    const std::function<std::optional<u64>(const std::string&)>& resolveExternal = {});
// Where the variables of a program were that is loaded again.
struct ProgramAddresses {
  std::vector<GlobalAddress> variableAddresses;
  GlobalAddress constantBase;
  u64 number = 0;
};
// Loads a program whose variables are there: nothing is allocated or initialised. Throws Error when it has other variables.
std::unique_ptr<LoadedProgram> load(isa::Program program, const ProgramAddresses& addresses, GlobalMemory& memory);
void unload(const LoadedProgram& program, GlobalMemory& memory);

enum class Reconvergence : u8 {
  stack,        // as before Volta: one path of a warp runs until it reconverges
  independent,  // as from Volta on: paths of a warp take turns, so that threads of one warp may wait for each other
};

// Of a thread, since compute capability 2.0 (CUDA C++ Programming Guide, "Technical Specifications").
inline constexpr u64 kMostLocalBytes = 512 * 1024;

struct MachineLimits {
  u32 warpSize = 32;  // 4, 8, 16, 32 or 64
  u32 multiprocessors = 1;
  u32 residentBlocksPerSm = 8;  // already reduced by occupancy for this launch
  u64 sharedBytesPerBlock = 48 * 1024;
  u64 localBytesPerThread = kMostLocalBytes;
  u64 mostLocalBytesPerThread = kMostLocalBytes;  // however much the program asks for
  u64 heapBytes = u64{8} << 20;                   // of malloc in kernels; CUDA's default
  Reconvergence reconvergence = Reconvergence::independent;
  u32 pathTurn = 256;         // stepping: instructions that a path of a diverged warp executes before another path gets a turn
  u32 pollsBeforeYield = 16;  // polls without news after which a path is taken to be waiting for another
};

// Words that a register takes in the layout of registers and values, [word][lane]: a warp may have fewer lanes.
constexpr u32 layoutLanes(u32 warpSize) { return warpSize > 32 ? 64 : 32; }

// What becomes of a grid that accesses memory out of bounds, or reads what was never written.
enum class OnFault : u8 {
  stop,
  warn,  // a warning an instruction; see operations/access.cpp for what such accesses do
};

struct Checks {
  bool bounds = true;            // out of bounds, misaligned, freed
  bool uninitialised = false;    // needs GlobalMemory::Options::trackInitialisation
  bool races = false;            // the grid runs on, each pair of racing instructions is a warning
  bool synchronisation = false;  // barriers and warp operations used as CUDA leaves undefined; the grid runs on
  bool neighbours = false;       // needs GlobalMemory::Options::wideGaps
  OnFault onFault = OnFault::stop;
};

// A request to the host side made by a kernel.
class HostServices {
 public:
  virtual ~HostServices() = default;
  virtual void print(std::string_view text) = 0;       // device printf, already formatted
  virtual void printError(std::string_view line) = 0;  // a failed assertion, as CUDA words it, with its line's end
};

class RaceDetector;

struct Progress {
  u64 blocksDone = 0, blocks = 0;
  u64 warpInstructions = 0;
};

struct LaunchShape {
  Dim3 grid, block;  // in blocks, in threads
  u64 dynamicSharedBytes = 0;
  bool cooperative = false;       // its blocks may wait for one another
  std::optional<Dim3> cluster{};  // in blocks; none: as the kernel says
  bool operator==(const LaunchShape&) const = default;
};

// What a program wishes its kernel's caches to be for (cudaFuncSetCacheConfig, cudaDeviceSetCacheConfig).
enum class CachePreference : u8 { none, shared, l1, equal };

// What a program launches. It is made once, where the program asks for it, and does not change: every layer from there to the SMs and the
// profile points to it and keeps what it adds beside it.
struct Launch : LaunchShape {
  const LoadedProgram* program = nullptr;
  const isa::Function* kernel = nullptr;
  std::vector<u8> parameters;  // the parameter block, kernel->parameterBytes long
  CachePreference cachePreference = CachePreference::none;
};

// The clusters that its blocks are in: as the launch says, or else as the kernel was compiled for, or else of one block.
Dim3 clusterOf(const Launch& launch);
Dim3 clusterOf(const isa::Function& kernel, const LaunchShape& shape);
// Whether the launch or the kernel says so, %is_explicit_cluster.
bool isClusterExplicit(const Launch& launch);

// A launch as the functional machine takes it: with what the device and its settings add.
struct LaunchRequest {
  std::shared_ptr<const Launch> launch;
  u64 gridId = 0;
  GlobalAddress gridSyncAddress;  // cooperative launches: %envreg1:%envreg2
  MachineLimits limits;
  u32 extraRegisters = 0;  // of a thread, behind those of the kernel: for helpers of its warp (Stepper::beginHelper)
  // Memory of helpers behind the block's shared memory, in multiples of 16 (Stepper::helperMemory): of those of a warp, and of all of a
  // block.
  u32 helperBytes = 0, helperTableBytes = 0;
  Checks checks;
  u64 startNanoseconds = 0;                 // simulated time at the launch: %globaltimer
  std::shared_ptr<const BlockOrder> order;  // of its blocks; null: by their numbers
  u64 firstBlock = 0;                       // so many, in that order, have run elsewhere
  Observer* observer = nullptr;
  const InjectionPlan* injection = nullptr;  // null: no fault is injected
  HostServices* host = nullptr;
  const ResourceTable* resources = nullptr;  // textures and surfaces; null: there are none
  std::shared_ptr<RaceDetector> races;       // of all SMs that run the grid, one at a time; null: one of this part's own
  // Called now and then, at least some times a second of the host. A text stops the launch, and says why.
  std::function<std::string(const Progress&)> progress;
  // Warp instructions without an exiting thread or an opening barrier after which the grid is declared hung; 0: 2^33. Most hangs are
  // proven long before: see turns.cpp.
  u64 watchdogInstructions = 0;
};

// The number of the block that is the position-th to begin.
inline u64 blockAt(const LaunchRequest& request, u64 position) { return request.order ? request.order->at(position) : position; }

// Execution counts of one static instruction.
struct InstructionCount {
  u64 warps = 0;   // times issued
  u64 lanes = 0;   // sum of executing lanes (guard applied)
  u64 active = 0;  // sum of active lanes (before the guard)
};

enum class LaunchStatus : u8 {
  completed,
  stopped,
  illegalAddress,
  misalignedAddress,
  useOfUninitialised,
  race,
  undefinedSynchronisation,
  trap,
  assertion,
  hang,
  illegalInstruction,
  stackOverflow,
  invalidProgramCounter,
  breakpoint,
};

struct LaunchResult {
  LaunchStatus status = LaunchStatus::completed;
  std::string message;                 // for anything but completed: the full report
  std::vector<std::string> warnings;   // e.g. races, divergent barriers, when they do not end the kernel
  std::vector<std::string> tolerated;  // reports of faults that did not end it (OnFault::warn)
  u64 warpInstructions = 0, threadInstructions = 0;
  u64 blocksDone = 0;
  std::vector<InstructionCount> counts;  // per Program::code index (only the launch's own)
  InjectionResult injection;
};

// From its beginning to its end; a grid that waits for what only others could do is hung.
LaunchResult launch(const LaunchRequest& request, GlobalMemory& memory);

// Adds what another part of the same launch did. The first failure stays.
void merge(LaunchResult& into, LaunchResult from);

}  // namespace warpwright::exec
