// Libraries: code that the program loads at run time. A library is a module of the registry whose kernels have handles instead of host
// functions, so that everything that takes a host function takes the handle too.
#include <fstream>
#include <sstream>

#include "context.hpp"
#include "cuda_runtime_api.h"
#include "fatbin/container.hpp"
#include "messages.hpp"
#include "runtime/fatbinary.hpp"

using namespace warpwright;
using namespace warpwright::cudart;

namespace {

using Units = std::vector<runtime::PtxUnit>;

FatBinary* binaryOf(cudaLibrary_t library) { return reinterpret_cast<FatBinary*>(library); }

struct JitOptions {
  cudaJitOption* options = nullptr;
  void** values = nullptr;
  unsigned int count = 0;

  bool valid() const { return count == 0 || (options && values); }
};

void bound(Units& units, const JitOptions& jit) {
  for (unsigned int i = 0; i < jit.count; ++i) {
    if (jit.options[i] != cudaJitMaxRegisters) continue;
    const auto registers = static_cast<u32>(reinterpret_cast<uintptr_t>(jit.values[i]));
    for (runtime::PtxUnit& unit : units) unit.maxRegisters = std::min(registers, unit.maxRegisters.value_or(registers));
  }
}

// Read: Units(u32 smVersion).
template <typename Read>
cudaError_t load(cudaLibrary_t* library, const JitOptions& jit, Read&& read) {
  return call([&](Context& context) {
    if (!library || !jit.valid()) return cudaErrorInvalidValue;
    const config::Machine& machine = context.machine();
    Units units;
    try {
      units = read(machine.computeMajor * 10 + machine.computeMinor);
    } catch (const Error& error) {
      printError(error.what());
      return dynamic_cast<const fatbin::NoPtx*>(&error) ? cudaErrorNoKernelImageForDevice : cudaErrorInvalidKernelImage;
    }
    bound(units, jit);
    FatBinary& binary = context.registry.addLibrary(std::move(units));
    const cudaError_t status = context.registry.load(context.device(), binary).failure;
    if (status == cudaSuccess) *library = reinterpret_cast<cudaLibrary_t>(&binary);
    if (status != cudaSuccess) context.registry.removeLibrary(context.devices().all(), binary);
    return status;
  });
}

// Body: cudaError_t(Context&, FatBinary&, const exec::LoadedProgram&), with the library loaded on the current device.
template <typename Body>
cudaError_t withLibrary(cudaLibrary_t library, bool argumentsValid, Body&& body) {
  return call([&](Context& context) {
    if (!argumentsValid) return cudaErrorInvalidValue;
    if (!context.registry.isLibrary(binaryOf(library))) return cudaErrorInvalidResourceHandle;
    const auto [module, failure] = context.registry.load(context.device(), *binaryOf(library));
    return module ? body(context, *binaryOf(library), *module->loaded) : failure;
  });
}

cudaKernel_t handleOf(const void* kernel) { return reinterpret_cast<cudaKernel_t>(const_cast<void*>(kernel)); }

cudaError_t findVariable(void** pointer, size_t* bytes, cudaLibrary_t library, const char* name, bool managed) {
  return withLibrary(library, name && (pointer || bytes), [&](Context&, FatBinary&, const exec::LoadedProgram& loaded) {
    for (std::size_t i = 0; i < loaded.program.variables.size(); ++i) {
      const isa::Variable& variable = loaded.program.variables[i];
      if (variable.name != name || (managed && !variable.managed)) continue;
      if (pointer) *pointer = exec::GlobalMemory::hostPointer(loaded.variableAddresses[i]);
      if (bytes) *bytes = variable.size;
      return cudaSuccess;
    }
    return cudaErrorSymbolNotFound;
  });
}

}  // namespace

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption* jitOptions, void** jitValues,
                                unsigned int jitCount, cudaLibraryOption*, void**, unsigned int) {
  if (!code) return record(cudaErrorInvalidValue);
  return load(library, {jitOptions, jitValues, jitCount}, [&](u32 smVersion) { return runtime::imagePtx(code, "library", smVersion); });
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* file, cudaJitOption* jitOptions, void** jitValues,
                                    unsigned int jitCount, cudaLibraryOption*, void**, unsigned int) {
  if (!file) return record(cudaErrorInvalidValue);
  std::ifstream in(file, std::ios::binary);
  if (!in) return record(cudaErrorFileNotFound);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return load(library, {jitOptions, jitValues, jitCount}, [&](u32 smVersion) { return runtime::filePtx(bytes.str(), file, smVersion); });
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return callWhenDone([&](Context& context) {
    if (!context.registry.isLibrary(binaryOf(library))) return cudaErrorInvalidResourceHandle;
    context.registry.removeLibrary(context.devices().all(), *binaryOf(library));
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  return withLibrary(library, kernel && name, [&](Context& context, FatBinary& binary, const exec::LoadedProgram&) {
    *kernel = handleOf(context.registry.libraryKernel(context.device(), binary, name));
    return *kernel ? cudaSuccess : cudaErrorSymbolNotFound;
  });
}

cudaError_t cudaLibraryGetKernelCount(unsigned int* count, cudaLibrary_t library) {
  return withLibrary(library, count, [&](Context&, FatBinary&, const exec::LoadedProgram& loaded) {
    *count = 0;
    for (const isa::Function& function : loaded.program.functions) *count += function.isKernel;
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned int count, cudaLibrary_t library) {
  return withLibrary(library, kernels, [&](Context& context, FatBinary& binary, const exec::LoadedProgram& loaded) {
    for (const isa::Function& function : loaded.program.functions) {
      if (count == 0) break;
      if (!function.isKernel) continue;
      *kernels++ = handleOf(context.registry.libraryKernel(context.device(), binary, function.name));
      --count;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryGetGlobal(void** pointer, size_t* bytes, cudaLibrary_t library, const char* name) {
  return findVariable(pointer, bytes, library, name, false);
}

cudaError_t cudaLibraryGetManaged(void** pointer, size_t* bytes, cudaLibrary_t library, const char* name) {
  return findVariable(pointer, bytes, library, name, true);
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute, int value, int device) {
  return call([&](Context& context) {
    return context.devices().has(device) ? cudaFuncSetAttribute(kernel, attribute, value) : cudaErrorInvalidDevice;
  });
}
