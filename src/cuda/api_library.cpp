// Libraries: modules without a context. A CUkernel is the CUfunction of its library's module.
#include "call.hpp"
#include "load.hpp"

using namespace warpwright::cuda;

namespace {

CUfunction functionOf(CUkernel kernel) { return reinterpret_cast<CUfunction>(kernel); }

CUresult load(CUlibrary* library, Driver& driver, const Image& image, const JitOptions& options) {
  if (!library) return CUDA_ERROR_INVALID_VALUE;
  CUmodule module = nullptr;
  const CUresult status = loadImage(driver, image, options, nullptr, &module);
  if (status == CUDA_SUCCESS) *library = driver.addLibrary(module, bounded(image.units, options.maxRegisters()));
  return status;
}

// Body: CUresult(Driver&, CUmodule), with the library's module on the current device.
template <typename Body>
CUresult withLibrary(CUlibrary library, bool argumentsValid, Body&& body) {
  return call(Needs::cuInit, [&](Driver& driver) {
    if (!argumentsValid) return CUDA_ERROR_INVALID_VALUE;
    if (!driver.isAlive(library)) return CUDA_ERROR_INVALID_HANDLE;
    const CUmodule module = driver.moduleOf(library);
    return module ? body(driver, module) : CUDA_ERROR_INVALID_PTX;
  });
}

// All devices are alike, so that what holds for a kernel on one does on all. Body: CUresult().
template <typename Body>
CUresult withDevice(CUdevice device, Body&& body) {
  return call(Needs::cuInit, [&](Driver& driver) { return driver.has(device) ? body() : CUDA_ERROR_INVALID_DEVICE; });
}

CUresult findGlobal(CUdeviceptr* address, size_t* bytes, CUlibrary library, const char* name, bool managed) {
  return withLibrary(library, name && (address || bytes), [&](Driver&, CUmodule module) {
    const auto variable = findVariable(*module, name);
    if (!variable || (managed && !variable->managed)) return CUDA_ERROR_NOT_FOUND;
    if (address) *address = variable->address;
    if (bytes) *bytes = variable->bytes;
    return CUDA_SUCCESS;
  });
}

}  // namespace

CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* jitOptions, void** jitValues, unsigned int jitCount,
                           CUlibraryOption*, void**, unsigned int) {
  return call(Needs::cuInit, [&](Driver& driver) {
    return load(library, driver, readImage(code, smVersionOf(driver)), JitOptions(jitCount, jitOptions, jitValues));
  });
}

CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* file, CUjit_option* jitOptions, void** jitValues, unsigned int jitCount,
                               CUlibraryOption*, void**, unsigned int) {
  return call(Needs::cuInit, [&](Driver& driver) {
    if (!file) return CUDA_ERROR_INVALID_VALUE;
    const auto bytes = fileBytes(file);
    if (!bytes) return CUDA_ERROR_FILE_NOT_FOUND;
    return load(library, driver, readBytes(*bytes, file, smVersionOf(driver)), JitOptions(jitCount, jitOptions, jitValues));
  });
}

CUresult cuLibraryUnload(CUlibrary library) {
  return call(Needs::cuInit, [&](Driver& driver) {
    if (!driver.isAlive(library)) return CUDA_ERROR_INVALID_HANDLE;
    driver.unload(library);
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  return withLibrary(library, kernel && name, [&](Driver& driver, CUmodule module) {
    *kernel = reinterpret_cast<CUkernel>(driver.function(module, name));
    return *kernel ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
  });
}

CUresult cuLibraryGetKernelCount(unsigned int* count, CUlibrary library) {
  return withLibrary(library, count, [&](Driver&, CUmodule module) {
    *count = 0;
    for (const auto& function : module->unit->loaded->program.functions) *count += function.isKernel;
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned int count, CUlibrary library) {
  return withLibrary(library, kernels, [&](Driver& driver, CUmodule module) {
    for (const auto& function : module->unit->loaded->program.functions) {
      if (count == 0) break;
      if (!function.isKernel) continue;
      *kernels++ = reinterpret_cast<CUkernel>(driver.function(module, function.name));
      --count;
    }
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
  return withLibrary(library, module, [&](Driver&, CUmodule found) {
    *module = found;
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryGetGlobal(CUdeviceptr* address, size_t* bytes, CUlibrary library, const char* name) {
  return findGlobal(address, bytes, library, name, false);
}

CUresult cuLibraryGetManaged(CUdeviceptr* address, size_t* bytes, CUlibrary library, const char* name) {
  return findGlobal(address, bytes, library, name, true);
}

CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  return call(Needs::cuInit, [&](Driver& driver) {
    if (!function) return CUDA_ERROR_INVALID_VALUE;
    if (!driver.isAlive(functionOf(kernel))) return CUDA_ERROR_INVALID_HANDLE;
    *function = driver.onCurrentDevice(functionOf(kernel));
    return *function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX;
  });
}

CUresult cuKernelGetLibrary(CUlibrary* library, CUkernel kernel) {
  return call(Needs::cuInit, [&](Driver& driver) {
    if (!library) return CUDA_ERROR_INVALID_VALUE;
    if (!driver.isAlive(functionOf(kernel)) || !functionOf(kernel)->module->library) return CUDA_ERROR_INVALID_HANDLE;
    *library = functionOf(kernel)->module->library;
    return CUDA_SUCCESS;
  });
}

CUresult cuKernelGetName(const char** name, CUkernel kernel) { return cuFuncGetName(name, functionOf(kernel)); }

CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device) {
  return withDevice(device, [&] { return cuFuncGetAttribute(value, attribute, functionOf(kernel)); });
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device) {
  return withDevice(device, [&] { return cuFuncSetAttribute(functionOf(kernel), attribute, value); });
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device) {
  return withDevice(device, [&] { return cuFuncSetCacheConfig(functionOf(kernel), config); });
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t* offset, size_t* size) {
  return cuFuncGetParamInfo(functionOf(kernel), index, offset, size);
}
