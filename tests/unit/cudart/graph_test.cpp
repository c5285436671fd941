// Graphs that are put together node by node, and their instances.
#include <algorithm>

#include "graph_fixture.hpp"

namespace {

TEST_F(GraphTest, RunsItsNodesInTheOrderOfItsEdges) {
  const cudaGraphNode_t last = stepNode({}, 10, 3);
  const cudaGraphNode_t first = stepNode({}, 0, 1);
  const cudaGraphNode_t middle = stepNode({first}, 10, 2);
  ASSERT_EQ(cudaGraphAddDependencies(graph, &middle, &last, 1), cudaSuccess);
  const cudaGraphExec_t instance = instantiate(graph);
  EXPECT_EQ(cudaGraphLaunch(instance, stream), cudaSuccess);
  EXPECT_EQ(value(), 123u);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(instance, stream), cudaSuccess);
  EXPECT_EQ(value(), 123u);
  EXPECT_EQ(cudaGraphExecDestroy(instance), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(instance), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphLaunch(instance, stream), cudaErrorInvalidValue);
}

TEST_F(GraphTest, NodesThatDoNotDependOnEachOtherRunSideBySide) {
  const cudaGraphNode_t a = fillNode({});
  fillNode({});
  EXPECT_FLOAT_EQ(timeOfLaunch(), 1);
  fillNode({a});
  EXPECT_FLOAT_EQ(timeOfLaunch(), 2);
}

TEST_F(GraphTest, ALaunchIsWorkOfItsStream) {
  fillNode({});
  const cudaGraphExec_t instance = instantiate(graph);
  cudaEventRecord(start, stream);
  cudaMemsetAsync(memory, 0, kMillisecond, stream);
  cudaGraphLaunch(instance, stream);
  cudaMemsetAsync(memory, 0, kMillisecond, stream);
  cudaEventRecord(stop, stream);
  EXPECT_FLOAT_EQ(milliseconds(), 3);
}

TEST_F(GraphTest, LaunchesOfOneInstanceFollowOneAnother) {
  fillNode({});
  const cudaGraphExec_t instance = instantiate(graph), other = instantiate(graph);
  cudaStream_t second = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking), cudaSuccess);
  cudaEventRecord(start, stream);
  cudaGraphLaunch(instance, stream);
  cudaGraphLaunch(other, second);
  cudaEventRecord(stop, second);
  EXPECT_FLOAT_EQ(milliseconds(), 1);
  cudaGraphLaunch(instance, second);
  cudaGraphLaunch(instance, stream);
  cudaEventRecord(stop, stream);
  EXPECT_FLOAT_EQ(milliseconds(), 3);
}

