// The chip, its clocks and what an SM holds.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "config/import/parts.hpp"

namespace warpwright::config {
namespace {

u64 kilohertz(const Option& option, const std::string& megahertz) {
  double value = 0;
  const char* end = megahertz.data() + megahertz.size();
  const auto [stop, failed] = std::from_chars(megahertz.data(), end, value);
  if (failed != std::errc{} || stop != end || !(value > 0 && value < 1e6)) refuse(option, "'" + megahertz + "' is no frequency in MHz");
  return static_cast<u64>(std::llround(value * 1000));
}

// -gpgpu_clock_domains CORE:NETWORK:L2:DRAM
void importClocks(Options& options, Machine& machine) {
  const Option* option = options.take("gpgpu_clock_domains");
  if (option == nullptr) return;
  const auto parts = split(option->value, ':');
  if (parts.size() != 4) refuse(*option, "expected four clocks in MHz", "core:network:L2:DRAM, as 700:700:700:924");
  machine.coreClockKhz = kilohertz(*option, parts[0]);
  machine.network.clockKhz = kilohertz(*option, parts[1]);
  machine.partition.clockKhz = kilohertz(*option, parts[2]);
  machine.dram.clockKhz = kilohertz(*option, parts[3]);
}

void importClusters(Options& options, Machine& machine) {
  u32 clusters = 1, cores = 1;
  options.number("gpgpu_n_clusters", clusters);
  options.number("gpgpu_n_cores_per_cluster", cores);
  const u64 sms = u64{clusters} * cores;
  if (sms > 4096) refuse(*options.take("gpgpu_n_clusters"), "with the cores of a cluster these are more than 4096 SMs");
  machine.multiprocessors = static_cast<u32>(sms);
  if (const Option* option = options.take("gpgpu_n_cores_per_cluster"); option != nullptr && cores > 1) {
    options.note(*option, "the cores of a cluster become SMs that have ports of their own to the network");
  }
}

// -gpgpu_shader_core_pipeline THREADS:WARPSIZE
void importThreads(Options& options, Machine& machine) {
  const Option* option = options.take("gpgpu_shader_core_pipeline");
  if (option == nullptr) return;
  const auto parts = split(option->value, ':');
  if (parts.size() < 2) refuse(*option, "expected threads and warp size", "as 1536:32");
  const u64 threads = numberOf(*option, parts[0]), warp = numberOf(*option, parts[1]);
  if (warp == 0 || warp > 64 || threads % warp != 0 || threads > 65'536) refuse(*option, "the threads must be whole warps of at most 64");
  machine.warpSize = static_cast<u32>(warp);
  machine.warpsPerSm = static_cast<u32>(threads / warp);
}

// What NVIDIA's occupancy tables, the CUDA Programming Guide and studies of its instruction encoding give for a compute capability, and no
// option says.
void applyCapability(Machine& machine) {
  const u32 capability = machine.computeMajor * 10 + machine.computeMinor;
  machine.threadsPerBlock = std::min(machine.computeMajor < 2 ? 512U : 1024U, machine.warpsPerSm * machine.warpSize);
  machine.registersPerThread = capability < 20 ? 124 : capability < 35 ? 63 : 255;
  machine.programCounterRegisters = capability < 70 ? 0 : 2;
  machine.registerAllocationUnit = capability < 20 ? 512 : capability < 30 ? 64 : 256;
  machine.sharedAllocationUnit = capability < 20 ? 512 : capability < 30 ? 128 : 256;
  machine.reconvergence = machine.computeMajor < 7 ? "stack" : "independent";
  machine.sm.instructionBytes = machine.computeMajor < 7 ? 8 : 16;
}

}  // namespace

void importChip(Options& options, Machine& machine) {
  importClusters(options, machine);
  importClocks(options, machine);
  // Files for older versions state it only as the highest PTX that they accept.
  u32 capability = 20;
  if (options.number("gpgpu_ptx_force_max_capability", capability)) {
    machine.computeMajor = capability / 10;
    machine.computeMinor = capability % 10;
  }
  options.number("gpgpu_compute_capability_major", machine.computeMajor);
  options.number("gpgpu_compute_capability_minor", machine.computeMinor);
  importThreads(options, machine);
  options.number("gpgpu_shader_cta", machine.blocksPerSm);
  options.number("gpgpu_shader_registers", machine.registersPerSm);
  options.number("gpgpu_shmem_size", machine.sharedBytesPerSm);
  machine.sharedBytesPerBlock = std::min<u64>(machine.sharedBytesPerSm, 48 * 1024);
  machine.sharedBytesPerBlockOptin = machine.sharedBytesPerSm;
  options.number("gpgpu_shmem_per_block", machine.sharedBytesPerBlock);
  options.number("gpgpu_shmem_num_banks", machine.sharedBanks);
  options.number("gpgpu_num_sched_per_core", machine.schedulersPerSm);
  options.number("gpgpu_kernel_launch_latency", machine.sm.launchLatency);
  applyCapability(machine);
}

}  // namespace warpwright::config
