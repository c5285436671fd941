#include "state.hpp"

#include <algorithm>

#include "cuda_runtime_api.h"
#include "function.hpp"

namespace warpwright::cuda {

Driver& Driver::instance() {
  static Driver* const driver = new Driver(*__warpwrightDriverAccess());
  return *driver;
}

Driver::Driver(cudart::DriverAccess& given) : access(given) {
  access.findKernelsBy([this](const void* handle) -> std::optional<cudart::FoundKernel> {
    const auto* const function = static_cast<const CUfunc_st*>(handle);
    if (!isAlive(const_cast<CUfunction>(function))) return std::nullopt;
    return cudart::FoundKernel{function->unit, function->function, maxDynamicShared(*this, *function),
                               static_cast<exec::CachePreference>(function->cacheConfig)};
  });
}

bool Driver::isAlive(CUcontext context) const { return context == &primary_ || contexts_.contains(context); }

CUcontext Driver::create(unsigned int flags) {
  auto context = std::make_unique<CUctx_st>(CUctx_st{nextContext_++, flags, false, {}});
  const CUcontext handle = context.get();
  contexts_.emplace(handle, std::move(context));
  return handle;
}

void Driver::clear(CUcontext context) {
  access.waitForAll();
  // A context takes its error with it; the memory could not be freed before.
  access.clearStickyError();
  for (const CUdeviceptr address : context->allocations) cudaFree(reinterpret_cast<void*>(address));
  context->allocations.clear();
  std::vector<CUmodule> loaded;
  for (const auto& [handle, module] : modules_)
    if (module->context == context) loaded.push_back(handle);
  for (const CUmodule module : loaded) unload(module);
}

void Driver::destroy(CUcontext context) {
  clear(context);
  std::erase(stack(), context);
  contexts_.erase(context);
}

std::vector<CUcontext>& Driver::stack() {
  static thread_local std::vector<CUcontext> contexts;
  return contexts;
}

CUcontext Driver::current() const {
  if (!stack().empty()) return stack().back();
  return access.runtimeWasCalled() ? const_cast<CUcontext>(&primary_) : nullptr;
}

CUmodule Driver::add(const runtime::Module& unit, CUcontext context) {
  auto module = std::make_unique<CUmod_st>();
  module->unit = &unit;
  module->context = context;
  const CUmodule handle = module.get();
  modules_.emplace(handle, std::move(module));
  return handle;
}

void Driver::forget(CUdeviceptr memory) {
  primary_.allocations.erase(memory);
  for (const auto& [handle, context] : contexts_) context->allocations.erase(memory);
}

void Driver::unload(CUmodule module) {
  access.waitForAll();
  for (const auto& [name, function] : module->functions) functions_.erase(function.get());
  access.unloadModule(*module->unit);
  modules_.erase(module);
}

CUfunction Driver::function(CUmodule module, std::string_view name) {
  const auto known = module->functions.find(name);
  if (known != module->functions.end()) return known->second.get();
  const auto& all = module->unit->loaded->program.functions;
  const auto found = std::find_if(all.begin(), all.end(), [&](const isa::Function& f) { return f.isKernel && f.name == name; });
  if (found == all.end()) return nullptr;
  auto function = std::make_unique<CUfunc_st>();
  function->module = module;
  function->unit = module->unit;
  function->function = &*found;
  const CUfunction handle = function.get();
  functions_.insert(handle);
  module->functions.emplace(std::string(name), std::move(function));
  return handle;
}

CUlibrary Driver::addLibrary(CUmodule module) {
  auto library = std::make_unique<CUlib_st>(CUlib_st{module});
  const CUlibrary handle = library.get();
  module->library = handle;
  libraries_.emplace(handle, std::move(library));
  return handle;
}

void Driver::unload(CUlibrary library) {
  unload(library->module);
  libraries_.erase(library);
}

void Driver::forgetAfterReset() {
  const u64 resets = access.resets();
  if (resets == resetsSeen_) return;
  resetsSeen_ = resets;
  functions_.clear();
  libraries_.clear();
  modules_.clear();
  primary_.allocations.clear();
  for (const auto& [handle, context] : contexts_) context->allocations.clear();
}

}  // namespace warpwright::cuda
