// Breadth-first search driven by a worklist, as the Lonestar programs are (Burtscher, Nasre and Pingali, IISWC 2012): a launch takes the
// nodes that the one before has reached, and reaches their neighbours. The first thread to come to a node wins it with an atomic and enters
// it in the next list; the order of a list is that of the atomics, the levels are not changed by it.
#include "../common/breadth_first.hpp"
#include "../common/graph.hpp"
#include "../common/workload.hpp"

using namespace workloads;

constexpr int kThreads = 256;

__global__ void worklistExpand(const int* offsets, const int* neighbours, int* levels, int level, const int* list, int listed, int* next,
                               int* nextListed) {
  const int item = blockIdx.x * blockDim.x + threadIdx.x;
  if (item >= listed) return;
  const int node = list[item];
  for (int edge = offsets[node]; edge < offsets[node + 1]; ++edge) {
    const int neighbour = neighbours[edge];
    if (atomicCAS(&levels[neighbour], kUnreached, level) == kUnreached) next[atomicAdd(nextListed, 1)] = neighbour;
  }
}

std::vector<int> searchOnDevice(const Graph& graph, int source, Timings& timings) {
  std::vector<int> initial(graph.nodes(), kUnreached);
  initial[source] = 0;
  std::vector<int> start(graph.nodes(), 0);
  start[0] = source;
  const DeviceArray<int> offsets(graph.offsets), neighbours(graph.neighbours), levels(initial), even(start), odd(graph.nodes()), count(1);
  timings.kernels([&] {
    int listed = 1;
    for (int level = 1; listed != 0; ++level) {
      const bool fromEven = level % 2 == 1;
      WORKLOAD_CHECK(cudaMemset(count.data(), 0, sizeof(int)));
      worklistExpand<<<divideUp(listed, kThreads), kThreads>>>(offsets.data(), neighbours.data(), levels.data(), level,
                                                               (fromEven ? even : odd).data(), listed, (fromEven ? odd : even).data(),
                                                               count.data());
      WORKLOAD_CHECK(cudaMemcpy(&listed, count.data(), sizeof(int), cudaMemcpyDeviceToHost));
    }
  });
  return levels.download();
}

bool search(const std::string& name, Graph graph, Timings& timings) {
  sortNeighbours(graph);
  const int source = firstConnected(graph);
  const std::vector<int> got = searchOnDevice(graph, source, timings);
  std::vector<int> expected;
  timings.reference([&] { expected = referenceLevels(graph, source); });
  return expectEqual(name + " levels", expected, got);
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"bfs-worklist",
                                        "breadth-first search from a worklist, on a power-law and on a road-like graph",
                                        "power-law 8,192 nodes, road 40 x 40",
                                        "power-law 131,072 nodes, road 192 x 192",
                                        "power-law 1,048,576 nodes, road 512 x 512",
                                        {"power-law", "road"}});
  Timings timings;
  bool correct = true;
  if (options.runs("power-law")) {
    Random random(71);
    correct = search("power-law", powerLawGraph(options.pick(13, 17, 20), 8, random), timings) && correct;
  }
  if (options.runs("road")) {
    Random random(72);
    correct = search("road", roadGraph(options.pick(40, 192, 512), random), timings) && correct;
  }
  timings.print();
  return report("bfs-worklist", correct);
}
