// Graphs and captures under the driver's names: what the runtime's tests do not see are handles of kernels, and forms of parameters.
#include <array>

#include "driver_fixture.hpp"

namespace {

class DriverGraphTest : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    ASSERT_EQ(cuModuleLoadData(&module, kPtx), CUDA_SUCCESS);
    ASSERT_EQ(cuModuleGetFunction(&scale, module, "scale"), CUDA_SUCCESS);
    ASSERT_EQ(cuMemAlloc(&out, sizeof(Values)), CUDA_SUCCESS);
    ASSERT_EQ(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    ASSERT_EQ(cuGraphCreate(&graph, 0), CUDA_SUCCESS);
  }
  using Values = std::array<unsigned, 4>;
  Values values() {
    Values result{};
    EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyDtoH(result.data(), out, sizeof result), CUDA_SUCCESS);
    return result;
  }
  void launch(CUgraph from) {
    CUgraphExec instance = nullptr;
    ASSERT_EQ(cuGraphInstantiate(&instance, from, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuGraphLaunch(instance, stream), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphExecDestroy(instance), CUDA_SUCCESS);
  }

  CUmodule module = nullptr;
  CUfunction scale = nullptr;
  CUdeviceptr out = 0;
  CUstream stream = nullptr;
  CUgraph graph = nullptr;
};

TEST_F(DriverGraphTest, KernelsByTheirHandles) {
  unsigned factor = 3;
  void* arguments[] = {&out, &factor};
  CUDA_KERNEL_NODE_PARAMS parameters{};
  parameters.func = scale;
  parameters.gridDimX = parameters.gridDimY = parameters.gridDimZ = 1;
  parameters.blockDimX = 4;
  parameters.blockDimY = parameters.blockDimZ = 1;
  parameters.kernelParams = arguments;
  CUgraphNode node = nullptr;
  ASSERT_EQ(cuGraphAddKernelNode(&node, graph, nullptr, 0, &parameters), CUDA_SUCCESS);
  launch(graph);
  EXPECT_EQ(values(), (Values{0, 3, 6, 9}));

  CUDA_KERNEL_NODE_PARAMS found{};
  ASSERT_EQ(cuGraphKernelNodeGetParams(node, &found), CUDA_SUCCESS);
  EXPECT_EQ(found.func, scale);
  EXPECT_EQ(found.blockDimX, 4u);
  EXPECT_EQ(*static_cast<unsigned*>(found.kernelParams[1]), 3u);
  CUgraphExec instance = nullptr;
  ASSERT_EQ(cuGraphInstantiateWithFlags(&instance, graph, 0), CUDA_SUCCESS);
  factor = 5;
  ASSERT_EQ(cuGraphExecKernelNodeSetParams(instance, node, &parameters), CUDA_SUCCESS);
  ASSERT_EQ(cuGraphLaunch(instance, stream), CUDA_SUCCESS);
  EXPECT_EQ(values(), (Values{0, 5, 10, 15}));
  parameters.func = reinterpret_cast<CUfunction>(&parameters);
  EXPECT_EQ(cuGraphKernelNodeSetParams(node, &parameters), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(DriverGraphTest, KernelsOfLibraries) {
  CUlibrary library = nullptr;
  CUDA_KERNEL_NODE_PARAMS parameters{};
  ASSERT_EQ(cuLibraryLoadData(&library, kPtx, nullptr, nullptr, 0, nullptr, nullptr, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuLibraryGetKernel(&parameters.kern, library, "scale"), CUDA_SUCCESS);
  unsigned factor = 2;
  void* arguments[] = {&out, &factor};
  parameters.gridDimX = parameters.gridDimY = parameters.gridDimZ = parameters.blockDimY = parameters.blockDimZ = 1;
  parameters.blockDimX = 4;
  parameters.kernelParams = arguments;
  CUgraphNode node = nullptr;
  ASSERT_EQ(cuGraphAddKernelNode(&node, graph, nullptr, 0, &parameters), CUDA_SUCCESS);
  launch(graph);
  EXPECT_EQ(values(), (Values{0, 2, 4, 6}));
}

TEST_F(DriverGraphTest, FillsAndCopiesAndCallsOfTheHost) {
  static Values seen;
  Values host{};
  const CUDA_MEMSET_NODE_PARAMS fill{out, 0, 7, 4, 4, 1};
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = out;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = host.data();
  copy.WidthInBytes = sizeof host;
  copy.Height = copy.Depth = 1;
  const CUDA_HOST_NODE_PARAMS call{[](void* data) { seen = *static_cast<Values*>(data); }, &host};
  CUgraphNode filled = nullptr, copied = nullptr, called = nullptr;
  ASSERT_EQ(cuGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill, context_), CUDA_SUCCESS);
  ASSERT_EQ(cuGraphAddMemcpyNode(&copied, graph, &filled, 1, &copy, context_), CUDA_SUCCESS);
  ASSERT_EQ(cuGraphAddHostNode(&called, graph, &copied, 1, &call), CUDA_SUCCESS);
  launch(graph);
  ASSERT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(seen, (Values{7, 7, 7, 7}));
  CUDA_MEMCPY3D found{};
  ASSERT_EQ(cuGraphMemcpyNodeGetParams(copied, &found), CUDA_SUCCESS);
  EXPECT_EQ(found.srcMemoryType, CU_MEMORYTYPE_DEVICE);
  EXPECT_EQ(found.dstHost, host.data());
  CUDA_MEMSET_NODE_PARAMS element{};
  ASSERT_EQ(cuGraphMemsetNodeGetParams(filled, &element), CUDA_SUCCESS);
  EXPECT_TRUE(element.dst == out && element.elementSize == 4 && element.width == 4);
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  EXPECT_EQ(cuGraphMemcpyNodeSetParams(copied, &copy), CUDA_ERROR_NOT_SUPPORTED);
}

TEST_F(DriverGraphTest, CapturesLaunches) {
  unsigned factor = 4;
  void* arguments[] = {&out, &factor};
  ASSERT_EQ(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD32Async(out, 1, 4, stream), CUDA_SUCCESS);
  ASSERT_EQ(cuLaunchKernel(scale, 1, 1, 1, 3, 1, 1, 0, stream, arguments, nullptr), CUDA_SUCCESS);
  CUstreamCaptureStatus status{};
  cuuint64_t id = 0;
  CUgraph captured = nullptr;
  const CUgraphNode* dependencies = nullptr;
  size_t count = 0;
  EXPECT_EQ(cuStreamGetCaptureInfo_v2(stream, &status, &id, &captured, &dependencies, &count), CUDA_SUCCESS);
  EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
  EXPECT_EQ(count, 1u);
  ASSERT_EQ(cuStreamEndCapture(stream, &graph), CUDA_SUCCESS);
  EXPECT_EQ(graph, captured);
  launch(graph);
  EXPECT_EQ(values(), (Values{0, 4, 8, 1}));
  ASSERT_EQ(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  EXPECT_EQ(cuStreamEndCapture(stream, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

}  // namespace
