// What the driver API library (libcuda.so.1) needs of the process's devices beyond the runtime's public functions. Every
// call is virtual: the libraries share one symbol, __warpwrightDriverAccess, so that whichever runtime library the program has loaded
// serves both.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cudart/found_kernel.hpp"
#include "driver_types.h"
#include "exec/memory.hpp"
#include "runtime/device.hpp"
#include "runtime/ptx_source.hpp"

namespace warpwright::cudart {

class DriverAccess {
 public:
  struct Loaded {
    cudaError_t status = cudaSuccess;
    const runtime::Module* module = nullptr;  // null unless successful
    std::string message;                      // why not
  };
  // Rows of `count` elements of 1, 2 or 4 bytes, all set to the low bytes of `value`.
  struct Fill {
    void* start = nullptr;
    u64 pitch = 0;  // bytes
    u64 count = 0, rows = 1;
    u32 value = 0, elementBytes = 1;
  };

  // Guards the devices, and what the driver keeps about it.
  virtual std::recursive_mutex& mutex() = 0;
  // Between the two, calls that this thread makes of the runtime API leave no last error.
  virtual void beginCall() = 0;
  virtual void endCall() = 0;
  // Whether stream 0 is the calling thread's own default stream in its calls from now on; returns what it was before.
  virtual bool setDefaultStreamPerThread(bool own) = 0;
  // Whether the program has called the runtime API itself.
  virtual bool runtimeWasCalled() = 0;
  // How often the device has been reset: modules and memory from before are gone.
  virtual u64 resets(u32 device) = 0;

  // Devices are known by their ordinals. The current one is the calling thread's, in this API and in the runtime's.
  virtual u32 devices() = 0;
  virtual u32 currentDevice() = 0;
  virtual void makeCurrent(u32 device) = 0;

  // Makes the devices. Fails when the settings in the environment cannot be met.
  virtual cudaError_t initialise() = 0;
  virtual const config::Machine& machine() = 0;
  // In the layout of the project's own header, whatever that of the runtime which the program has loaded.
  virtual cudaDeviceProp properties(u32 device) = 0;
  virtual cudaError_t stickyError() = 0;
  // Waits for all work.
  virtual void waitForAll() = 0;
  virtual void clearStickyError() = 0;

  // On the current device.
  virtual Loaded loadModule(const std::vector<runtime::PtxUnit>& units, const std::string& name) = 0;
  // When no work uses it.
  virtual void unloadModule(u32 device, const runtime::Module& module) = 0;
  // From now on graphs and launches take handles that `find` knows; empty for others.
  virtual void findKernelsBy(std::function<std::optional<FoundKernel>(const void*)> find) = 0;
  // Arguments: pointers to them or, where there are none, a list that leads to a buffer (CU_LAUNCH_PARAM_*).
  virtual cudaError_t launch(const void* kernel, const exec::LaunchShape& shape, void** arguments, void** extra, cudaStream_t stream) = 0;
  virtual u32 blocksPerMultiprocessor(u32 device, const isa::Function& kernel, u32 threads, u64 dynamicSharedBytes) = 0;

  // The live allocation that holds the byte.
  virtual std::optional<exec::Allocation> allocation(u64 address) = 0;
  virtual cudaError_t fill(const Fill& fill, cudaStream_t stream) = 0;
  // Runs the host's function in the order of the stream.
  virtual cudaError_t callInOrder(std::function<void()> function, cudaStream_t stream) = 0;

  // "warpwright: TEXT" on stderr: why a call fails.
  virtual void explain(const std::string& text) = 0;

 protected:
  ~DriverAccess() = default;
};

}  // namespace warpwright::cudart

extern "C" __attribute__((visibility("default"))) warpwright::cudart::DriverAccess* __warpwrightDriverAccess();
