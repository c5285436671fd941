// The simulated GPU as a host program sees it: memory, modules, launches in order, simulated time, and the profile.
// The CUDA runtime shim and `warpwright kernel` are thin layers over it. One thread at a time may call a Device.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/compiler.hpp"
#include "config/machine.hpp"
#include "exec/launch.hpp"
#include "machines/gpu.hpp"
#include "machines/timing_profile.hpp"
#include "machines/trace/tracer.hpp"
#include "profile/profile.hpp"
#include "runtime/launch_check.hpp"
#include "runtime/occupancy.hpp"
#include "runtime/ptx_source.hpp"
#include "runtime/textures.hpp"

namespace warpwright::runtime {

struct Settings {
  config::Machine machine;
  exec::Checks checks;
  bool profile = true;
  std::optional<machines::TimingOptions> timing;  // simulate every cycle; needs a timed machine. None: functional
  machines::trace::Settings trace;                // of a timed simulation
  std::string functionalUntil;                    // KERNEL or KERNEL#N: launches before its first, or N-th, take no time; empty: none
  bool progress = false;                          // show launches of over two seconds on stderr
  u32 addressBits = 64;
  u32 maxRegisters = isa::kMaxRegisters;  // upper bound for every function
  compiler::SpillPolicy spillPolicy = compiler::SpillPolicy::standard;
  std::string dumpFolder;  // PTX and machine code of every module are written here; empty: nowhere
};

// A loaded PTX module.
struct Module {
  u32 id = 0;
  std::unique_ptr<exec::LoadedProgram> loaded;
};

// Variables that get no memory of their own, because the host program holds it: name → address (64-bit devices only).
using Placements = std::map<std::string, u64>;

struct Launch {
  const Module* module = nullptr;
  const isa::Function* kernel = nullptr;
  Dim3 grid, block;
  u64 dynamicSharedBytes = 0;
  std::vector<u8> parameters;
  bool cooperative = false;
  u64 startNanoseconds = 0;
};

struct LaunchOutcome : exec::LaunchResult {
  // Simulated time. Of the functional machine: one warp instruction per scheduler and cycle, perfectly spread over the SMs that have
  // blocks, a lower bound.
  u64 nanoseconds = 0;
};

class Device {
 public:
  explicit Device(Settings settings);
  ~Device();

  const Settings& settings() const;
  exec::GlobalMemory& memory();
  profile::Profile& profile();
  const machines::TimingProfile& timing() const;  // empty without Settings::timing
  // Writes the traces that Settings::trace asks for. Throws Error when a file cannot be written.
  void writeTraces() const;
  Textures& textures();
  Arrays& arrays();

  // Compiles and loads translation units as one module: what one declares, another may define. A bound on registers holds for the
  // functions of its unit. Throws Error.
  const Module& loadModule(const std::vector<PtxUnit>& units, const std::string& sourceName, const Placements& placements = {});
  // The same for one unit. A line "// warpwright: maxrregcount=N" in it bounds the registers of its functions. Throws Error.
  const Module& loadModule(std::string_view ptx, const std::string& sourceName, const Placements& placements = {});
  void unloadModule(u32 id);
  // Frees every allocation and module; the profile stays.
  void reset();

  Occupancy occupancy(const isa::Function& kernel, u32 threadsPerBlock, u64 dynamicSharedBytes) const;

  // What forbids the launch; LaunchFault::none when nothing does.
  LaunchProblem check(const Launch& launch) const;

  // Runs the grid to its end and adds it to the profile. Throws Error where check() finds a problem; what happens inside the
  // kernel is in the result. Ctrl-C ends it with LaunchStatus::stopped.
  LaunchOutcome launch(const Launch& launch);

  // Time of moving bytes once over the DRAM bus at its full rate (two transfers per memory clock): a lower bound.
  u64 copyNanoseconds(u64 bytes) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpwright::runtime
