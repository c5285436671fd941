// The driver's functions by name. They are in libcuda.so.1, which is loaded when the first one is asked for.
#include <dlfcn.h>

#include <filesystem>

#include "context.hpp"
#include "cuda_runtime_api.h"
#include "messages.hpp"
#include "versioned_api.hpp"

using namespace warpwright::cudart;

namespace {

using GetProcAddress = int (*)(const char* symbol, void** function, int cudaVersion, unsigned long long flags, int* status);

// Beside this library, not by the loader's path, where another driver may be.
GetProcAddress findGetProcAddress() {
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&findGetProcAddress), &self) == 0) return nullptr;
  const auto file = std::filesystem::path(self.dli_fname).parent_path() / "warpwright" / "libcuda.so.1";
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) printError(std::string("cannot load the driver library: ") + dlerror());
  return library ? reinterpret_cast<GetProcAddress>(dlsym(library, "cuGetProcAddress_v2")) : nullptr;
}

cudaError_t find(const char* symbol, void** function, int version, unsigned long long flags, cudaDriverEntryPointQueryResult* status) {
  if (!symbol || !*symbol || !function || flags > cudaEnablePerThreadDefaultStream) return record(cudaErrorInvalidValue);
  static const GetProcAddress getProcAddress = findGetProcAddress();
  if (!getProcAddress) return record(cudaErrorInsufficientDriver);
  if (flags == cudaEnableDefault && DefaultStreamPerThread::active()) flags = cudaEnablePerThreadDefaultStream;
  int found = cudaDriverEntryPointSymbolNotFound;
  *function = nullptr;
  getProcAddress(symbol, function, version, flags, &found);
  if (status) *status = static_cast<cudaDriverEntryPointQueryResult>(found);
  // With a status to look at, the call itself succeeds.
  return record(*function || status ? cudaSuccess : cudaErrorSymbolNotFound);
}

}  // namespace

cudaError_t __warpwrightGetDriverEntryPoint(const char* symbol, void** function, int version, unsigned long long flags,
                                            cudaDriverEntryPointQueryResult* status) {
  return find(symbol, function, version, flags, status);
}

cudaError_t __warpwrightGetDriverEntryPoint_ptsz(const char* symbol, void** function, int version, unsigned long long flags,
                                                 cudaDriverEntryPointQueryResult* status) {
  const DefaultStreamPerThread scope;
  return find(symbol, function, version, flags, status);
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  return find(symbol, function, CUDART_VERSION, flags, status);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned int cudaVersion, unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* status) {
  return find(symbol, function, static_cast<int>(cudaVersion), flags, status);
}
