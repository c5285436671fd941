// No function of the driver API may crash for a null pointer, whatever its other arguments are.
#include <dlfcn.h>

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

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
WW_HANDLE(CUdeviceptr, reinterpret_cast<CUdeviceptr>(deviceMemory))
#undef WW_HANDLE

}  // namespace every_way

namespace {

class DriverNullArguments : public DriverTest {
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
    kernel = kPtx;
  }
  static void destroyHandles() {
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
#define WW_DRIVER(group, name, since, status, remark) {#name, WW_WAYS_##status(#name, name)},
const Function kFunctions[] = {
#include "driver.def"
};

TEST_F(DriverNullArguments, EveryFunction) {
  for (const Function& function : kFunctions) {
    const every_way::NamedOnCrash named(function.name);
    makeHandles();
    if (HasFatalFailure()) return;
    // Some functions change which context is current.
    function.callEveryWay([] { cuCtxSetCurrent(every_way::context); });
    cuCtxSetCurrent(context_);
    destroyHandles();
  }
}

TEST_F(DriverNullArguments, InTheArgumentsOfALaunch) {
  CUmodule module = nullptr;
  CUfunction scale = nullptr;
  CUdeviceptr out = 0;
  ASSERT_EQ(cuModuleLoadData(&module, kPtx), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleGetFunction(&scale, module, "scale"), CUDA_SUCCESS);
  ASSERT_EQ(cuMemAlloc(&out, 64), CUDA_SUCCESS);
  uint32_t factor = 3;
  void* lacking[] = {nullptr, &factor};
  void* whole[] = {&out, &factor};
  const CUlaunchConfig config{1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, 0};
  const auto launchWith = [&](void** arguments, void** extra) {
    return cuLaunchKernel(scale, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, extra);
  };
  for (const auto& [arguments, expected] : {std::pair{lacking, CUDA_ERROR_INVALID_VALUE}, {whole, CUDA_SUCCESS}}) {
    EXPECT_EQ(launchWith(arguments, nullptr), expected);
    EXPECT_EQ(cuLaunchCooperativeKernel(scale, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments), expected);
    EXPECT_EQ(cuLaunchKernelEx(&config, scale, arguments, nullptr), expected);
  }
  size_t size = 12;
  for (const std::vector<void*>& extra : std::vector<std::vector<void*>>{
           {CU_LAUNCH_PARAM_END},
           {CU_LAUNCH_PARAM_BUFFER_POINTER, nullptr, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END},
           {CU_LAUNCH_PARAM_BUFFER_POINTER, whole, CU_LAUNCH_PARAM_BUFFER_SIZE, nullptr, CU_LAUNCH_PARAM_END}}) {
    EXPECT_EQ(launchWith(nullptr, const_cast<void**>(extra.data())), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuLaunchKernelEx(&config, scale, nullptr, const_cast<void**>(extra.data())), CUDA_ERROR_INVALID_VALUE);
  }
  EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
}

}  // namespace
