// A layer of a graph neural network with means over neighbours (GraphSAGE; Hamilton, Ying and Leskovec, NIPS 2017): `gatherMeans` averages
// the features of each node's neighbours, a warp a node and a lane a feature; `transformNodes` multiplies a node's own features and these
// means with a matrix of weights that lies in shared memory, and keeps what is positive.
#include <algorithm>
#include <cmath>

#include "../common/graph.hpp"
#include "../common/workload.hpp"

using namespace workloads;

constexpr int kFeatures = 32;  // in and out: a lane each
constexpr int kWarps = 8;      // a block

__global__ void gatherMeans(const int* offsets, const int* neighbours, const float* features, float* means, int nodes) {
  const int lane = threadIdx.x, node = blockIdx.x * kWarps + threadIdx.y;
  if (node >= nodes) return;
  const int first = offsets[node], end = offsets[node + 1];
  float sum = 0.0f;
  for (int edge = first; edge < end; ++edge) sum += features[neighbours[edge] * kFeatures + lane];
  means[node * kFeatures + lane] = end == first ? 0.0f : sum / (end - first);
}

// weights: [2 * kFeatures][kFeatures], those of the node's own features first.
__global__ void transformNodes(const float* features, const float* means, const float* weights, const float* bias, float* out, int nodes) {
  __shared__ float matrix[2 * kFeatures][kFeatures];
  __shared__ float rows[kWarps][2 * kFeatures];
  const int lane = threadIdx.x, warp = threadIdx.y, node = blockIdx.x * kWarps + warp;
  for (int row = warp; row < 2 * kFeatures; row += kWarps) matrix[row][lane] = weights[row * kFeatures + lane];
  if (node < nodes) {
    rows[warp][lane] = features[node * kFeatures + lane];
    rows[warp][kFeatures + lane] = means[node * kFeatures + lane];
  }
  __syncthreads();
  if (node >= nodes) return;
  float sum = bias[lane];
  for (int row = 0; row < 2 * kFeatures; ++row) sum += rows[warp][row] * matrix[row][lane];
  out[node * kFeatures + lane] = fmaxf(sum, 0.0f);
}

struct Layer {
  std::vector<float> weights, bias;
};

std::vector<float> layerOnDevice(const Graph& graph, const std::vector<float>& features, const Layer& layer, Timings& timings) {
  const int nodes = graph.nodes(), blocks = divideUp(nodes, kWarps);
  const DeviceArray<int> offsets(graph.offsets), neighbours(graph.neighbours);
  const DeviceArray<float> in(features), weights(layer.weights), bias(layer.bias), means(features.size()), out(features.size());
  timings.kernels([&] {
    const dim3 threads(kFeatures, kWarps);
    gatherMeans<<<blocks, threads>>>(offsets.data(), neighbours.data(), in.data(), means.data(), nodes);
    transformNodes<<<blocks, threads>>>(in.data(), means.data(), weights.data(), bias.data(), out.data(), nodes);
    finishKernels();
  });
  return out.download();
}

std::vector<float> referenceLayer(const Graph& graph, const std::vector<float>& features, const Layer& layer) {
  std::vector<float> out(features.size());
  std::vector<double> row(2 * kFeatures);
  for (int node = 0; node < graph.nodes(); ++node) {
    const int first = graph.offsets[node], end = graph.offsets[node + 1];
    for (int i = 0; i < kFeatures; ++i) {
      row[i] = features[node * kFeatures + i];
      double sum = 0;
      for (int edge = first; edge < end; ++edge) sum += features[graph.neighbours[edge] * kFeatures + i];
      row[kFeatures + i] = end == first ? 0 : sum / (end - first);
    }
    for (int column = 0; column < kFeatures; ++column) {
      double sum = layer.bias[column];
      for (int i = 0; i < 2 * kFeatures; ++i) sum += row[i] * layer.weights[i * kFeatures + column];
      out[node * kFeatures + column] = float(std::max(sum, 0.0));
    }
  }
  return out;
}

// What a hidden layer gives: half of it zero, as max(0, x) leaves of normal numbers.
std::vector<float> hiddenFeatures(int nodes, Random& random) {
  std::vector<float> features(size_t(nodes) * kFeatures);
  for (float& feature : features) feature = std::max(0.0f, random.normal());
  return features;
}

// Deviation as weights of networks with max(0, x) begin (He et al., ICCV 2015): sqrt(2 / inputs).
Layer makeLayer(Random& random) {
  const float deviation = std::sqrt(2.0f / (2 * kFeatures));
  return {normalFloats(random, 2 * kFeatures * kFeatures, deviation), normalFloats(random, kFeatures, 0.1f)};
}

// Rounding of a sum of n terms is below n * 2^-24 times the sum of their sizes: of the neighbours (none above 6), then of the products.
float tolerance(const Graph& graph, const Layer& layer) {
  constexpr float kLargestFeature = 6.0f, kUnit = 0x1p-24f;
  int mostNeighbours = 0;
  for (int node = 0; node < graph.nodes(); ++node) mostNeighbours = std::max(mostNeighbours, graph.offsets[node + 1] - graph.offsets[node]);
  float heaviest = 0;
  for (int column = 0; column < kFeatures; ++column) {
    float sum = std::fabs(layer.bias[column]);
    for (int row = 0; row < 2 * kFeatures; ++row) sum += std::fabs(layer.weights[row * kFeatures + column]);
    heaviest = std::max(heaviest, sum);
  }
  return float(mostNeighbours + 1 + 2 * kFeatures + 1) * kUnit * kLargestFeature * heaviest;
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"graph-layer",
                                        "a layer of a graph neural network on a power-law graph, 32 features",
                                        "1,024 nodes",
                                        "16,384 nodes",
                                        "262,144 nodes",
                                        {}});
  Random random(77);
  Graph graph = powerLawGraph(options.pick(10, 14, 18), 7, random);
  sortNeighbours(graph);
  const std::vector<float> features = hiddenFeatures(graph.nodes(), random);
  const Layer layer = makeLayer(random);
  Timings timings;
  const std::vector<float> got = layerOnDevice(graph, features, layer, timings);
  std::vector<float> expected;
  timings.reference([&] { expected = referenceLayer(graph, features, layer); });
  timings.print();
  return report("graph-layer", expectNear("features", expected, got, 0x1p-24f, tolerance(graph, layer)));
}
