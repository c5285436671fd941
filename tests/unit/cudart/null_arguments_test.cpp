// No function of the API may crash for a null pointer, whatever its other arguments are.
#include "every_function.hpp"

namespace {

using NullArguments = EveryFunctionTest;

TEST_F(NullArguments, EveryFunction) {
  for (const Function& function : kFunctions) {
    if (isStartUpCode(function.name)) continue;
    const every_way::NamedOnCrash named(function.name);
    makeHandles();
    function.callEveryWay([] {});
  }
  makeHandles();
}

TEST_F(NullArguments, InTheArrayOfALaunch) {
  int number = 0;
  void* pointer = nullptr;
  void* lacking[] = {&pointer, nullptr};
  void* whole[] = {&pointer, &number};
  cudaLaunchConfig_t config{};
  config.gridDim = config.blockDim = dim3(1);
  for (const auto& [arguments, expected] : {std::pair{lacking, cudaErrorInvalidValue}, {whole, cudaSuccess}}) {
    EXPECT_EQ(cudaLaunchKernel(takes_, dim3(1), dim3(1), arguments, 0, nullptr), expected);
    EXPECT_EQ(cudaLaunchCooperativeKernel(takes_, dim3(1), dim3(1), arguments, 0, nullptr), expected);
    EXPECT_EQ(cudaLaunchKernelExC(&config, takes_, arguments), expected);
  }
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

}  // namespace
