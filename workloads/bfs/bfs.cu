// Breadth-first search, level by level, over a graph in compressed sparse rows. One thread per node looks at its frontier
// flag; the first kernel marks unvisited neighbours, the second turns the marks into the next frontier.
#include "../common/breadth_first.hpp"
#include "../common/graph.hpp"
#include "../common/workload.hpp"

using namespace workloads;

constexpr int kThreads = 256;

using Flag = unsigned char;  // one per node

__global__ void bfsExpand(const int* offsets, const int* neighbours, Flag* frontier, Flag* marked, const Flag* visited, int* levels,
                          int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || !frontier[node]) return;
  frontier[node] = 0;
  const int next = levels[node] + 1;
  for (int edge = offsets[node]; edge < offsets[node + 1]; ++edge) {
    const int neighbour = neighbours[edge];
    if (visited[neighbour]) continue;
    levels[neighbour] = next;  // several threads may write, all the same value
    marked[neighbour] = 1;
  }
}

__global__ void bfsCommit(Flag* frontier, Flag* marked, Flag* visited, int* advanced, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || !marked[node]) return;
  frontier[node] = 1;
  visited[node] = 1;
  marked[node] = 0;
  *advanced = 1;
}

std::vector<int> searchOnDevice(const Graph& graph, int source, Timings& timings) {
  const int nodes = graph.nodes();
  std::vector<Flag> start(nodes, 0);
  start[source] = 1;
  std::vector<int> initial(nodes, kUnreached);
  initial[source] = 0;
  const DeviceArray<int> offsets(graph.offsets), neighbours(graph.neighbours), levels(initial), advanced(1);
  const DeviceArray<Flag> frontier(start), visited(start), marked(std::vector<Flag>(nodes, 0));
  const int blocks = divideUp(nodes, kThreads);
  timings.kernels([&] {
    int again = 1;
    while (again) {
      WORKLOAD_CHECK(cudaMemset(advanced.data(), 0, sizeof(int)));
      bfsExpand<<<blocks, kThreads>>>(offsets.data(), neighbours.data(), frontier.data(), marked.data(), visited.data(), levels.data(),
                                      nodes);
      bfsCommit<<<blocks, kThreads>>>(frontier.data(), marked.data(), visited.data(), advanced.data(), nodes);
      WORKLOAD_CHECK(cudaMemcpy(&again, advanced.data(), sizeof(int), cudaMemcpyDeviceToHost));
    }
  });
  return levels.download();
}

bool search(const std::string& name, const Graph& graph, Timings& timings) {
  const int source = firstConnected(graph);
  const std::vector<int> got = searchOnDevice(graph, source, timings);
  std::vector<int> expected;
  timings.reference([&] { expected = referenceLevels(graph, source); });
  return expectEqual(name + " levels", expected, got);
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"bfs",
                                        "breadth-first search on a power-law and on a road-like graph",
                                        "power-law 4,096 nodes, road 48 x 48",
                                        "power-law 131,072 nodes, road 192 x 192",
                                        "power-law 1,048,576 nodes, road 512 x 512",
                                        {"power-law", "road"}});
  Timings timings;
  bool correct = true;
  if (options.runs("power-law")) {
    Random random(9);
    correct = search("power-law", powerLawGraph(options.pick(12, 17, 20), 6, random), timings) && correct;
  }
  if (options.runs("road")) {
    Random random(10);
    correct = search("road", roadGraph(options.pick(48, 192, 512), random), timings) && correct;
  }
  timings.print();
  return report("bfs", correct);
}
