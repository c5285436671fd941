// The simulated GPU as a host program sees it: memory, modules, launches in order, simulated time, and the profile.
// The CUDA runtime shim and `warpwright kernel` are thin layers over it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/compiler.hpp"
#include "config/machine.hpp"
#include "exec/launch.hpp"
#include "profile/profile.hpp"

namespace warpwright::runtime {

struct Settings {
  config::Machine machine;
  exec::Checks checks;
  bool profile = true;
  u32 addressBits = 64;
};

// A loaded PTX module.
struct Module {
  u32 id = 0;
  std::unique_ptr<exec::LoadedProgram> loaded;
};

struct Occupancy {
  u32 blocksPerSm = 0;
  std::string limiter;  // "registers", "shared memory", "warps", "blocks"
};

struct Launch {
  const Module* module = nullptr;
  const isa::Function* kernel = nullptr;
  Dim3 grid, block;
  u64 dynamicSharedBytes = 0;
  std::vector<u8> parameters;
  bool cooperative = false;
  u64 startNanoseconds = 0;
};

class Device {
 public:
  explicit Device(Settings settings);
  ~Device();

  const Settings& settings() const;
  exec::GlobalMemory& memory();
  profile::Profile& profile();

  // Compiles and loads PTX text. Throws Error.
  const Module& loadModule(std::string_view ptx, const std::string& sourceName);
  void unloadModule(u32 id);

  Occupancy occupancy(const isa::Function& kernel, u32 threadsPerBlock, u64 dynamicSharedBytes) const;

  // Runs the grid to its end and adds it to the profile. Argument errors (too many threads, too much shared memory, too many
  // registers) throw Error; what happens inside the kernel is in the result.
  exec::LaunchResult launch(const Launch& launch);

  // Functional time of a launch, nanoseconds: one warp instruction per scheduler and cycle, perfectly spread over the
  // SMs that have blocks. A lower bound until the timed machine exists.
  u64 durationNanoseconds(const exec::LaunchResult& result, const Launch& launch) const;
  u64 copyNanoseconds(u64 bytes) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpwright::runtime
