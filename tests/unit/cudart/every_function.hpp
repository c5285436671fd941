// Every function of the API table, to be called every way, and what the calls need.
#pragma once

#define WARPWRIGHT_API_WITHOUT_OVERLOADS
#include <dlfcn.h>

#include <functional>
#include <string_view>

#include "cuda_array_api.h"
#include "cuda_legacy_api.h"
#include "cuda_library_api.h"
#include "cuda_profiler_api.h"
#include "every_way.hpp"
#include "library_fixture.hpp"
#include "start_up_api.hpp"
#include "start_up_code.hpp"

namespace every_way {

inline cudaStream_t stream = nullptr;
inline cudaEvent_t event = nullptr;
inline cudaArray_t array = nullptr;
inline cudaLibrary_t library = nullptr;
inline cudaGraph_t graph = nullptr;
inline cudaGraphNode_t node = nullptr;
inline cudaGraphExec_t instance = nullptr;

#define WW_HANDLE(type, value)                    \
  template <>                                     \
  struct Sample<type> {                           \
    static type get(const Way&) { return value; } \
  };
WW_HANDLE(cudaStream_t, stream)
WW_HANDLE(cudaEvent_t, event)
WW_HANDLE(cudaArray_t, array)
WW_HANDLE(cudaArray_const_t, array)
WW_HANDLE(cudaLibrary_t, library)
WW_HANDLE(cudaGraph_t, graph)
WW_HANDLE(cudaGraphNode_t, node)
WW_HANDLE(cudaGraphExec_t, instance)
WW_HANDLE(cudaKernel_t, static_cast<cudaKernel_t>(const_cast<void*>(kernel)))
#undef WW_HANDLE

}  // namespace every_way

// Only named here.
extern "C" {
void __cudaRegisterTexture();
void __cudaRegisterSurface();
void __cudaUnregisterFatBinary();
void __cudaRegisterManagedVar();
void __cudaInitModule();
void __warpwrightDriverAccess();
}

namespace {

const std::string kKernel = moduleOf(R"(
.visible .entry takes(.param .u64 pointer, .param .u32 number)
{
  ret;
}
)");

class EveryFunctionTest : public LibraryTest {
 protected:
  void SetUp() override {
    LibraryTest::SetUp();
    loadKernel();
  }
  void loadKernel() {
    ASSERT_EQ(load(kKernel), cudaSuccess);
    takes_ = static_cast<const void*>(kernel("takes"));
  }
  // What the function under test may have destroyed.
  void makeHandles() {
    cudaDeviceReset();
    cudaLibraryUnload(library);
    loadKernel();
    const cudaChannelFormatDesc format{32, 0, 0, 0, cudaChannelFormatKindFloat};
    ASSERT_EQ(cudaMalloc(&every_way::deviceMemory, 64), cudaSuccess);
    ASSERT_EQ(cudaStreamCreate(&every_way::stream), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&every_way::event), cudaSuccess);
    ASSERT_EQ(cudaMallocArray(&every_way::array, &format, 4, 4, 0), cudaSuccess);
    ASSERT_EQ(cudaGraphCreate(&every_way::graph, 0), cudaSuccess);
    ASSERT_EQ(cudaGraphAddEmptyNode(&every_way::node, every_way::graph, nullptr, 0), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiateWithFlags(&every_way::instance, every_way::graph, 0), cudaSuccess);
    every_way::kernel = takes_;
    every_way::library = library;
  }

  const void* takes_ = nullptr;
};

struct Function {
  std::string_view name;
  std::function<void(const std::function<void()>&)> callEveryWay;
};

// A stub takes no arguments, and is declared nowhere.
void callStub(const char* name) {
  const auto stub = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, name));
  ASSERT_NE(stub, nullptr) << name;
  EXPECT_EQ(stub(), cudaErrorNotSupported) << name;
}

#define WW_WAYS_full(text, name) [](const std::function<void()>& given) { every_way::callEveryWay(&name, given); }
#define WW_WAYS_partial(text, name) WW_WAYS_full(text, name)
#define WW_WAYS_unsupported(text, name) [](const std::function<void()>&) { callStub(text); }
#define WW_API(group, name, status, waits, remark) {#name, WW_WAYS_##status(#name, name)},
const Function kFunctions[] = {
#include "api.def"
};

// What compilers call from the code that they add to a program, never with a null handle. The rest of it are functions that programs know
// under other names.
bool isStartUpCode(std::string_view name) { return name.starts_with("__") && name != "__cudaGetKernel" && name != "__cudaLaunchKernel"; }

}  // namespace
