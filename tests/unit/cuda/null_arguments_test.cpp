// No function of the driver API may crash for a null pointer, whatever its other arguments are.
#include <vector>

#include "every_function.hpp"

namespace {

using DriverNullArguments = EveryDriverFunctionTest;

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