TEST_F(GraphTest, CopiesFillsAndCallsOfTheHost) {
  static unsigned seen;
  unsigned host = 7, back = 0;
  cudaGraphNode_t copy = nullptr, fill = nullptr, call = nullptr, read = nullptr, empty = nullptr;
  ASSERT_EQ(cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, number, &host, sizeof host, cudaMemcpyHostToDevice), cudaSuccess);
  const cudaMemsetParams bytes{reinterpret_cast<char*>(number) + 2, 0, 0x1234, 2, 1, 1};
  ASSERT_EQ(cudaGraphAddMemsetNode(&fill, graph, &copy, 1, &bytes), cudaSuccess);
  ASSERT_EQ(cudaGraphAddEmptyNode(&empty, graph, &fill, 1), cudaSuccess);
  cudaMemcpy3DParms plain{};
  plain.srcPtr = {number, sizeof back, sizeof back, 1};
  plain.dstPtr = {&back, sizeof back, sizeof back, 1};
  plain.extent = {sizeof back, 1, 1};
  plain.kind = cudaMemcpyDeviceToHost;
  ASSERT_EQ(cudaGraphAddMemcpyNode(&read, graph, &empty, 1, &plain), cudaSuccess);
  const cudaHostNodeParams host_call{[](void* data) { seen = *static_cast<unsigned*>(data); }, &back};
  ASSERT_EQ(cudaGraphAddHostNode(&call, graph, &read, 1, &host_call), cudaSuccess);
  const cudaGraphExec_t instance = instantiate(graph);
  EXPECT_EQ(seen, 0u);
  ASSERT_EQ(cudaGraphLaunch(instance, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(seen, 0x12340007u);
  host = 8;  // read when the copy runs
  ASSERT_EQ(cudaGraphLaunch(instance, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(seen, 0x12340008u);
}

TEST_F(GraphTest, TellsItsNodesAndEdges) {
  const cudaGraphNode_t a = stepNode({}, 1, 1), b = fillNode({}), c = stepNode({a, b}, 1, 1);
  size_t count = 0;
  EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 3u);
  cudaGraphNode_t nodes[4] = {c, c, c, c}, from[4] = {}, to[4] = {};
  count = 4;
  EXPECT_EQ(cudaGraphGetNodes(graph, nodes, &count), cudaSuccess);
  EXPECT_EQ(count, 3u);
  EXPECT_TRUE(std::equal(nodes, nodes + 4, std::initializer_list<cudaGraphNode_t>{a, b, c, nullptr}.begin()));
  count = 1;
  EXPECT_EQ(cudaGraphGetRootNodes(graph, nodes, &count), cudaSuccess);
  EXPECT_EQ(nodes[0], a);
  count = 4;
  EXPECT_EQ(cudaGraphGetEdges(graph, from, to, &count), cudaSuccess);
  EXPECT_EQ(count, 2u);
  EXPECT_TRUE(from[0] == a && to[0] == c && from[1] == b && to[1] == c);
  count = 4;
  EXPECT_EQ(cudaGraphNodeGetDependencies(c, nodes, &count), cudaSuccess);
  EXPECT_TRUE(count == 2 && nodes[0] == a && nodes[1] == b);
  count = 4;
  EXPECT_EQ(cudaGraphNodeGetDependentNodes(b, nodes, &count), cudaSuccess);
  EXPECT_TRUE(count == 1 && nodes[0] == c);
  cudaGraphNodeType type{};
  EXPECT_EQ(cudaGraphNodeGetType(b, &type), cudaSuccess);
  EXPECT_EQ(type, cudaGraphNodeTypeMemset);
  EXPECT_EQ(cudaGraphDestroyNode(b), cudaSuccess);
  count = 4;
  EXPECT_EQ(cudaGraphNodeGetDependencies(c, nodes, &count), cudaSuccess);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(cudaGraphNodeGetType(b, &type), cudaErrorInvalidValue);
}

TEST_F(GraphTest, EdgesThatAreWrong) {
  const cudaGraphNode_t a = stepNode({}, 1, 1), b = stepNode({a}, 1, 1);
  EXPECT_EQ(cudaGraphAddDependencies(graph, &a, &b, 1), cudaErrorInvalidValue) << "there already";
  EXPECT_EQ(cudaGraphAddDependencies(graph, &a, &a, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphRemoveDependencies(graph, &b, &a, 1), cudaErrorInvalidValue) << "there is none";
  const cudaGraphNode_t twice[] = {a, a};
  cudaGraphNode_t node = nullptr;
  EXPECT_EQ(cudaGraphAddEmptyNode(&node, graph, twice, 2), cudaErrorInvalidValue);
  cudaGraph_t other = nullptr;
  ASSERT_EQ(cudaGraphCreate(&other, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphAddEmptyNode(&node, other, &a, 1), cudaErrorInvalidValue) << "a node of another graph";
  EXPECT_EQ(cudaGraphAddDependencies(graph, &b, &a, 1), cudaSuccess);
  cudaGraphExec_t instance = nullptr;
  EXPECT_EQ(cudaGraphInstantiateWithFlags(&instance, graph, 0), cudaErrorInvalidValue) << "a circle";
  EXPECT_EQ(cudaGraphRemoveDependencies(graph, &a, &b, 1), cudaSuccess);
  EXPECT_EQ(cudaGraphInstantiateWithFlags(&instance, graph, 0), cudaSuccess);
  // All of the edges or none.
  const cudaGraphNode_t from[] = {a, b}, to[] = {b, a};
  EXPECT_EQ(cudaGraphAddDependencies(graph, from, to, 2), cudaErrorInvalidValue);
  size_t count = 0;
  EXPECT_EQ(cudaGraphGetEdges(graph, nullptr, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 1u);
}

TEST_F(GraphTest, NodesThatAreWrong) {
  cudaGraphNode_t node = nullptr;
  cudaKernelNodeParams kernel = stepParameters(nullptr);
  EXPECT_EQ(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel), cudaErrorInvalidValue) << "no arguments";
  kernel.func = &kernel;
  EXPECT_EQ(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel), cudaErrorInvalidDeviceFunction);
  unsigned one = 1;
  void* arguments[] = {&number, &one, &one};
  kernel = stepParameters(arguments);
  kernel.blockDim = dim3(4096);
  EXPECT_EQ(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel), cudaErrorInvalidConfiguration);
  const cudaMemsetParams odd{number, 0, 0, 3, 1, 1}, outside{number, 0, 0, 4, 2, 1};
  EXPECT_EQ(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &odd), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &outside), cudaErrorInvalidValue);
  const cudaHostNodeParams nothing{nullptr, nullptr};
  EXPECT_EQ(cudaGraphAddHostNode(&node, graph, nullptr, 0, &nothing), cudaErrorInvalidValue);
  size_t count = 9;
  EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 0u);
}

