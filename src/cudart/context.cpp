#include "context.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <utility>

#include "launch.hpp"
#include "messages.hpp"
#include "runtime/interrupt.hpp"

namespace warpwright::cudart {
namespace {

thread_local cudaError_t lastErrorOfThread = cudaSuccess;
thread_local int driverCalls = 0;
std::atomic<bool> runtimeCalled{false};

// The settings of the environment cannot be met: every call fails the same way, the reason is printed once.
class SettingsError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// CUDA's defaults: 1 KiB of stack a thread, 1 MiB for printf, 8 MiB of heap; the rest as a device of compute capability 7.0 reports.
constexpr std::array<size_t, 7> kDefaultLimits = {1024, 1 << 20, 8 << 20, 2, 2048, 128, 0};

// When the library is unloaded: after what the program itself does at its exit, and before the library's own objects are destroyed, as
// what std::atexit() registers is not.
__attribute__((destructor)) void reportAtExit() {
  Context& context = Context::instance();
  const std::lock_guard lock(context.mutex);
  context.report();
}

}  // namespace

Context& Context::instance() {
  static Context* const context = new Context;
  return *context;
}

Context::Context() : limits(kDefaultLimits), process_(getpid()) {}

runtime::Device& Context::device() {
  if (runtime::interrupted()) endInterrupted();
  if (device_) return *device_;
  try {
    if (!environment_) environment_ = runtime::readEnvironment();
    device_ = std::make_unique<runtime::Device>(runtime::settingsFrom(*environment_, registry.addressBits()));
  } catch (const Error& error) {
    if (!failureShown_) printError(error.what());
    failureShown_ = true;
    throw SettingsError(error.what());
  }
  return *device_;
}

WorkPointer Context::issue(Stream& stream, Start start, std::span<const WorkPointer> others) {
  WorkPointer issued = streams.issue(stream, std::move(start), others);
  carryOutUnlessGathering();
  return issued;
}

Start Context::taking(u64 nanoseconds, std::function<void()> body) {
  return [this, nanoseconds, body = std::move(body)](const WorkPointer& work) {
    if (body) body();
    streams.work().finish(work, work->begin + nanoseconds);
  };
}

Start Context::callOf(std::function<void()> function) {
  return taking(0, [this, function = std::move(function)] {
    inHostFunction_ = true;
    function();
    inHostFunction_ = false;
  });
}

// On the timed machine, once there are streams that might bring work to run beside the work that there is.
bool Context::gathersWork() {
  const runtime::Settings& settings = device().settings();
  return settings.timing && settings.checkpointFile.empty() && streams.mayOverlap();
}

bool Context::defersWork() { return gathersWork() || device().hasWaiting(); }

void Context::carryOut(void (runtime::Device::*run)()) {
  if (!device_) return;
  try {
    do {
      streams.work().startReady();
      (*device_.*run)();
    } while (streams.work().hasReady() && !failure_);
  } catch (...) {
    abandon();
    throw;
  }
  if (failure_) fail(*std::exchange(failure_, std::nullopt));
}

void Context::carryOut() { carryOut(&runtime::Device::run); }

void Context::carryOutUnlessGathering() {
  if (!gathersWork()) carryOut();
}

// The host waits until then. What never ends hangs.
void Context::finish(const std::function<bool()>& hasEnded) {
  carryOut();
  if (sticky != cudaSuccess || hasEnded()) return;
  carryOut(&runtime::Device::runPatiently);
  if (sticky != cudaSuccess || hasEnded()) return;
  device_->endWaiting();
  if (failure_) fail(*std::exchange(failure_, std::nullopt));
}

void Context::waitForAll() {
  finish([this] { return !device_ || !device_->hasWaiting(); });
  streams.hostWaitsForAll();
}

void Context::waitFor(const Stream& stream) {
  finish([&] { return streams.hasEnded(stream); });
  streams.hostWaitsFor(stream);
}

void Context::waitFor(const WorkPointer& work) {
  finish([&] { return !work || work->end; });
  streams.hostWaitsFor(work);
}

void Context::launchEnded(const exec::LaunchResult& result) {
  for (const std::string& warning : result.warnings) printError(warning);
  for (const std::string& fault : result.tolerated) printError(fault);
  if (result.status != exec::LaunchStatus::completed && !failure_) failure_ = result;
}

void Context::abandon() {
  streams.abandon();
  events.abandon();
  if (device_) device_->abandon();
}

void Context::fail(const exec::LaunchResult& result) {
  abandon();
  printError(result.message);
  if (result.status == exec::LaunchStatus::stopped && runtime::interrupted()) endInterrupted();
  sticky = statusOf(result.status);
}

void Context::reset() {
  ++resets;
  sticky = cudaSuccess;
  captures.abandon();
  graphs.reset();
  streams.reset();
  events.reset();
  hostFlags.clear();
  pinnedBytes = 0;
  limits = kDefaultLimits;
  stackBytes.reset();
  cacheConfig = cudaFuncCachePreferNone;
  registry.forgetModules();
  if (device_) device_->reset();
}

void Context::report() {
  // A forked child has a copy of its parent's profile: the parent prints it.
  if (reported_ || !device_ || getpid() != process_) return;
  reported_ = true;
  try {
    if (sticky == cudaSuccess) waitForAll();
    runtime::report(*device_, environment_->report);
  } catch (const Error& error) {
    printError(error.what());
  }
}

void Context::endInterrupted() {
  report();
  runtime::dieOfInterrupt();
}

void enterDriverCall() { ++driverCalls; }
void leaveDriverCall() { --driverCalls; }

bool runtimeWasCalled() { return runtimeCalled; }

cudaError_t record(cudaError_t status) {
  if (driverCalls > 0) return status;
  runtimeCalled = true;
  if (status != cudaSuccess && status != cudaErrorNotReady) lastErrorOfThread = status;
  return status;
}

cudaError_t lastError() { return lastErrorOfThread; }

cudaError_t takeLastError() { return std::exchange(lastErrorOfThread, cudaSuccess); }

cudaError_t statusOf(const std::exception& error) {
  if (dynamic_cast<const SettingsError*>(&error)) return cudaErrorInitializationError;
  if (dynamic_cast<const std::bad_alloc*>(&error)) return cudaErrorMemoryAllocation;
  printError(error.what());
  return dynamic_cast<const Error*>(&error) ? cudaErrorLaunchFailure : cudaErrorUnknown;
}

}  // namespace warpwright::cudart
