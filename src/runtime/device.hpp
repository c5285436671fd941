// The simulated GPU as a host program sees it: memory, modules, launches, simulated time, and the profile.
// Much includes this file: it names the parts behind the device without knowing them. The CUDA runtime shim and `warpwright kernel` are
// thin layers over it. One thread at a time may call a Device.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/launch.hpp"
#include "runtime/launch_check.hpp"
#include "runtime/occupancy.hpp"
#include "runtime/ptx_source.hpp"
#include "runtime/settings.hpp"
#include "runtime/textures.hpp"

namespace warpwright::machines {
class TimingProfile;
}
namespace warpwright::profile {
class Profile;
}

namespace warpwright::runtime {

// Variables that get no memory of their own, because the host program holds it: name → address (64-bit devices only).
using Placements = std::map<std::string, u64>;

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
  // What a user may have got wrong, when all launches have ended.
  std::vector<std::string> remarks() const;
  Textures& textures();
  Arrays& arrays();

  // Compiles and loads translation units as one module: what one declares, another may define. A bound on registers holds for the
  // functions of its unit. Throws Error.
  const Module& loadModule(const std::vector<PtxUnit>& units, const std::string& sourceName, const Placements& placements = {});
  // The same for one unit. A line "// warpwright: maxrregcount=N" in it bounds the registers of its functions. Throws Error.
  const Module& loadModule(std::string_view ptx, const std::string& sourceName, const Placements& placements = {});
  // The same, with variables that are in memory: for replays. Throws Error.
  const Module& loadModule(const std::vector<PtxUnit>& units, const std::string& sourceName, const exec::ProgramAddresses& addresses);
  // Loads a program that is compiled already, or that only describes what was executed elsewhere (Launch::recording).
  const Module& loadProgram(isa::Program program);
  void unloadModule(u32 id);
  bool isLoaded(u32 module) const;
  // Frees every allocation and module; the profile stays.
  void reset();

  Occupancy occupancy(const isa::Function& kernel, u32 threadsPerBlock, u64 dynamicSharedBytes) const;

  // What forbids the launch; LaunchFault::none when nothing does.
  LaunchProblem check(const Launch& launch) const;

  // Numbers a launch, which is issued now but may be submitted later.
  void announce(Launch& launch);
  // Adds an announced launch that run() runs. `ended` hears of its end, and may submit others; on the timed machine these run beside those
  // that have not ended. Throws Error when no device memory is left.
  void submit(const Launch& launch, std::function<void(const LaunchOutcome&)> ended);
  // Runs all that is submitted, to its end or the first failure, and adds it to the profile. What happens inside kernels is in the
  // outcomes; Ctrl-C ends them with LaunchStatus::stopped. Functional launches may still wait then for what the host does or submits; they
  // go on with the next run().
  void run();
  // The same where the host waits: launches that wait have all the time that they could need.
  void runPatiently();
  bool hasWaiting() const;
  // Nobody will help those that wait: they hang.
  void endWaiting();
  // Forgets what has not ended; nobody hears of it.
  void abandon();
  // One launch, checked (throws Error where check() finds a problem), announced, submitted and run.
  LaunchOutcome launch(Launch launch);
  // The same for one that has been issued before and keeps its number.
  LaunchOutcome replay(Launch launch);

  // A copy from the host has written bytes of device memory: the launches submitted from now on may find them in the machine's L2.
  void copiedFromHost(GlobalAddress address, u64 bytes);
  // The host has bytes that were copied from device memory: where faults are injected they are results, to be compared.
  void copiedToHost(const void* bytes, u64 count);
  // Where faults are injected, the account of them; else null.
  const InjectionAccount* injection() const;
  // Time of moving bytes once over the DRAM bus at its full rate (two transfers per memory clock): a lower bound.
  u64 copyNanoseconds(u64 bytes) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpwright::runtime