TEST_F(GraphTest, ParametersOfNodesChange) {
  const cudaGraphNode_t node = stepNode({}, 0, 5);
  const cudaGraphExec_t old = instantiate(graph);
  cudaKernelNodeParams parameters{};
  ASSERT_EQ(cudaGraphKernelNodeGetParams(node, &parameters), cudaSuccess);
  EXPECT_EQ(parameters.func, static_cast<const void*>(kernel("step")));
  EXPECT_EQ(*static_cast<unsigned*>(parameters.kernelParams[2]), 5u);
  unsigned summand = 6;
  void* arguments[] = {parameters.kernelParams[0], parameters.kernelParams[1], &summand};
  parameters.kernelParams = arguments;
  ASSERT_EQ(cudaGraphKernelNodeSetParams(node, &parameters), cudaSuccess);
  cudaGraphLaunch(instantiate(graph), stream);
  EXPECT_EQ(value(), 6u);
  cudaGraphLaunch(old, stream);
  EXPECT_EQ(value(), 5u) << "an instance keeps what it was made of";
  summand = 7;
  ASSERT_EQ(cudaGraphExecKernelNodeSetParams(old, node, &parameters), cudaSuccess);
  cudaGraphLaunch(old, stream);
  EXPECT_EQ(value(), 7u);
  const cudaMemsetParams fill{number, 0, 0, 1, 4, 1};
  EXPECT_EQ(cudaGraphMemsetNodeSetParams(node, &fill), cudaErrorInvalidValue) << "a node of another type";
}

TEST_F(GraphTest, ArgumentsInABuffer) {
  struct {
    unsigned* number;
    unsigned factor, summand;
  } buffer{number, 0, 42};
  size_t size = sizeof buffer;
  void* extra[] = {reinterpret_cast<void*>(1), &buffer, reinterpret_cast<void*>(2), &size, nullptr};
  cudaKernelNodeParams parameters = stepParameters(nullptr);
  parameters.extra = extra;
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters), cudaSuccess);
  cudaGraphLaunch(instantiate(graph), stream);
  EXPECT_EQ(value(), 42u);
}

TEST_F(GraphTest, ClonesAreGraphsOfTheirOwn) {
  const cudaGraphNode_t first = stepNode({}, 0, 1), second = stepNode({first}, 10, 2);
  cudaGraph_t clone = nullptr;
  ASSERT_EQ(cudaGraphClone(&clone, graph), cudaSuccess);
  cudaGraphNode_t found = nullptr;
  ASSERT_EQ(cudaGraphNodeFindInClone(&found, second, clone), cudaSuccess);
  EXPECT_NE(found, second);
  EXPECT_EQ(cudaGraphNodeFindInClone(&found, second, graph), cudaErrorInvalidValue);
  ASSERT_EQ(cudaGraphNodeFindInClone(&found, second, clone), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroyNode(found), cudaSuccess);
  cudaGraphLaunch(instantiate(clone), stream);
  EXPECT_EQ(value(), 1u);
  cudaGraphLaunch(instantiate(graph), stream);
  EXPECT_EQ(value(), 12u);
}

TEST_F(GraphTest, AGraphWithinAGraph) {
  stepNode({}, 10, 2);
  cudaGraph_t outer = nullptr;
  ASSERT_EQ(cudaGraphCreate(&outer, 0), cudaSuccess);
  std::swap(graph, outer);
  const cudaGraphNode_t first = stepNode({}, 0, 1);
  cudaGraphNode_t child = nullptr;
  ASSERT_EQ(cudaGraphAddChildGraphNode(&child, graph, &first, 1, outer), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(outer), cudaSuccess) << "the node has a copy";
  stepNode({child}, 10, 3);
  const cudaGraphExec_t instance = instantiate(graph);
  cudaGraphLaunch(instance, stream);
  EXPECT_EQ(value(), 123u);
  cudaGraph_t within = nullptr;
  ASSERT_EQ(cudaGraphChildGraphNodeGetGraph(child, &within), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(within), cudaErrorInvalidValue) << "the node's own";
  cudaGraphNode_t node = nullptr;
  size_t count = 1;
  ASSERT_EQ(cudaGraphGetNodes(within, &node, &count), cudaSuccess);
  unsigned factor = 10, summand = 7;
  void* arguments[] = {&number, &factor, &summand};
  const cudaKernelNodeParams parameters = stepParameters(arguments);
  ASSERT_EQ(cudaGraphExecKernelNodeSetParams(instance, node, &parameters), cudaSuccess);
  cudaGraphLaunch(instance, stream);
  EXPECT_EQ(value(), 173u);
}

