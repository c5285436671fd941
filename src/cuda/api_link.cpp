// The linker: units are gathered as PTX. The "cubin" that it hands out is their text, one unit after the other, which cuModuleLoadData
// takes apart and links again.
#include <cstring>
#include <memory>

#include "call.hpp"
#include "load.hpp"

using namespace warpwright;
using namespace warpwright::cuda;

struct CUlinkState_st {
  std::vector<runtime::PtxUnit> units;
  std::string image;
  JitOptions options{0, nullptr, nullptr};
};

namespace {

std::set<CUlinkState>& states() {
  static auto* const all = new std::set<CUlinkState>;
  return *all;
}

// Body: CUresult(Driver&).
template <typename Body>
CUresult withState(CUlinkState state, Body&& body) {
  return call(Needs::context, [&](Driver& driver) { return states().contains(state) ? body(driver) : CUDA_ERROR_INVALID_HANDLE; });
}

CUresult add(Driver& driver, CUlinkState state, CUjitInputType type, const Image& image) {
  if (type == CU_JIT_INPUT_NVVM || type >= CU_JIT_NUM_INPUT_TYPES) return CUDA_ERROR_INVALID_VALUE;
  state->options.report(image.message);
  if (image.status != CUDA_SUCCESS) driver.access.explain(image.message);
  state->units.insert(state->units.end(), image.units.begin(), image.units.end());
  if (image.status == CUDA_ERROR_INVALID_IMAGE && type == CU_JIT_INPUT_PTX) return CUDA_ERROR_INVALID_PTX;
  return image.status;
}

}  // namespace

CUresult cuLinkCreate(unsigned int count, CUjit_option* options, void** values, CUlinkState* state) {
  return call(Needs::context, [&](Driver&) {
    const JitOptions read(count, options, values);
    if (!state || !read.valid()) return CUDA_ERROR_INVALID_VALUE;
    auto made = std::make_unique<CUlinkState_st>();
    made->options = read;
    *state = made.release();
    states().insert(*state);
    return CUDA_SUCCESS;
  });
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, size_t size, const char* name, unsigned int, CUjit_option*,
                       void**) {
  return withState(state, [&](Driver& driver) {
    if (!data || size == 0) return CUDA_ERROR_INVALID_VALUE;
    const std::string_view bytes(static_cast<const char*>(data), size);
    return add(driver, state, type, readBytes(bytes, name ? name : "unit", smVersionOf(driver)));
  });
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* path, unsigned int, CUjit_option*, void**) {
  return withState(state, [&](Driver& driver) {
    if (!path) return CUDA_ERROR_INVALID_VALUE;
    const auto bytes = fileBytes(path);
    return bytes ? add(driver, state, type, readBytes(*bytes, path, smVersionOf(driver))) : CUDA_ERROR_FILE_NOT_FOUND;
  });
}

CUresult cuLinkComplete(CUlinkState state, void** cubin, size_t* size) {
  return withState(state, [&](Driver& driver) {
    if (!cubin || state->units.empty()) return CUDA_ERROR_INVALID_VALUE;
    state->image = runtime::joinUnits(state->units);
    // Loaded once so that what does not fit together is found by the call that is to find it.
    const auto loaded = driver.access.loadModule(state->units, "linked module");
    state->options.report(loaded.message);
    if (!loaded.module) {
      driver.access.explain(loaded.message);
      return resultOf(loaded.status);
    }
    driver.access.unloadModule(driver.access.currentDevice(), *loaded.module);
    *cubin = state->image.data();
    if (size) *size = state->image.size() + 1;
    return CUDA_SUCCESS;
  });
}

CUresult cuLinkDestroy(CUlinkState state) {
  return withState(state, [&](Driver&) {
    states().erase(state);
    delete state;
    return CUDA_SUCCESS;
  });
}
