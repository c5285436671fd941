#include "state.hpp"

#include <algorithm>
#include <utility>

#include "cuda_runtime_api.h"
#include "function.hpp"

namespace warpwright::cuda {

Driver& Driver::instance() {
  static Driver* const driver = new Driver(*__warpwrightDriverAccess());
  return *driver;
}

Driver::Driver(cudart::DriverAccess& given) : access(given) {
  access.findKernelsBy([this](const void* handle) -> std::optional<cudart::FoundKernel> {
    auto* const named = static_cast<CUfunction>(const_cast<void*>(handle));
    if (!isAlive(named)) return std::nullopt;
    const CUfunc_st* const function = onCurrentDevice(named);
    if (!function) return std::nullopt;
    return cudart::FoundKernel{function->unit,
                               function->function,
                               function->module->device,
                               maxDynamicShared(*this, *named),
                               static_cast<exec::CachePreference>(named->cacheConfig),
                               named->clusters};
  });
}

CUcontext Driver::primary(u32 device) {
  auto& primary = primaries_[device];
  if (!primary) primary = std::make_unique<CUctx_st>(CUctx_st{.device = device, .id = nextContext_++, .primary = true});
  return primary.get();
}

bool Driver::isAlive(CUcontext context) const {
  const auto isIt = [&](const auto& primary) { return primary.second.get() == context; };
  return contexts_.contains(context) || std::ranges::any_of(primaries_, isIt);
}

bool Driver::hasCreatedContexts(u32 device) const {
  return std::ranges::any_of(contexts_, [&](const auto& each) { return each.second->device == device; });
}

void Driver::enter(CUcontext context) {
  if (context) access.makeCurrent(context->device);
}

CUcontext Driver::create(u32 device, unsigned int flags) {
  auto context = std::make_unique<CUctx_st>(CUctx_st{.device = device, .id = nextContext_++, .flags = flags});
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

// cudaSetDevice puts the primary context of another device in the place of what the driver API made current.
CUcontext Driver::current() {
  const u32 device = access.currentDevice();
  if (!stack().empty() && (stack().back()->device == device || !access.runtimeWasCalled())) return stack().back();
  return access.runtimeWasCalled() ? primary(device) : nullptr;
}

CUmodule Driver::add(const runtime::Module& unit, CUcontext context) {
  auto module = std::make_unique<CUmod_st>();
  module->unit = &unit;
  module->context = context;
  module->device = access.currentDevice();
  const CUmodule handle = module.get();
  modules_.emplace(handle, std::move(module));
  return handle;
}

void Driver::forget(CUdeviceptr memory) {
  for (const auto& [device, primary] : primaries_) primary->allocations.erase(memory);
  for (const auto& [handle, context] : contexts_) context->allocations.erase(memory);
}

void Driver::unload(CUmodule module) {
  access.waitForAll();
  access.unloadModule(module->device, *module->unit);
  forget(module);
}

void Driver::forget(CUmodule module) {
  for (const auto& [name, function] : module->functions) functions_.erase(function.get());
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

CUlibrary Driver::addLibrary(CUmodule module, std::vector<runtime::PtxUnit> units) {
  auto library = std::make_unique<CUlib_st>(CUlib_st{std::move(units), {{module->device, module}}});
  const CUlibrary handle = library.get();
  module->library = handle;
  libraries_.emplace(handle, std::move(library));
  return handle;
}

CUmodule Driver::moduleOf(CUlibrary library) {
  CUmodule& module = library->modules[access.currentDevice()];
  if (module) return module;
  const auto loaded = access.loadModule(library->units, "module");
  if (!loaded.module) {
    access.explain(loaded.message);
    return nullptr;
  }
  module = add(*loaded.module, nullptr);
  module->library = library;
  return module;
}

CUfunction Driver::onCurrentDevice(CUfunction named) {
  if (!named->module->library || named->module->device == access.currentDevice()) return named;
  const CUmodule module = moduleOf(named->module->library);
  return module ? function(module, named->function->name) : nullptr;
}

void Driver::unload(CUlibrary library) {
  for (const auto& [device, module] : library->modules)
    if (module) unload(module);
  libraries_.erase(library);
}

void Driver::forgetAfterReset() {
  for (u32 device = 0; device < access.devices(); ++device) {
    const u64 resets = access.resets(device);
    if (resets == std::exchange(resetsSeen_[device], resets)) continue;
    forgetAllOf(device);
  }
}

void Driver::forgetAllOf(u32 device) {
  std::vector<CUmodule> gone;
  for (const auto& [handle, module] : modules_)
    if (module->device == device) gone.push_back(handle);
  for (const CUmodule module : gone) {
    if (module->library) module->library->modules.erase(device);
    forget(module);
  }
  std::erase_if(libraries_, [](const auto& each) { return each.second->modules.empty(); });
  for (const auto& [of, primary] : primaries_)
    if (of == device) primary->allocations.clear();
  for (const auto& [handle, context] : contexts_)
    if (context->device == device) context->allocations.clear();
}

}  // namespace warpwright::cuda