TEST_F(GraphTest, InstancesAreUpdatedFromGraphsOfTheSameShape) {
  const cudaGraphNode_t first = stepNode({}, 0, 1);
  stepNode({first}, 10, 2);
  const cudaGraphExec_t instance = instantiate(graph);
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  const cudaGraphNode_t other = stepNode({}, 0, 4);
  cudaGraphExecUpdateResultInfo information{};
  EXPECT_EQ(cudaGraphExecUpdate(instance, graph, &information), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(information.result, cudaGraphExecUpdateErrorTopologyChanged);
  const cudaGraphNode_t loose = stepNode({}, 10, 5);
  EXPECT_EQ(cudaGraphExecUpdate(instance, graph, &information), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(information.result, cudaGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(information.errorNode, loose);
  ASSERT_EQ(cudaGraphAddDependencies(graph, &other, &loose, 1), cudaSuccess);
  EXPECT_EQ(cudaGraphExecUpdate(instance, graph, &information), cudaSuccess);
  cudaGraphLaunch(instance, stream);
  EXPECT_EQ(value(), 45u);
  ASSERT_EQ(cudaGraphDestroyNode(loose), cudaSuccess);
  const cudaGraphNode_t fill = fillNode({other});
  EXPECT_EQ(cudaGraphExecUpdate(instance, graph, &information), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(information.result, cudaGraphExecUpdateErrorNodeTypeChanged);
  EXPECT_EQ(information.errorNode, fill);
}

TEST_F(GraphTest, NodesOfAnInstanceAreSwitchedOff) {
  const cudaGraphNode_t first = stepNode({}, 0, 1), second = stepNode({first}, 10, 2);
  stepNode({second}, 10, 3);
  const cudaGraphExec_t instance = instantiate(graph);
  ASSERT_EQ(cudaGraphNodeSetEnabled(instance, second, 0), cudaSuccess);
  unsigned enabled = 1;
  EXPECT_EQ(cudaGraphNodeGetEnabled(instance, second, &enabled), cudaSuccess);
  EXPECT_EQ(enabled, 0u);
  cudaGraphLaunch(instance, stream);
  EXPECT_EQ(value(), 13u);
}

TEST_F(GraphTest, EventsInGraphs) {
  cudaEvent_t before = nullptr;
  ASSERT_EQ(cudaEventCreate(&before), cudaSuccess);
  cudaGraphNode_t wait = nullptr, recorded = nullptr;
  ASSERT_EQ(cudaGraphAddEventWaitNode(&wait, graph, nullptr, 0, before), cudaSuccess);
  const cudaGraphNode_t fill = fillNode({wait});
  ASSERT_EQ(cudaGraphAddEventRecordNode(&recorded, graph, &fill, 1, stop), cudaSuccess);
  cudaEvent_t named = nullptr;
  EXPECT_EQ(cudaGraphEventRecordNodeGetEvent(recorded, &named), cudaSuccess);
  EXPECT_EQ(named, stop);
  const cudaGraphExec_t instance = instantiate(graph);
  cudaStream_t other = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
  cudaEventRecord(start, other);
  cudaMemsetAsync(memory, 0, kMillisecond, other);
  cudaEventRecord(before, other);
  ASSERT_EQ(cudaGraphLaunch(instance, stream), cudaSuccess);
  EXPECT_FLOAT_EQ(milliseconds(), 2);
  cudaEventDestroy(before);
  EXPECT_EQ(cudaGraphLaunch(instance, stream), cudaErrorInvalidResourceHandle);
}

TEST_F(GraphTest, NodesOfAnyType) {
  unsigned factor = 0, summand = 9;
  void* arguments[] = {&number, &factor, &summand};
  cudaGraphNodeParams any{};
  any.type = cudaGraphNodeTypeKernel;
  const cudaKernelNodeParams step = stepParameters(arguments);
  any.kernel = {step.func, step.gridDim, step.blockDim, 0, arguments, nullptr};
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaGraphAddNode(&node, graph, nullptr, 0, &any), cudaSuccess);
  cudaGraphLaunch(instantiate(graph), stream);
  EXPECT_EQ(value(), 9u);
  any.type = cudaGraphNodeTypeMemAlloc;
  EXPECT_EQ(cudaGraphAddNode(&node, graph, nullptr, 0, &any), cudaErrorNotSupported);
}

TEST_F(GraphTest, AKernelWhoseModuleIsGone) {
  stepNode({}, 0, 1);
  const cudaGraphExec_t instance = instantiate(graph);
  ASSERT_EQ(cudaLibraryUnload(library), cudaSuccess);
  library = nullptr;
  EXPECT_EQ(cudaGraphLaunch(instance, stream), cudaErrorInvalidResourceHandle);
}

TEST_F(GraphTest, MemoryThatIsGone) {
  fillNode({});
  const cudaGraphExec_t instance = instantiate(graph);
  ASSERT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(instance, stream), cudaErrorInvalidValue);
}

TEST_F(GraphTest, AResetDestroysThem) {
  stepNode({}, 0, 1);
  const cudaGraphExec_t instance = instantiate(graph);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(instance, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaErrorInvalidValue);
}

}  // namespace
