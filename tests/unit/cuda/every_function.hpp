// Every function of the driver API table, to be called every way, and what the calls need.
#pragma once

#define WARPWRIGHT_API_WITHOUT_OVERLOADS
#include <dlfcn.h>

#include <cstdint>
#include <functional>
#include <string_view>

#include "../cudart/every_way.hpp"
#include "driver_fixture.hpp"

namespace every_way {

inline CUstream stream = nullptr;
inline CUevent event = nullptr;
inline CUcontext context = nullptr;
inline CUmodule module = nullptr;
inline CUfunction function = nullptr;
inline CUlibrary library = nullptr;
inline CUkernel kernelOfLibrary = nullptr;
inline CUlinkState linkState = nullptr;
inline CUgraph graph = nullptr;
inline CUgraphNode node = nullptr;
inline CUgraphExec instance = nullptr;

#define WW_HANDLE(type, value)                    \
  template <>                                     \
  struct Sample<type> {                           \
    static type get(const Way&) { return value; } \
  };
WW_HANDLE(CUstream, stream)
WW_HANDLE(CUevent, event)
WW_HANDLE(CUcontext, context)
WW_HANDLE(CUmodule, module)
WW_HANDLE(CUfunction, function)
WW_HANDLE(CUlibrary, library)
WW_HANDLE(CUkernel, kernelOfLibrary)
WW_HANDLE(CUlinkState, linkState)
WW_HANDLE(CUgraph, graph)
WW_HANDLE(CUgraphNode, node)
WW_HANDLE(CUgraphExec, instance)
WW_HANDLE(CUdeviceptr, reinterpret_cast<CUdeviceptr>(deviceMemory))
#undef WW_HANDLE

}  // namespace every_way

namespace {

class EveryDriverFunctionTest : public DriverTest {
 protected:
  // A context of its own, since the function under test may destroy it.
  void makeHandles() {
    using namespace every_way;
    ASSERT_EQ(cuCtxCreate(&context, 0, 0), CUDA_SUCCESS);
    CUdeviceptr memory = 0;
    ASSERT_EQ(cuMemAlloc(&memory, 64), CUDA_SUCCESS);
    deviceMemory = reinterpret_cast<void*>(memory);
    ASSERT_EQ(cuStreamCreate(&stream, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuEventCreate(&event, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuModuleLoadData(&module, kPtx), CUDA_SUCCESS);
    ASSERT_EQ(cuModuleGetFunction(&function, module, "scale"), CUDA_SUCCESS);
    ASSERT_EQ(cuLibraryLoadData(&library, kPtx, nullptr, nullptr, 0, nullptr, nullptr, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuLibraryGetKernel(&kernelOfLibrary, library, "scale"), CUDA_SUCCESS);
    ASSERT_EQ(cuLinkCreate(0, nullptr, nullptr, &linkState), CUDA_SUCCESS);
    ASSERT_EQ(cuGraphCreate(&graph, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuGraphAddEmptyNode(&node, graph, nullptr, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuGraphInstantiateWithFlags(&instance, graph, 0), CUDA_SUCCESS);
    kernel = kPtx;
  }
  // That the calls have begun: a stream that captures forbids much to others.
  static void endCaptures() {
    CUgraph captured = nullptr;
    for (const CUstream each : {every_way::stream, CU_STREAM_PER_THREAD}) cuStreamEndCapture(each, &captured);
  }
  static void destroyHandles() {
    endCaptures();
    cuLinkDestroy(every_way::linkState);
    cuLibraryUnload(every_way::library);
    cuCtxDestroy(every_way::context);
  }
};

struct Function {
  std::string_view name;
  std::function<void(const std::function<void()>&)> callEveryWay;
};

// A stub takes no arguments.
void callStub(const char* name) {
  const auto stub = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, name));
  ASSERT_NE(stub, nullptr) << name;
  EXPECT_EQ(stub(), CUDA_ERROR_NOT_SUPPORTED) << name;
}

#define WW_WAYS_full(text, name) [](const std::function<void()>& given) { every_way::callEveryWay(&name, given); }
#define WW_WAYS_partial(text, name) WW_WAYS_full(text, name)
#define WW_WAYS_unsupported(text, name) [](const std::function<void()>&) { callStub(text); }
#define WW_DRIVER(group, name, since, status, waits, remark) {#name, WW_WAYS_##status(#name, name)},
const Function kFunctions[] = {
#include "driver.def"
};

}  // namespace
