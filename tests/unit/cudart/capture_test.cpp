// Graphs that streams record, and what may not be done meanwhile.
#include <thread>

#include "graph_fixture.hpp"

namespace {

class CaptureTest : public GraphTest {
 protected:
  void SetUp() override {
    GraphTest::SetUp();
    for (cudaStream_t* each : {&other, &third}) ASSERT_EQ(cudaStreamCreateWithFlags(each, cudaStreamNonBlocking), cudaSuccess);
  }
  void begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) { ASSERT_EQ(cudaStreamBeginCapture(stream, mode), cudaSuccess); }
  cudaError_t end(cudaGraph_t* result = nullptr) {
    cudaGraph_t made = nullptr;
    const cudaError_t status = cudaStreamEndCapture(stream, result ? result : &made);
    cudaGetLastError();
    return status;
  }
  void launchCaptured() {
    cudaGraph_t made = nullptr;
    ASSERT_EQ(end(&made), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(instantiate(made), stream), cudaSuccess);
  }
  cudaStreamCaptureStatus status(cudaStream_t of) {
    cudaStreamCaptureStatus result{};
    EXPECT_EQ(cudaStreamIsCapturing(of, &result), cudaSuccess);
    return result;
  }
  // A call that must not be made spoils the capture.
  void expectRefused(const std::function<cudaError_t()>& call, cudaError_t expected) {
    begin();
    EXPECT_STREQ(cudaGetErrorName(call()), cudaGetErrorName(expected));
    EXPECT_EQ(status(stream), cudaStreamCaptureStatusInvalidated);
    EXPECT_EQ(cudaMemsetAsync(memory, 0, 1, stream), cudaErrorStreamCaptureInvalidated);
    cudaGraph_t made = graph;
    EXPECT_EQ(end(&made), cudaErrorStreamCaptureInvalidated);
    EXPECT_EQ(made, nullptr);
    EXPECT_EQ(status(stream), cudaStreamCaptureStatusNone);
  }

  cudaStream_t other = nullptr, third = nullptr;
};

TEST_F(CaptureTest, WorkBecomesNodes) {
  static int calls;
  calls = 0;
  unsigned seven = 7;
  begin();
  EXPECT_EQ(status(stream), cudaStreamCaptureStatusActive);
  EXPECT_EQ(status(other), cudaStreamCaptureStatusNone);
  EXPECT_EQ(cudaMemcpyAsync(number, &seven, sizeof seven, cudaMemcpyHostToDevice, stream), cudaSuccess);
  step(stream, 10, 1);
  EXPECT_EQ(cudaMemsetAsync(memory, 0, 16, stream), cudaSuccess);
  EXPECT_EQ(cudaLaunchHostFunc(
                stream, [](void*) { ++calls; }, nullptr),
            cudaSuccess);
  cudaGraph_t made = nullptr;
  ASSERT_EQ(end(&made), cudaSuccess);
  EXPECT_EQ(value(), 0u) << "nothing has run";
  EXPECT_EQ(calls, 0);
  cudaGraphNode_t nodes[8];
  size_t count = 8;
  ASSERT_EQ(cudaGraphGetNodes(made, nodes, &count), cudaSuccess);
  ASSERT_EQ(count, 4u);
  for (int i = 0; i < 4; ++i) {
    const cudaGraphNodeType expected[] = {cudaGraphNodeTypeMemcpy, cudaGraphNodeTypeKernel, cudaGraphNodeTypeMemset, cudaGraphNodeTypeHost};
    cudaGraphNodeType type{};
    EXPECT_EQ(cudaGraphNodeGetType(nodes[i], &type), cudaSuccess);
    EXPECT_EQ(type, expected[i]);
  }
  cudaMemcpy3DParms copy{};
  EXPECT_EQ(cudaGraphMemcpyNodeGetParams(nodes[0], &copy), cudaSuccess);
  EXPECT_EQ(copy.dstPtr.ptr, number);
  EXPECT_EQ(copy.extent.width, sizeof seven);
  const cudaGraphExec_t instance = instantiate(made);
  ASSERT_EQ(cudaGraphLaunch(instance, stream), cudaSuccess);
  EXPECT_EQ(value(), 71u);
  EXPECT_EQ(calls, 1);
  ASSERT_EQ(cudaGraphLaunch(instance, nullptr), cudaSuccess);
  EXPECT_EQ(value(), 71u);
}

