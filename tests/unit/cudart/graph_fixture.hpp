// Kernels and memory for the tests of graphs: what is computed tells the order in which nodes ran.
#pragma once

#include <vector>

#include "library_fixture.hpp"

// step: *number = *number * factor + summand. The machine's bus moves 16 bytes a nanosecond, so a fill of 16 MB takes 1 ms.
class GraphTest : public LibraryTest {
 protected:
  static constexpr size_t kMillisecond = 16'000'000;

  void SetUp() override {
    LibraryTest::SetUp();
    ASSERT_EQ(load(moduleOf(R"(
.visible .entry step(.param .u64 number, .param .u32 factor, .param .u32 summand)
{
  .reg .u64 %d<1>;
  .reg .u32 %r<4>;
  ld.param.u64 %d0, [number];
  ld.param.u32 %r0, [factor];
  ld.param.u32 %r1, [summand];
  ld.global.u32 %r2, [%d0];
  mad.lo.u32 %r3, %r2, %r0, %r1;
  st.global.u32 [%d0], %r3;
  ret;
}
)")),
              cudaSuccess);
    ASSERT_EQ(cudaMalloc(&number, sizeof(unsigned)), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&memory, 2 * kMillisecond), cudaSuccess);
    ASSERT_EQ(cudaMemset(number, 0, sizeof(unsigned)), cudaSuccess);
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
    for (cudaEvent_t* event : {&start, &stop}) ASSERT_EQ(cudaEventCreate(event), cudaSuccess);
  }
  // Runs in the stream, or is captured.
  void step(cudaStream_t in, unsigned factor, unsigned summand) {
    void* arguments[] = {&number, &factor, &summand};
    ASSERT_EQ(cudaLaunchKernel(static_cast<const void*>(kernel("step")), dim3(1), dim3(1), arguments, 0, in), cudaSuccess);
  }
  cudaGraphNode_t stepNode(const std::vector<cudaGraphNode_t>& after, unsigned factor, unsigned summand) {
    cudaGraphNode_t node = nullptr;
    void* arguments[] = {&number, &factor, &summand};
    const cudaKernelNodeParams parameters = stepParameters(arguments);
    EXPECT_EQ(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &parameters), cudaSuccess);
    return node;
  }
  cudaKernelNodeParams stepParameters(void** arguments) {
    return {const_cast<void*>(static_cast<const void*>(kernel("step"))), dim3(1), dim3(1), 0, arguments, nullptr};
  }
  // Takes a millisecond.
  cudaGraphNode_t fillNode(const std::vector<cudaGraphNode_t>& after) {
    cudaGraphNode_t node = nullptr;
    const cudaMemsetParams parameters{memory, 0, 0, 1, kMillisecond, 1};
    EXPECT_EQ(cudaGraphAddMemsetNode(&node, graph, after.data(), after.size(), &parameters), cudaSuccess);
    return node;
  }
  cudaGraphExec_t instantiate(cudaGraph_t from) {
    cudaGraphExec_t instance = nullptr;
    EXPECT_EQ(cudaGraphInstantiateWithFlags(&instance, from, 0), cudaSuccess);
    return instance;
  }
  unsigned value() {
    unsigned result = 0;
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(&result, number, sizeof result, cudaMemcpyDeviceToHost), cudaSuccess);
    return result;
  }
  float milliseconds() {
    float result = -1;
    EXPECT_EQ(cudaEventElapsedTime(&result, start, stop), cudaSuccess);
    return result;
  }
  // Of a launch of what the graph holds.
  float timeOfLaunch() {
    const cudaGraphExec_t instance = instantiate(graph);
    EXPECT_EQ(cudaEventRecord(start, stream), cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(instance, stream), cudaSuccess);
    EXPECT_EQ(cudaEventRecord(stop, stream), cudaSuccess);
    return milliseconds();
  }

  unsigned* number = nullptr;
  void* memory = nullptr;
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaEvent_t start = nullptr, stop = nullptr;
};
