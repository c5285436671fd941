// Error names and texts, and the last error.
#include <algorithm>
#include <iterator>

#include "context.hpp"
#include "cuda_runtime_api.h"

using namespace warpwright::cudart;

namespace {

struct ErrorText {
  cudaError_t code;
  const char* name;
  const char* text;
};

constexpr ErrorText kErrors[] = {
#define WW_CUDA_ERROR(name, value, text) {name, #name, text},
#include "cuda_error_list.h"
};

const ErrorText* find(cudaError_t code) {
  const auto* const found = std::find_if(std::begin(kErrors), std::end(kErrors), [code](const auto& e) { return e.code == code; });
  return found == std::end(kErrors) ? nullptr : found;
}

// The sticky error of the context, once a call has met it, else what went wrong last on this thread.
template <typename Take>
cudaError_t visibleError(Take&& take) {
  Context& context = Context::instance();
  const std::lock_guard lock(context.mutex);
  const cudaError_t last = take();
  return last != cudaSuccess && context.sticky != cudaSuccess ? context.sticky : last;
}

}  // namespace

const char* cudaGetErrorName(cudaError_t error) {
  const ErrorText* const found = find(error);
  return found ? found->name : "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  const ErrorText* const found = find(error);
  return found ? found->text : "unrecognized error code";
}

cudaError_t cudaPeekAtLastError() { return visibleError(lastError); }

cudaError_t cudaGetLastError() {
  // A sticky error stays: only a reset clears it.
  return visibleError([] { return Context::instance().sticky != cudaSuccess ? lastError() : takeLastError(); });
}