TEST_F(CaptureTest, EventsForkAndJoinStreams) {
  cudaEvent_t fork = nullptr, join = nullptr;
  ASSERT_EQ(cudaEventCreate(&fork), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&join), cudaSuccess);
  begin();
  step(stream, 0, 1);
  ASSERT_EQ(cudaEventRecord(fork, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(other, fork), cudaSuccess);
  EXPECT_EQ(status(other), cudaStreamCaptureStatusActive);
  ASSERT_EQ(cudaMemsetAsync(memory, 0, kMillisecond, other), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(memory, 0, kMillisecond, stream), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(join, other), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(stream, join), cudaSuccess);
  step(stream, 10, 2);
  cudaGraph_t made = nullptr;
  ASSERT_EQ(end(&made), cudaSuccess);
  EXPECT_EQ(status(other), cudaStreamCaptureStatusNone);
  size_t edges = 0;
  EXPECT_EQ(cudaGraphGetEdges(made, nullptr, nullptr, &edges), cudaSuccess);
  EXPECT_EQ(edges, 4u);
  const cudaGraphExec_t instance = instantiate(made);
  cudaEventRecord(start, stream);
  ASSERT_EQ(cudaGraphLaunch(instance, stream), cudaSuccess);
  cudaEventRecord(stop, stream);
  EXPECT_EQ(value(), 12u);
  EXPECT_GE(milliseconds(), 1);
  EXPECT_LT(milliseconds(), 1.5f) << "the fills run side by side";
}

TEST_F(CaptureTest, WorkThatIsNotJoined) {
  begin();
  step(stream, 0, 1);
  cudaEventRecord(start, stream);
  cudaStreamWaitEvent(other, start);
  step(other, 10, 2);
  EXPECT_EQ(end(), cudaErrorStreamCaptureUnjoined);
  EXPECT_EQ(status(other), cudaStreamCaptureStatusNone);
}

TEST_F(CaptureTest, EndsWhereItBegan) {
  cudaGraph_t made = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &made), cudaErrorIllegalState) << "nothing was begun";
  begin();
  EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaErrorIllegalState);
  step(stream, 0, 1);
  cudaEventRecord(start, stream);
  cudaStreamWaitEvent(other, start);
  EXPECT_EQ(cudaStreamEndCapture(other, &made), cudaErrorStreamCaptureUnmatched);
  EXPECT_EQ(end(), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
}

TEST_F(CaptureTest, WaitingForACapturingStreamIsRefused) {
  const auto refused = cudaErrorStreamCaptureUnsupported;
  expectRefused([&] { return cudaStreamSynchronize(stream); }, refused);
  expectRefused([&] { return cudaStreamQuery(stream); }, refused);
  expectRefused([&] { return cudaDeviceSynchronize(); }, refused);
  expectRefused([&] { return cudaFreeAsync(memory, stream); }, refused);
  expectRefused(
      [&] {
        return cudaStreamAddCallback(
            stream, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 0);
      },
      refused);
}

TEST_F(CaptureTest, CallsThatAreNotSafeAreRefused) {
  const auto refused = cudaErrorStreamCaptureUnsupported;
  void* pointer = nullptr;
  expectRefused([&] { return cudaMalloc(&pointer, 16); }, refused);
  expectRefused([&] { return cudaMallocHost(&pointer, 16); }, refused);
  expectRefused([&] { return cudaFree(memory); }, refused);
  expectRefused([&] { return cudaStreamQuery(other); }, refused);
  expectRefused([&] { return cudaEventQuery(stop); }, refused);
  expectRefused([&] { return cudaMemcpy(memory, memory, 1, cudaMemcpyDefault); }, refused);
}

