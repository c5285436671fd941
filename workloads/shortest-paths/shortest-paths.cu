// Shortest paths from one node, driven by a worklist as the Lonestar program is (Burtscher, Nasre and Pingali, IISWC 2012): a launch
// relaxes the edges of the nodes whose distance the one before has shortened (Bellman 1958, with a queue). Distances only shrink, by atomic
// minima; a node is entered once a round.
#include <limits>
#include <queue>

#include "../common/graph.hpp"
#include "../common/workload.hpp"

using namespace workloads;

constexpr int kThreads = 128;
constexpr int kUnreached = std::numeric_limits<int>::max();
constexpr int kLongestStreet = 1000;

__global__ void relaxEdges(const int* offsets, const int* neighbours, const int* lengths, int* distances, int* entered, int round,
                           const int* list, int listed, int* next, int* nextListed) {
  const int item = blockIdx.x * blockDim.x + threadIdx.x;
  if (item >= listed) return;
  const int node = list[item];
  const int distance = atomicAdd(&distances[node], 0);  // others may shorten it just now
  for (int edge = offsets[node]; edge < offsets[node + 1]; ++edge) {
    const int neighbour = neighbours[edge], through = distance + lengths[edge];
    if (through >= atomicMin(&distances[neighbour], through)) continue;
    if (atomicExch(&entered[neighbour], round) != round) next[atomicAdd(nextListed, 1)] = neighbour;
  }
}

std::vector<int> pathsOnDevice(const Graph& graph, const std::vector<int>& lengths, int source, Timings& timings) {
  std::vector<int> initial(graph.nodes(), kUnreached), start(graph.nodes(), 0);
  initial[source] = 0;
  start[0] = source;
  const DeviceArray<int> offsets(graph.offsets), neighbours(graph.neighbours), edges(lengths), distances(initial), even(start),
      odd(graph.nodes()), entered(std::vector<int>(graph.nodes(), 0)), count(1);
  timings.kernels([&] {
    int listed = 1;
    for (int round = 1; listed != 0; ++round) {
      const bool fromEven = round % 2 == 1;
      WORKLOAD_CHECK(cudaMemset(count.data(), 0, sizeof(int)));
      relaxEdges<<<divideUp(listed, kThreads), kThreads>>>(offsets.data(), neighbours.data(), edges.data(), distances.data(),
                                                           entered.data(), round, (fromEven ? even : odd).data(), listed,
                                                           (fromEven ? odd : even).data(), count.data());
      WORKLOAD_CHECK(cudaMemcpy(&listed, count.data(), sizeof(int), cudaMemcpyDeviceToHost));
    }
  });
  return distances.download();
}

// Dijkstra (1959).
std::vector<int> referencePaths(const Graph& graph, const std::vector<int>& lengths, int source) {
  using Entry = std::pair<int, int>;  // distance, node
  std::vector<int> distances(graph.nodes(), kUnreached);
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  distances[source] = 0;
  queue.push({0, source});
  while (!queue.empty()) {
    const auto [distance, node] = queue.top();
    queue.pop();
    if (distance != distances[node]) continue;
    for (int edge = graph.offsets[node]; edge < graph.offsets[node + 1]; ++edge) {
      const int neighbour = graph.neighbours[edge], through = distance + lengths[edge];
      if (through >= distances[neighbour]) continue;
      distances[neighbour] = through;
      queue.push({through, neighbour});
    }
  }
  return distances;
}

bool search(const std::string& name, Graph graph, int longest, Timings& timings) {
  sortNeighbours(graph);
  const std::vector<int> lengths = edgeLengths(graph, longest);
  const int source = firstConnected(graph);
  const std::vector<int> got = pathsOnDevice(graph, lengths, source, timings);
  std::vector<int> expected;
  timings.reference([&] { expected = referencePaths(graph, lengths, source); });
  return expectEqual(name + " distances", expected, got);
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"shortest-paths",
                                        "shortest paths from a worklist, on a road-like and on a power-law graph",
                                        "road 28 x 28, power-law 2,048 nodes",
                                        "road 128 x 128, power-law 32,768 nodes",
                                        "road 512 x 512, power-law 1,048,576 nodes",
                                        {"road", "power-law"}});
  Timings timings;
  bool correct = true;
  if (options.runs("road")) {
    Random random(73);
    correct = search("road", roadGraph(options.pick(28, 128, 512), random), kLongestStreet, timings) && correct;
  }
  if (options.runs("power-law")) {
    Random random(74);
    correct = search("power-law", powerLawGraph(options.pick(11, 15, 20), 8, random), 100, timings) && correct;
  }
  timings.print();
  return report("shortest-paths", correct);
}
