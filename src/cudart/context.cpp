#include "context.hpp"

#include <fmt/format.h>
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

Context::Context() : process_(getpid()) {}

Devices& Context::devices() {
  if (runtime::interrupted()) endInterrupted();
  if (!devices_.empty()) return devices_;
  try {
    if (!environment_) environment_ = runtime::readEnvironment();
    devices_.make(*environment_, registry.addressBits());
  } catch (const Error& error) {
    if (!failureShown_) printError(error.what());
    failureShown_ = true;
    throw SettingsError(error.what());
  }
  return devices_;
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

bool Context::defersWork() { return gathersWork() || devices().haveWaiting(); }

void Context::carryOut(void (runtime::Device::*run)()) {
  if (devices_.empty()) return;
  u64 seen = 0;
  try {
    do {
      streams.work().startReady();
      seen = submissions_;
      for (const auto& device : devices_.all()) ((*device).*run)();
      // What ends on one device may let another go on.
    } while ((streams.work().hasReady() || (devices_.count() > 1 && submissions_ != seen)) && !failure_);
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
  for (const auto& device : devices_.all()) device->endWaiting();
  if (failure_) fail(*std::exchange(failure_, std::nullopt));
}

void Context::waitForAll() {
  finish([this] { return !devices_.haveWaiting(); });
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

void Context::submit(u32 ordinal, const runtime::Launch& launch, const WorkPointer& work) {
  ++submissions_;
  devices_.at(ordinal).submit(launch, [this, ordinal, work](const runtime::LaunchOutcome& outcome) {
    launchEnded(ordinal, outcome);
    if (outcome.status != exec::LaunchStatus::completed) return;
    streams.work().finish(work, outcome.endNanoseconds);
    streams.work().startReady();
  });
}

void Context::launchEnded(u32 ordinal, const exec::LaunchResult& result) {
  const std::string device = devices_.count() > 1 ? fmt::format("device {}: ", ordinal) : "";
  for (const std::string& warning : result.warnings) printError(device + warning);
  for (const std::string& fault : result.tolerated) printError(device + fault);
  if (result.status == exec::LaunchStatus::completed || failure_) return;
  failure_ = result;
  failure_->message = device + failure_->message;
}

void Context::abandon() {
  streams.abandon();
  events.abandon();
  for (const auto& device : devices_.all()) device->abandon();
}

void Context::fail(const exec::LaunchResult& result) {
  abandon();
  printError(result.message);
  if (result.status == exec::LaunchStatus::stopped && runtime::interrupted()) endInterrupted();
  sticky = statusOf(result.status);
}

u64 Context::pinnedBytes() {
  u64 bytes = 0;
  for (const exec::Allocation& allocation : memory().live())
    if (allocation.kind == exec::AllocationKind::managed && hostFlags.contains(exec::GlobalMemory::hostPointer(allocation.address)))
      bytes += allocation.size;
  return bytes;
}

void Context::reset() {
  const u32 ordinal = CurrentDevice::ordinal();
  ++resets_[ordinal];
  sticky = cudaSuccess;
  captures.abandon();
  graphs.reset();
  streams.reset(ordinal);
  events.reset(ordinal);
  preferences_[ordinal] = {};
  if (devices_.empty()) return;
  registry.forgetModules(device());
  devices_.reset();
  std::erase_if(hostFlags, [this](const auto& each) { return !devices_.find(exec::GlobalMemory::addressOf(each.first), 1); });
}

void Context::report() {
  // A forked child has a copy of its parent's profile: the parent prints it.
  if (reported_ || devices_.empty() || getpid() != process_) return;
  reported_ = true;
  try {
    if (sticky == cudaSuccess) waitForAll();
    for (u32 ordinal = 0; ordinal < devices_.count(); ++ordinal)
      runtime::report(devices_.at(ordinal), runtime::ofDevice(*environment_, ordinal).report);
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
