// Minimum spanning forest by Boruvka's method (1926), as the Lonestar program has it: every component finds its lightest edge to another,
// components join along these, and what is left after a round is at most half as many. Edges are in one strict order (length, then nodes),
// so that the forest is unique and no circle arises.
#include <algorithm>
#include <numeric>

#include "../common/graph.hpp"
#include "../common/workload.hpp"

using namespace workloads;

using Edge64 = unsigned long long;  // length, lower node, higher node: in the order of edges

constexpr int kThreads = 256;
constexpr int kLongest = 1000;
constexpr int kNodeBits = 24;
constexpr Edge64 kNoEdge = ~Edge64{0};

__host__ __device__ inline Edge64 edgeKey(int length, int a, int b) {
  const Edge64 low = a < b ? a : b, high = a < b ? b : a;
  return Edge64(length) << (2 * kNodeBits) | low << kNodeBits | high;
}

__host__ __device__ inline int lowNode(Edge64 key) { return int(key >> kNodeBits) & ((1 << kNodeBits) - 1); }
__host__ __device__ inline int highNode(Edge64 key) { return int(key) & ((1 << kNodeBits) - 1); }

__global__ void forgetLightest(Edge64* lightest, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node < nodes) lightest[node] = kNoEdge;
}

// Of each component, which is known by one of its nodes.
__global__ void findLightest(const int* offsets, const int* neighbours, const int* lengths, const int* components, Edge64* lightest,
                             int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes) return;
  const int own = components[node];
  Edge64 best = kNoEdge;
  for (int edge = offsets[node]; edge < offsets[node + 1]; ++edge) {
    const int neighbour = neighbours[edge];
    if (components[neighbour] == own) continue;
    const Edge64 key = edgeKey(lengths[edge], node, neighbour);
    best = key < best ? key : best;
  }
  if (best != kNoEdge) atomicMin(&lightest[own], best);
}

// A component joins the one at the other end of its edge; of two that have chosen the same edge, the one with the lower number stays.
__global__ void joinComponents(const int* components, const Edge64* lightest, int* parents, Edge64* forest, int* chosen, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes) return;
  parents[node] = node;
  if (components[node] != node || lightest[node] == kNoEdge) return;
  const Edge64 key = lightest[node];
  const int a = components[lowNode(key)], b = components[highNode(key)];
  const int other = a == node ? b : a;
  if (lightest[other] == key && node < other) return;
  parents[node] = other;
  forest[atomicAdd(chosen, 1)] = key;
}

__global__ void jumpToGrandparents(const int* parents, int* next, int* changed, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes) return;
  const int parent = parents[node], grandparent = parents[parent];
  next[node] = grandparent;
  if (parent != grandparent) *changed = 1;
}

__global__ void renameComponents(int* components, const int* parents, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node < nodes) components[node] = parents[components[node]];
}

int download(const DeviceArray<int>& value) {
  int result = 0;
  WORKLOAD_CHECK(cudaMemcpy(&result, value.data(), sizeof(int), cudaMemcpyDeviceToHost));
  return result;
}

std::vector<Edge64> forestOnDevice(const Graph& graph, const std::vector<int>& lengths, Timings& timings) {
  const int nodes = graph.nodes(), blocks = divideUp(nodes, kThreads);
  std::vector<int> own(nodes);
  std::iota(own.begin(), own.end(), 0);
  const DeviceArray<int> offsets(graph.offsets), neighbours(graph.neighbours), edges(lengths), components(own),
      chosen(std::vector<int>(1, 0)), changed(1), one(nodes), two(nodes);
  const DeviceArray<Edge64> lightest(nodes), forest(nodes);
  int inForest = 0;
  timings.kernels([&] {
    for (int before = -1; inForest != before;) {
      before = inForest;
      forgetLightest<<<blocks, kThreads>>>(lightest.data(), nodes);
      findLightest<<<blocks, kThreads>>>(offsets.data(), neighbours.data(), edges.data(), components.data(), lightest.data(), nodes);
      joinComponents<<<blocks, kThreads>>>(components.data(), lightest.data(), one.data(), forest.data(), chosen.data(), nodes);
      inForest = download(chosen);
      int *parents = one.data(), *next = two.data();
      for (int again = inForest != before; again != 0; again = download(changed)) {
        WORKLOAD_CHECK(cudaMemset(changed.data(), 0, sizeof(int)));
        jumpToGrandparents<<<blocks, kThreads>>>(parents, next, changed.data(), nodes);
        std::swap(parents, next);
      }
      renameComponents<<<blocks, kThreads>>>(components.data(), parents, nodes);
    }
    finishKernels();
  });
  std::vector<Edge64> result = forest.download();
  result.resize(inForest);
  std::sort(result.begin(), result.end());
  return result;
}

// Kruskal (1956), with trees of sets.
std::vector<Edge64> referenceForest(const Graph& graph, const std::vector<int>& lengths) {
  std::vector<Edge64> all, forest;
  for (int node = 0; node < graph.nodes(); ++node)
    for (int edge = graph.offsets[node]; edge < graph.offsets[node + 1]; ++edge)
      if (node < graph.neighbours[edge]) all.push_back(edgeKey(lengths[edge], node, graph.neighbours[edge]));
  std::sort(all.begin(), all.end());
  std::vector<int> parents(graph.nodes());
  std::iota(parents.begin(), parents.end(), 0);
  const auto root = [&](int node) {
    while (parents[node] != node) node = parents[node] = parents[parents[node]];
    return node;
  };
  for (const Edge64 key : all) {
    const int a = root(lowNode(key)), b = root(highNode(key));
    if (a == b) continue;
    parents[a] = b;
    forest.push_back(key);
  }
  return forest;
}

bool span(const std::string& name, Graph graph, Timings& timings) {
  sortNeighbours(graph);
  const std::vector<int> lengths = edgeLengths(graph, kLongest);
  const std::vector<Edge64> got = forestOnDevice(graph, lengths, timings);
  std::vector<Edge64> expected;
  timings.reference([&] { expected = referenceForest(graph, lengths); });
  return expectEqual(name + " edges", expected, got);
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"spanning-tree",
                                        "minimum spanning forest, on a road-like and on a power-law graph",
                                        "road 45 x 45, power-law 2,048 nodes",
                                        "road 192 x 192, power-law 32,768 nodes",
                                        "road 512 x 512, power-law 1,048,576 nodes",
                                        {"road", "power-law"}});
  Timings timings;
  bool correct = true;
  if (options.runs("road")) {
    Random random(75);
    correct = span("road", roadGraph(options.pick(45, 192, 512), random), timings) && correct;
  }
  if (options.runs("power-law")) {
    Random random(76);
    correct = span("power-law", powerLawGraph(options.pick(11, 15, 20), 8, random), timings) && correct;
  }
  timings.print();
  return report("spanning-tree", correct);
}
