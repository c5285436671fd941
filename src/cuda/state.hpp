// What the driver API keeps beside the runtime's one device: contexts, modules, functions, libraries.
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

// The device's memory is one, so a context is a list of what its end takes away.
struct CUctx_st {
  unsigned long long id = 0;
  unsigned int flags = 0;
  bool primary = false;
  std::set<CUdeviceptr> allocations;
};

// Also stands behind a CUkernel: launches take either.
struct CUfunc_st {
  CUmodule module = nullptr;
  const warpwright::runtime::Module* unit = nullptr;
  const warpwright::isa::Function* function = nullptr;
  std::optional<warpwright::u64> maxDynamicSharedBytes;
  int sharedCarveout = -1;
  CUfunc_cache cacheConfig = CU_FUNC_CACHE_PREFER_NONE;
};

struct CUmod_st {
  CUcontext context = nullptr;  // null for the module of a library
  CUlibrary library = nullptr;
  const warpwright::runtime::Module* unit = nullptr;
  std::map<std::string, std::unique_ptr<CUfunc_st>, std::less<>> functions;  // those asked for
};

struct CUlib_st {
  CUmodule module = nullptr;
};

namespace warpwright::cuda {

class Driver {
 public:
  // Lives until the process ends, so that calls from destructors of static objects still work.
  static Driver& instance();

  cudart::DriverAccess& access;
  bool initialised = false;  // by cuInit

  // ---- contexts

  CUcontext primary() { return &primary_; }
  // It was freed, whichever context it belongs to.
  void forget(CUdeviceptr memory);
  unsigned int primaryUses = 0;
  bool isAlive(CUcontext context) const;
  CUcontext create(unsigned int flags);
  // Frees what was allocated and loaded in it.
  void clear(CUcontext context);
  void destroy(CUcontext context);
  bool hasCreatedContexts() const { return !contexts_.empty(); }
  // Null when the thread has none; the primary one for programs that use the runtime API.
  CUcontext current() const;
  // Of the calling thread; the last is the current one.
  static std::vector<CUcontext>& stack();

  // ---- code

  CUmodule add(const runtime::Module& unit, CUcontext context);
  bool isAlive(CUmodule module) const { return modules_.contains(module); }
  void unload(CUmodule module);
  // Null when the module has no such kernel.
  CUfunction function(CUmodule module, std::string_view name);
  bool isAlive(CUfunction function) const { return functions_.contains(function); }
  CUlibrary addLibrary(CUmodule module);
  bool isAlive(CUlibrary library) const { return libraries_.contains(library); }
  void unload(CUlibrary library);

  // A reset of the device by the runtime API takes everything away.
  void forgetAfterReset();

 private:
  explicit Driver(cudart::DriverAccess& given);

  u64 resetsSeen_ = 0;
  unsigned long long nextContext_ = 2;
  CUctx_st primary_{1, 0, true, {}};
  std::map<CUcontext, std::unique_ptr<CUctx_st>> contexts_;
  std::map<CUmodule, std::unique_ptr<CUmod_st>> modules_;
  std::map<CUlibrary, std::unique_ptr<CUlib_st>> libraries_;
  std::set<CUfunction> functions_;
};

}  // namespace warpwright::cuda
