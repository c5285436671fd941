// The CUDA state of the process: devices, registered code, streams, errors. Every API function goes through call().
#pragma once

#include <sys/types.h>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/error.hpp"
#include "capture.hpp"
#include "devices.hpp"
#include "driver_types.h"
#include "found_kernel.hpp"
#include "graph.hpp"
#include "registry.hpp"
#include "runtime/environment.hpp"
#include "streams.hpp"

namespace warpwright::cudart {

// What a program has set for a device.
struct Preferences {
  unsigned int flags = 0;
  cudaFuncCache cacheConfig = cudaFuncCachePreferNone;
  // By cudaLimit. CUDA's defaults: 1 KiB of stack a thread, 1 MiB for printf, 8 MiB of heap; the rest as a device of compute capability
  // 7.0 reports.
  std::array<size_t, 7> limits = {1024, 1 << 20, 8 << 20, 2, 2048, 128, 0};
  std::optional<u64> stackBytes;  // that the program has allowed a thread: cudaLimitStackSize
  u64 poolReleaseThreshold = 0;
};

class Context {
 public:
  // Lives until the process ends, so that calls from destructors of static objects still work.
  static Context& instance();

  // Made at the first call that needs one. Throws Error for settings that cannot be met.
  Devices& devices();
  // Of the calling thread.
  runtime::Device& device() { return devices().current(); }
  exec::GlobalMemory& memory() { return device().memory(); }
  const config::Machine& machine() { return device().settings().machine; }

  // Issues work to a stream that does not capture; it is carried out when its turn comes, which may be after the call. It waits for
  // `others`, too.
  WorkPointer issue(Stream& stream, Start start, std::span<const WorkPointer> others = {});
  // Work that takes so long, and what it does; null: nothing.
  Start taking(u64 nanoseconds, std::function<void()> body);
  // A call of the program's own function, which may not call the API in turn.
  Start callOf(std::function<void()> function);
  // Whether work that is issued now may be carried out after the call that issues it.
  bool defersWork();
  // Carries out what has been issued, but for kernels that wait for what the host or other kernels do, and what comes behind these. A
  // kernel that fails makes its error the context's sticky one; what has not ended is dropped.
  void carryOut();
  // The same where the timed machine would not gain other work to run beside it.
  void carryOutUnlessGathering();
  // The host waits: what has not ended then never will, so that kernels which still wait are hung.
  void waitForAll();
  void waitFor(const Stream& stream);
  void waitFor(const WorkPointer& work);
  // Gives a launch to the device, which runs it in carryOut().
  void submit(u32 ordinal, const runtime::Launch& launch, const WorkPointer& work);

  // Frees what is the current device's and clears a sticky error, as a new context.
  void reset();
  // Prints and writes the profiles; only the first call does.
  void report();
  // After Ctrl-C: reports, then ends the process.
  [[noreturn]] void endInterrupted();

  std::recursive_mutex mutex;
  Registry registry;
  Streams streams;
  Events events;
  Graphs graphs;
  Captures captures{streams, graphs};
  // Finds kernels of the driver API by their handles; set by its library.
  std::function<std::optional<FoundKernel>(const void*)> driverKernels;
  // An error after which no device is of use until one is reset; every call returns it.
  cudaError_t sticky = cudaSuccess;
  std::unordered_map<const void*, unsigned int> hostFlags;  // of pinned and registered memory, by start address
  Preferences& preferences(u32 ordinal = CurrentDevice::ordinal()) { return preferences_[ordinal]; }
  // Host memory that the current device's heap holds, so that devices can reach it.
  u64 pinnedBytes();
  // How often reset() has taken away what is the device's: handles from before are dead.
  u64 resets(u32 ordinal) { return resets_[ordinal]; }

  bool hasDevice() const { return !devices_.empty(); }
  bool inHostFunction() const { return inHostFunction_; }

 private:
  Context();

  void launchEnded(u32 ordinal, const exec::LaunchResult& result);
  bool gathersWork();
  void carryOut(void (runtime::Device::*run)());
  void finish(const std::function<bool()>& hasEnded);
  void abandon();
  void fail(const exec::LaunchResult& result);

  std::optional<exec::LaunchResult> failure_;  // of the work that runs
  std::optional<runtime::Environment> environment_;
  Devices devices_;
  std::map<u32, Preferences> preferences_;
  std::map<u32, u64> resets_;
  u64 submissions_ = 0;
  bool failureShown_ = false, inHostFunction_ = false;
  bool reported_ = false;
  pid_t process_;
};

// Sets what cudaGetLastError returns on this thread, unless it is success or cudaErrorNotReady; returns its argument.
// Inside a call of the driver API it does nothing but return its argument.
cudaError_t record(cudaError_t status);
// Returns it, and makes it cudaSuccess.
cudaError_t takeLastError();
cudaError_t lastError();

// Between the two, this thread is in a call of the driver API, which has no last error.
void enterDriverCall();
void leaveDriverCall();
// Whether the program has called the runtime API itself: the primary context is then current on every thread without one of its own.
bool runtimeWasCalled();

// Runs the body of an API function under the context's lock, turns what it throws into an error code and a message, and records the
// result. Body: cudaError_t(Context&).
enum class AfterSticky { refuse, allow };

cudaError_t statusOf(const std::exception& error);

template <typename Body>
cudaError_t call(Body&& body, AfterSticky afterSticky = AfterSticky::refuse) {
  Context& context = Context::instance();
  const std::lock_guard lock(context.mutex);
  if (context.inHostFunction()) return record(cudaErrorNotPermitted);
  try {
    if (context.sticky != cudaSuccess && afterSticky == AfterSticky::refuse) return record(context.sticky);
    return record(body(context));
  } catch (const std::exception& error) {
    return record(statusOf(error));
  }
}

// The same for functions that are not safe while streams capture: those that allocate, and those that wait or ask for what has ended.
template <typename Body>
cudaError_t callOutsideCapture(Body&& body, AfterSticky afterSticky = AfterSticky::refuse) {
  const auto outside = [&](Context& context) {
    const cudaError_t refused = context.captures.refuseUnsafe();
    return refused == cudaSuccess ? body(context) : refused;
  };
  return call(outside, afterSticky);
}

// The same once all work has ended: for functions that show or change what such work sees (Waits::device in api.def).
template <typename Body>
cudaError_t callWhenDone(Body&& body, AfterSticky afterSticky = AfterSticky::refuse) {
  const auto wait = [&](Context& context) {
    context.waitForAll();
    return context.sticky != cudaSuccess && afterSticky == AfterSticky::refuse ? context.sticky : body(context);
  };
  return callOutsideCapture(wait, afterSticky);
}

}  // namespace warpwright::cudart
