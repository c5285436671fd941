// What is behind a Simulator.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "embed/launch_queues.hpp"
#include "runtime/device.hpp"
#include "warpwright/simulator.hpp"

namespace warpwright {

// A kernel where it was found.
struct FoundKernel {
  const runtime::Module* module;
  const isa::Function* function;
};

struct Simulator::State {
  explicit State(const SimulatorOptions& options);

  // By its name in the PTX or in the source, in the module that was loaded first. Throws Error that lists the kernels.
  FoundKernel find(const std::string& kernel) const;
  // Throws Error where the bytes are neither in one allocation nor in one variable.
  void requireReachable(u64 address, std::size_t bytes);
  void enqueue(u32 stream, const std::string& kernel, Extent grid, Extent block, const std::vector<Argument>& arguments,
               u64 dynamicSharedBytes);

  runtime::Device device;
  LaunchQueues queues;
  std::vector<const runtime::Module*> modules;
  std::set<u64> allocations;  // that allocate() gave
};

}  // namespace warpwright
