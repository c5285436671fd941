// What the program's start-up code registers: modules, and the host addresses that stand for kernels and variables. Modules are
// compiled when something in them is first used.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/types.hpp"
#include "cluster_settings.hpp"
#include "driver_types.h"
#include "runtime/device.hpp"
#include "runtime/ptx_source.hpp"

namespace warpwright::cudart {

// Stands for a kernel that has no host function.
struct KernelHandle {
  char unused;
};

struct FatBinary {
  std::string name;               // for messages
  const void* wrapper = nullptr;  // of nvcc's or warpwright-cc's registration
  // By device, once it was needed there: its module or, where there is none, the reason, which was printed; it is not tried again.
  struct Loaded {
    const runtime::Module* module = nullptr;
    cudaError_t failure = cudaSuccess;
  };
  std::map<const runtime::Device*, Loaded> loaded;
  std::optional<std::map<std::string, std::vector<u8>>> images;  // initial bytes of its variables, once read

  // Of code that the program loads itself instead.
  bool isLibrary = false;
  std::vector<runtime::PtxUnit> units;
  std::map<std::string, KernelHandle, std::less<>> handles;  // of the kernels that were asked for
};

struct Kernel {
  FatBinary* binary = nullptr;
  std::string name;
  std::map<const runtime::Device*, const isa::Function*> functions;  // once its module is loaded; null: the module has none such
  std::optional<u64> maxDynamicSharedBytes;                          // cudaFuncSetAttribute
  int sharedCarveout = -1;
  ClusterSettings clusters;
  cudaFuncCache cacheConfig = cudaFuncCachePreferNone;
};

struct Symbol {
  FatBinary* binary = nullptr;
  std::string name;
  u64 size = 0;                                       // bytes
  std::map<const runtime::Device*, u64> addresses{};  // once its module is loaded
  void* host = nullptr;
  void** managedPointer = nullptr;                     // nvcc's managed variables: receives the address
  u64 addressOn(const runtime::Device& device) const;  // 0: it has none
  bool normalizedRead = false;                         // texture reference that reads integers as 0 … 1
};

class Registry {
 public:
  FatBinary& addBinary(const void* wrapper);
  // Code that the program loads itself (cudaLibraryLoadData).
  FatBinary& addLibrary(std::vector<runtime::PtxUnit> units);
  bool isLibrary(const FatBinary* binary) const;
  // Each of `devices` forgets it.
  void removeLibrary(std::span<const std::unique_ptr<runtime::Device>> devices, FatBinary& library);
  // The address that stands for a kernel of a library, which is loaded on the device; null when it has none of that name.
  const void* libraryKernel(const runtime::Device& device, FatBinary& library, const std::string& name);
  void addKernel(FatBinary& binary, const void* host, const char* name);
  void addSymbol(const void* host, Symbol symbol);
  // Host variables in this range are the storage of the managed variables registered with their addresses, before or after this
  // call. They get their initial values at once, as the program's first statement may read them.
  void addManagedRange(void* begin, void* end);

  // Null when nothing of that address is registered.
  Kernel* kernel(const void* host);
  Symbol* symbol(const void* host);

  // Loads the module where that has not happened. When it cannot be loaded, the reason is printed.
  FatBinary::Loaded load(runtime::Device& device, FatBinary& binary);
  // 32 when any registered module is PTX for 32-bit addresses, else 64.
  u32 addressBits() const;
  // After its reset: everything is loaded anew at its next use.
  void forgetModules(const runtime::Device& device);

 private:
  bool isManaged(const void* host) const;
  static void initialise(const Symbol& symbol);
  runtime::Placements placeManaged(runtime::Device& device, const FatBinary& binary);
  void resolve(const runtime::Device& device, FatBinary& binary);
  static std::vector<runtime::PtxUnit> unitsOf(const FatBinary& binary, const config::Machine& machine);

  std::vector<std::unique_ptr<FatBinary>> binaries_;
  std::unordered_map<const void*, Kernel> kernels_;
  std::unordered_map<const void*, Symbol> symbols_;
  std::vector<std::pair<const char*, const char*>> managedRanges_;
};

}  // namespace warpwright::cudart
