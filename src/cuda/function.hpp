// What is asked of a function in several places.
#pragma once

#include "call.hpp"

namespace warpwright::cuda {

// Dynamic shared memory that a launch may ask for, in bytes: what cuFuncSetAttribute allowed, else what the static shared memory leaves of
// the machine's default for a block.
u64 maxDynamicShared(Driver& driver, const CUfunc_st& function);
// The largest block that the function can be launched with: the machine's limit, launch bounds, and registers.
u32 maxThreads(Driver& driver, const CUfunc_st& function);

// What the configuration of an extended launch says: extents, and of its attributes what is not about time.
exec::LaunchShape shapeOf(const CUlaunchConfig& config);

// Body: CUresult(Driver&), with a function that is alive.
template <typename Body>
CUresult withFunction(CUfunction function, bool argumentsValid, Body&& body) {
  return call(Needs::context, [&](Driver& driver) {
    if (!argumentsValid) return CUDA_ERROR_INVALID_VALUE;
    return driver.isAlive(function) ? body(driver) : CUDA_ERROR_INVALID_HANDLE;
  });
}

}  // namespace warpwright::cuda