TEST_F(CaptureTest, EventsOfACaptureCannotBeAsked) {
  cudaEventRecord(stop, stream);
  for (const auto& ask :
       std::vector<std::function<cudaError_t()>>{[&] { return cudaEventQuery(start); }, [&] { return cudaEventSynchronize(start); }}) {
    expectRefused([&] { return cudaEventRecord(start, stream) == cudaSuccess ? ask() : cudaErrorUnknown; }, cudaErrorCapturedEvent);
  }
  float time = 0;
  EXPECT_EQ(cudaEventElapsedTime(&time, stop, start), cudaErrorCapturedEvent);
  EXPECT_EQ(cudaEventRecord(start, stream), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(start), cudaSuccess) << "recorded anew";
}

TEST_F(CaptureTest, DependenciesThatLeaveTheCapture) {
  cudaEventRecord(start, other);
  expectRefused([&] { return cudaStreamWaitEvent(stream, start); }, cudaErrorStreamCaptureIsolation);
  // A second capture.
  ASSERT_EQ(cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal), cudaSuccess);
  cudaEventRecord(start, other);
  expectRefused([&] { return cudaStreamWaitEvent(stream, start); }, cudaErrorStreamCaptureMerge);
  cudaGraph_t made = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(other, &made), cudaErrorStreamCaptureInvalidated);
}

TEST_F(CaptureTest, TheLegacyStreamWouldHaveToWait) {
  cudaStream_t blocking = nullptr;
  ASSERT_EQ(cudaStreamCreate(&blocking), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(memory, 0, 1, nullptr), cudaSuccess);
  std::swap(stream, blocking);
  expectRefused([&] { return cudaMemsetAsync(memory, 0, 1, nullptr); }, cudaErrorStreamCaptureImplicit);
  expectRefused([&] { return cudaMemcpy(memory, memory, 1, cudaMemcpyDefault); }, cudaErrorStreamCaptureImplicit);
  expectRefused([&] { return cudaStreamSynchronize(nullptr); }, cudaErrorStreamCaptureImplicit);
  std::swap(stream, blocking);
  begin();
  EXPECT_EQ(cudaMemsetAsync(memory, 0, 1, nullptr), cudaSuccess) << "no blocking stream captures";
  EXPECT_EQ(end(), cudaSuccess);
}

