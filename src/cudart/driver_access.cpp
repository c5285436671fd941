#include "driver_access.hpp"

#include <cstring>
#include <utility>

#include "copy.hpp"
#include "launch.hpp"
#include "messages.hpp"
#include "operation.hpp"
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
  u64 resets(u32 device) override { return context().resets(device); }
  u32 devices() override { return context().devices().count(); }
  u32 currentDevice() override { return CurrentDevice::ordinal(); }
  void makeCurrent(u32 device) override { CurrentDevice::set(device); }

  cudaError_t initialise() override {
    return call([](Context& context) {
      context.device();
      return cudaSuccess;
    });
  }
  const config::Machine& machine() override { return context().machine(); }
  cudaDeviceProp properties(u32 device) override { return propertiesOf(context().machine(), device); }
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
  void unloadModule(u32 device, const runtime::Module& module) override {
    call(
        [&](Context& context) {
          context.devices().at(device).unloadModule(module.id);
          return cudaSuccess;
        },
        AfterSticky::allow);
  }
  void findKernelsBy(std::function<std::optional<FoundKernel>(const void*)> find) override { context().driverKernels = std::move(find); }
  cudaError_t launch(const void* kernel, const exec::LaunchShape& shape, void** arguments, void** extra, cudaStream_t stream) override {
    return call([&](Context& context) {
      KernelCall described;
      const cudaError_t status = describe(context, kernel, shape, {arguments, extra}, described);
      return status == cudaSuccess ? issueLaunch(context, std::move(described), stream) : status;
    });
  }
  u32 blocksPerMultiprocessor(u32 device, const isa::Function& kernel, u32 threads, u64 dynamicSharedBytes) override {
    return context().devices().at(device).occupancy(kernel, threads, dynamicSharedBytes).blocksPerSm;
  }

  std::optional<exec::Allocation> allocation(u64 address) override {
    const exec::Allocation* const found = context().devices().find(GlobalAddress(address), 1);
    return found ? std::optional(*found) : std::nullopt;
  }
  cudaError_t fill(const Fill& fill, cudaStream_t stream) override {
    return call([&](Context& context) {
      const Box box{fill.count * fill.elementBytes, fill.rows};
      return fillBox(context, {linear(fill.start, fill.pitch), {fill.value, fill.elementBytes}, box}, stream);
    });
  }

  cudaError_t callInOrder(std::function<void()> function, cudaStream_t stream) override {
    return call([&](Context& context) {
      const Target target = targetOf(context, stream, Purpose::uncaptured);
      if (target.status != cudaSuccess) return target.status;
      context.issue(*target.stream, context.callOf(std::move(function)));
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
