#include "driver_access.hpp"

#include <cstring>
#include <utility>

#include "copy.hpp"
#include "launch.hpp"
#include "messages.hpp"
#include "properties.hpp"

namespace warpwright::cudart {
namespace {

class Access final : public DriverAccess {
 public:
  std::recursive_mutex& mutex() override { return context().mutex; }
  void beginCall() override { enterDriverCall(); }
  void endCall() override { leaveDriverCall(); }
  bool setDefaultStreamPerThread(bool own) override { return DefaultStreamPerThread::set(own); }
  bool runtimeWasCalled() override { return cudart::runtimeWasCalled() && context().hasDevice(); }
  u64 resets() override { return context().resets; }

  cudaError_t initialise() override {
    return call([](Context& context) {
      context.device();
      return cudaSuccess;
    });
  }
  const config::Machine& machine() override { return context().machine(); }
  cudaDeviceProp properties() override { return propertiesOf(context().machine()); }
  cudaError_t stickyError() override { return context().sticky; }
  void waitForAll() override {
    callWhenDone([](Context&) { return cudaSuccess; });
  }
  void clearStickyError() override { context().sticky = cudaSuccess; }

  Loaded loadModule(const std::vector<runtime::PtxUnit>& units, const std::string& name) override {
    Loaded loaded;
    loaded.status = call([&](Context& context) {
      try {
        loaded.module = &context.device().loadModule(units, name);
      } catch (const Error& error) {
        loaded.message = error.what();
        return cudaErrorInvalidPtx;
      }
      return cudaSuccess;
    });
    return loaded;
  }
  void unloadModule(const runtime::Module& module) override {
    call(
        [&](Context& context) {
          context.device().unloadModule(module.id);
          return cudaSuccess;
        },
        AfterSticky::allow);
  }
  cudaError_t launch(const runtime::Launch& launch, u64 maxDynamicShared, cudaStream_t stream) override {
    return call([&](Context& context) { return issueLaunch(context, launch, maxDynamicShared, stream); });
  }
  u32 blocksPerMultiprocessor(const isa::Function& kernel, u32 threads, u64 dynamicSharedBytes) override {
    return context().device().occupancy(kernel, threads, dynamicSharedBytes).blocksPerSm;
  }

  std::optional<exec::Allocation> allocation(u64 address) override {
    const exec::Allocation* const found = context().memory().find(GlobalAddress(address), 1);
    return found ? std::optional(*found) : std::nullopt;
  }
  cudaError_t fill(const Fill& fill, cudaStream_t stream) override {
    return call([&](Context& context) {
      const Side to{static_cast<std::byte*>(fill.start), fill.pitch};
      return fillElements(context, to, {fill.value, fill.elementBytes}, {fill.count * fill.elementBytes, fill.rows}, stream);
    });
  }

  cudaError_t callInOrder(std::function<void()> function, cudaStream_t stream) override {
    return call([&](Context& context) {
      Stream* const target = context.streams.find(stream);
      if (!target) return cudaErrorInvalidResourceHandle;
      context.issueHostFunction(*target, std::move(function));
      return cudaSuccess;
    });
  }

  void explain(const std::string& text) override { printError(text); }

 private:
  static Context& context() { return Context::instance(); }
};

}  // namespace
}  // namespace warpwright::cudart

warpwright::cudart::DriverAccess* __warpwrightDriverAccess() {
  static warpwright::cudart::Access access;
  return &access;
}
