// What the driver API keeps beside the runtime's devices: contexts, modules, functions, libraries.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "cuda.h"
#include "cudart/driver_access.hpp"

// All contexts of a device are over the same memory, so one is a list of what its end takes away.
struct CUctx_st {
  warpwright::u32 device = 0;  // ordinal
  unsigned long long id = 0;
  unsigned int flags = 0;
  bool primary = false;
  unsigned int uses = 0;  // cuDevicePrimaryCtxRetain
  std::set<CUdeviceptr> allocations;
};

// Also stands behind a CUkernel: launches take either.
struct CUfunc_st {
  CUmodule module = nullptr;
  const warpwright::runtime::Module* unit = nullptr;
  const warpwright::isa::Function* function = nullptr;
  std::optional<warpwright::u64> maxDynamicSharedBytes;
  int sharedCarveout = -1;
  warpwright::cudart::ClusterSettings clusters;
  CUfunc_cache cacheConfig = CU_FUNC_CACHE_PREFER_NONE;
};

struct CUmod_st {
  warpwright::u32 device = 0;   // ordinal
  CUcontext context = nullptr;  // null for the module of a library
  CUlibrary library = nullptr;
  const warpwright::runtime::Module* unit = nullptr;
  std::map<std::string, std::unique_ptr<CUfunc_st>, std::less<>> functions;  // those asked for
};

// Its kernels are those of the module on the device where it was loaded first; other devices get a module when they need it.
struct CUlib_st {
  std::vector<warpwright::runtime::PtxUnit> units;
  std::map<warpwright::u32, CUmodule> modules;  // by device
};

namespace warpwright::cuda {

class Driver {
 public:
  // Lives until the process ends, so that calls from destructors of static objects still work.
  static Driver& instance();

  cudart::DriverAccess& access;
  bool initialised = false;  // by cuInit
  bool has(CUdevice device) { return device >= 0 && static_cast<u32>(device) < access.devices(); }

  // ---- contexts

  CUcontext primary(u32 device);
  // It was freed, whichever context it belongs to.
  void forget(CUdeviceptr memory);
  bool isAlive(CUcontext context) const;
  CUcontext create(u32 device, unsigned int flags);
  // Frees what was allocated and loaded in it.
  void clear(CUcontext context);
  void destroy(CUcontext context);
  bool hasCreatedContexts(u32 device) const;
  // Null when the thread has none; the current device's primary one for programs that use the runtime API.
  CUcontext current();
  // Makes its device the runtime's current one, too; null changes nothing there.
  void enter(CUcontext context);
  // Runs the body while the device is the current one.
  template <typename Body>
  auto onDevice(u32 device, Body&& body) {
    const u32 outer = access.currentDevice();
    access.makeCurrent(device);
    const auto result = body();
    access.makeCurrent(outer);
    return result;
  }
  // Of the calling thread; the last is the current one.
  static std::vector<CUcontext>& stack();

  // ---- code

  CUmodule add(const runtime::Module& unit, CUcontext context);
  bool isAlive(CUmodule module) const { return modules_.contains(module); }
  void unload(CUmodule module);
  // Null when the module has no such kernel.
  CUfunction function(CUmodule module, std::string_view name);
  bool isAlive(CUfunction function) const { return functions_.contains(function); }
  CUlibrary addLibrary(CUmodule module, std::vector<runtime::PtxUnit> units);
  // On the current device. Null when it cannot be loaded there; the reason was printed.
  CUmodule moduleOf(CUlibrary library);
  // A library's function as the current device has it; null when it cannot be loaded there. Others are of one device.
  CUfunction onCurrentDevice(CUfunction function);
  bool isAlive(CUlibrary library) const { return libraries_.contains(library); }
  void unload(CUlibrary library);

  // A reset of a device by the runtime API takes away what it has.
  void forgetAfterReset();

 private:
  explicit Driver(cudart::DriverAccess& given);

  void forget(CUmodule module);
  void forgetAllOf(u32 device);

  std::map<u32, u64> resetsSeen_;  // by device
  unsigned long long nextContext_ = 1;
  std::map<u32, std::unique_ptr<CUctx_st>> primaries_;  // by device, once asked for
  std::map<CUcontext, std::unique_ptr<CUctx_st>> contexts_;
  std::map<CUmodule, std::unique_ptr<CUmod_st>> modules_;
  std::map<CUlibrary, std::unique_ptr<CUlib_st>> libraries_;
  std::set<CUfunction> functions_;
};

}  // namespace warpwright::cuda