TEST_F(CaptureTest, ModesSayWhoMayCallWhat) {
  void* pointer = nullptr;
  const auto inThread = [](const auto& body) { std::thread(body).join(); };
  begin(cudaStreamCaptureModeRelaxed);
  EXPECT_EQ(cudaMalloc(&pointer, 16), cudaSuccess);
  EXPECT_EQ(end(), cudaSuccess);
  begin(cudaStreamCaptureModeThreadLocal);
  inThread([&] { EXPECT_EQ(cudaMalloc(&pointer, 16), cudaSuccess); });
  EXPECT_EQ(cudaMalloc(&pointer, 16), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(end(), cudaErrorStreamCaptureInvalidated);
  begin(cudaStreamCaptureModeGlobal);
  inThread([&] {
    cudaStreamCaptureMode mode = cudaStreamCaptureModeThreadLocal;
    EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
    EXPECT_EQ(mode, cudaStreamCaptureModeGlobal);
    EXPECT_EQ(cudaMalloc(&pointer, 16), cudaSuccess);
  });
  inThread([&] { EXPECT_EQ(cudaMalloc(&pointer, 16), cudaErrorStreamCaptureUnsupported); });
  EXPECT_EQ(end(), cudaErrorStreamCaptureInvalidated);
}

TEST_F(CaptureTest, AnotherThreadEndsOnlyRelaxedCaptures) {
  const auto endThere = [&] {
    cudaError_t result = cudaSuccess;
    std::thread([&] { result = end(); }).join();
    return result;
  };
  begin();
  EXPECT_EQ(endThere(), cudaErrorStreamCaptureWrongThread);
  EXPECT_EQ(end(), cudaSuccess);
  begin(cudaStreamCaptureModeRelaxed);
  EXPECT_EQ(endThere(), cudaSuccess);
}

TEST_F(CaptureTest, TellsWhatIsCaptured) {
  cudaStreamCaptureStatus found{};
  unsigned long long id = 0, again = 0;
  cudaGraph_t made = nullptr;
  const cudaGraphNode_t* dependencies = nullptr;
  size_t count = 9;
  begin();
  step(stream, 0, 1);
  EXPECT_EQ(cudaStreamGetCaptureInfo_v2(stream, &found, &id, &made, &dependencies, &count), cudaSuccess);
  EXPECT_EQ(found, cudaStreamCaptureStatusActive);
  ASSERT_EQ(count, 1u);
  const cudaGraphNode_t first = dependencies[0];
  // A node of the program's own, that what comes next waits for instead.
  cudaGraphNode_t own = nullptr;
  ASSERT_EQ(cudaGraphAddEmptyNode(&own, made, &first, 1), cudaSuccess);
  EXPECT_EQ(cudaStreamUpdateCaptureDependencies(stream, &own, 1, cudaStreamSetCaptureDependencies), cudaSuccess);
  step(stream, 10, 2);
  EXPECT_EQ(cudaStreamGetCaptureInfo(stream, &found, &again), cudaSuccess);
  EXPECT_EQ(id, again);
  cudaGraph_t ended = nullptr;
  ASSERT_EQ(end(&ended), cudaSuccess);
  EXPECT_EQ(ended, made);
  EXPECT_EQ(cudaStreamUpdateCaptureDependencies(stream, &own, 1, 0), cudaErrorIllegalState);
  cudaGraphNode_t dependents[2];
  count = 2;
  ASSERT_EQ(cudaGraphNodeGetDependentNodes(own, dependents, &count), cudaSuccess);
  EXPECT_EQ(count, 1u);
  cudaGraphLaunch(instantiate(made), stream);
  EXPECT_EQ(value(), 12u);
}

TEST_F(CaptureTest, IntoAGraphThatThereIs) {
  const cudaGraphNode_t first = stepNode({}, 0, 1);
  ASSERT_EQ(cudaStreamBeginCaptureToGraph(stream, graph, &first, nullptr, 1, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaErrorInvalidValue);
  step(stream, 10, 2);
  launchCaptured();
  EXPECT_EQ(value(), 12u);
}

TEST_F(CaptureTest, ALaunchOfAGraphIsAGraphWithin) {
  stepNode({}, 10, 2);
  const cudaGraphExec_t instance = instantiate(graph);
  begin();
  step(stream, 0, 1);
  ASSERT_EQ(cudaGraphLaunch(instance, stream), cudaSuccess);
  step(stream, 10, 3);
  launchCaptured();
  EXPECT_EQ(value(), 123u);
}

TEST_F(CaptureTest, ExternalEventsAreNodes) {
  begin();
  ASSERT_EQ(cudaEventRecordWithFlags(start, stream, cudaEventRecordExternal), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(memory, 0, kMillisecond, stream), cudaSuccess);
  ASSERT_EQ(cudaEventRecordWithFlags(stop, stream, cudaEventRecordExternal), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(stream, stop, cudaEventWaitExternal), cudaSuccess);
  launchCaptured();
  EXPECT_FLOAT_EQ(milliseconds(), 1);
}

TEST_F(CaptureTest, AStreamThatIsDestroyedEndsItsCapture) {
  cudaStream_t gone = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&gone, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(gone, cudaStreamCaptureModeGlobal), cudaSuccess);
  step(gone, 0, 1);
  cudaEventRecord(start, gone);
  cudaStreamWaitEvent(other, start);
  EXPECT_EQ(cudaStreamDestroy(gone), cudaSuccess);
  EXPECT_EQ(status(other), cudaStreamCaptureStatusNone);
  void* pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, 16), cudaSuccess);
}

}  // namespace
