// Start, version, errors.
#include <algorithm>
#include <iterator>

#include "call.hpp"

using namespace warpwright::cuda;

namespace {

// The newest release of CUDA from which functions are served.
constexpr int kDriverVersion = 13000;

struct ResultText {
  CUresult code;
  const char* name;
  const char* text;
};

constexpr ResultText kResults[] = {
#define WW_CU_RESULT(name, value, text) {name, #name, text},
#include "cuda_result_list.h"
};

CUresult lookUp(CUresult error, const char** out, const char* ResultText::*member) {
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  const auto* const found = std::find_if(std::begin(kResults), std::end(kResults), [error](const auto& r) { return r.code == error; });
  *out = found == std::end(kResults) ? nullptr : found->*member;
  return *out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace

CUresult cuInit(unsigned int flags) {
  return call(Needs::nothing, [&](Driver& driver) {
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    const cudaError_t status = driver.access.initialise();
    driver.initialised = driver.initialised || status == cudaSuccess;
    return status == cudaSuccess || driver.initialised ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
  });
}

CUresult cuDriverGetVersion(int* version) {
  if (!version) return CUDA_ERROR_INVALID_VALUE;
  *version = kDriverVersion;
  return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char** text) { return lookUp(error, text, &ResultText::text); }

CUresult cuGetErrorName(CUresult error, const char** name) { return lookUp(error, name, &ResultText::name); }

CUresult cuProfilerStart() {
  return call(Needs::context, [](Driver&) { return CUDA_SUCCESS; });
}

CUresult cuProfilerStop() {
  return call(Needs::context, [](Driver&) { return CUDA_SUCCESS; });
}
