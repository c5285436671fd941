// Modules.
#include "call.hpp"
#include "load.hpp"

using namespace warpwright;
using namespace warpwright::cuda;

namespace {

CUresult load(CUmodule* module, const void* image, unsigned int count, CUjit_option* options, void** values) {
  return call(Needs::context, [&](Driver& driver) {
    return loadImage(driver, readImage(image, smVersionOf(driver)), JitOptions(count, options, values), driver.current(), module);
  });
}

// Body: CUresult(Driver&).
template <typename Body>
CUresult withModule(CUmodule module, bool argumentsValid, Body&& body) {
  return call(Needs::context, [&](Driver& driver) {
    if (!argumentsValid) return CUDA_ERROR_INVALID_VALUE;
    return driver.isAlive(module) ? body(driver) : CUDA_ERROR_INVALID_HANDLE;
  });
}

}  // namespace

CUresult cuModuleLoad(CUmodule* module, const char* file) {
  return call(Needs::context, [&](Driver& driver) {
    if (!module || !file) return CUDA_ERROR_INVALID_VALUE;
    const auto bytes = fileBytes(file);
    if (!bytes) return CUDA_ERROR_FILE_NOT_FOUND;
    return loadImage(driver, readBytes(*bytes, file, smVersionOf(driver)), JitOptions(0, nullptr, nullptr), driver.current(), module);
  });
}

CUresult cuModuleLoadData(CUmodule* module, const void* image) { return load(module, image, 0, nullptr, nullptr); }

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int count, CUjit_option* options, void** values) {
  return load(module, image, count, options, values);
}

CUresult cuModuleLoadFatBinary(CUmodule* module, const void* fatBinary) { return load(module, fatBinary, 0, nullptr, nullptr); }

CUresult cuModuleUnload(CUmodule module) {
  return call(Needs::handle, [&](Driver& driver) {
    if (!driver.isAlive(module)) return CUDA_ERROR_INVALID_HANDLE;
    if (module->library) return CUDA_ERROR_NOT_PERMITTED;
    driver.unload(module);
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  return call(Needs::cuInit, [&](Driver&) {
    if (!mode) return CUDA_ERROR_INVALID_VALUE;
    *mode = CU_MODULE_EAGER_LOADING;
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return withModule(module, function && name, [&](Driver& driver) {
    *function = driver.function(module, name);
    return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
  });
}

CUresult cuModuleGetFunctionCount(unsigned int* count, CUmodule module) {
  return withModule(module, count, [&](Driver&) {
    *count = 0;
    for (const isa::Function& function : module->unit->loaded->program.functions) *count += function.isKernel;
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned int count, CUmodule module) {
  return withModule(module, functions, [&](Driver& driver) {
    for (const isa::Function& function : module->unit->loaded->program.functions) {
      if (count == 0) break;
      if (!function.isKernel) continue;
      *functions++ = driver.function(module, function.name);
      --count;
    }
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetGlobal(CUdeviceptr* address, size_t* bytes, CUmodule module, const char* name) {
  return withModule(module, name && (address || bytes), [&](Driver&) {
    const auto variable = findVariable(*module, name);
    if (!variable) return CUDA_ERROR_NOT_FOUND;
    if (address) *address = variable->address;
    if (bytes) *bytes = variable->bytes;
    return CUDA_SUCCESS;
  });
}
