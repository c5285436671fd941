// How every function of the driver API is entered.
#pragma once

#include <mutex>

#include "cuda_runtime_api.h"
#include "state.hpp"

namespace warpwright::cuda {

// The runtime's error codes are the driver's, but for those that are about the runtime's own arguments.
CUresult resultOf(cudaError_t status);

enum class Needs {
  nothing,
  cuInit,
  handle,  // a context too, but the handle says which: none need be current
  context,
};

class Entered {
 public:
  explicit Entered(cudart::DriverAccess& access) : access_(access), lock_(access.mutex()) { access_.beginCall(); }
  ~Entered() { access_.endCall(); }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;

 private:
  cudart::DriverAccess& access_;
  std::lock_guard<std::recursive_mutex> lock_;
};

CUresult refusal(Driver& driver, Needs needs);

// Runs the body of an API function under the device's lock once what it needs is there. Body: CUresult(Driver&).
template <typename Body>
CUresult call(Needs needs, Body&& body) {
  try {
    Driver& driver = Driver::instance();
    const Entered entered(driver.access);
    driver.forgetAfterReset();
    const CUresult refused = refusal(driver, needs);
    return refused == CUDA_SUCCESS ? body(driver) : refused;
  } catch (const std::bad_alloc&) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception&) {
    return CUDA_ERROR_UNKNOWN;
  }
}

// A call that is the runtime's under another name. Body: cudaError_t().
template <typename Body>
CUresult forward(Needs needs, Body&& body) {
  return call(needs, [&](Driver&) { return resultOf(body()); });
}

inline void* pointerOf(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

}  // namespace warpwright::cuda
