// One training step of a perceptron with a wide input layer and 16 hidden units, blocked as in Rodinia: 16 x 16 threads, a row
// of them per input unit. Weights lie in rows of 17, the first row and column belonging to the bias, which leaves every
// row's accesses unaligned.
#include "../common/workload.hpp"

using namespace workloads;

constexpr int kHidden = 16;
constexpr int kPitch = kHidden + 1;  // weights per input unit
constexpr int kRows = 16;            // input units per block
constexpr float kRate = 0.3f, kMomentum = 0.3f;

// Sums input times weight over the block's input units, for every hidden unit, by a tree over the rows.
__global__ void backpropForward(const float* input, const float* weights, float* partialSums) {
  __shared__ float units[kRows];
  __shared__ float products[kRows][kHidden];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int unit = blockIdx.y * kRows + ty + 1;
  if (tx == 0) units[ty] = input[unit];
  products[ty][tx] = weights[unit * kPitch + tx + 1];
  __syncthreads();
  products[ty][tx] *= units[ty];
  for (int stride = 1; stride < kRows; stride *= 2) {
    __syncthreads();
    if (ty % (2 * stride) == 0) products[ty][tx] += products[ty + stride][tx];
  }
  if (ty == 0) partialSums[blockIdx.y * kHidden + tx] = products[0][tx];
}

__device__ void adjust(float* weight, float* update, float gradient) {
  *update = kRate * gradient + kMomentum * *update;
  *weight += *update;
}

__global__ void backpropAdjust(const float* delta, const float* input, float* weights, float* updates) {
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int unit = blockIdx.y * kRows + ty + 1;
  const int index = unit * kPitch + tx + 1;
  adjust(&weights[index], &updates[index], delta[tx] * input[unit]);
  if (unit == 1) adjust(&weights[tx + 1], &updates[tx + 1], delta[tx]);  // the bias row, whose input is 1
}

float sigmoid(float x) { return 1.0f / (1.0f + std::exp(-x)); }

// The network; weights and updates are [1 + inputs][1 + hidden].
struct Network {
  std::vector<float> input, weights, updates, outputWeights;
  float target;
};

Network makeNetwork(int inputs, Random& random) {
  const float scale = 1.0f / std::sqrt(float(inputs));
  Network network;
  network.input = uniformFloats(random, inputs + 1, 0.0f, 1.0f);
  network.input[0] = 1.0f;
  network.weights = uniformFloats(random, size_t(inputs + 1) * kPitch, -scale, scale);
  network.updates = uniformFloats(random, network.weights.size(), -0.01f * scale, 0.01f * scale);
  network.outputWeights = uniformFloats(random, kHidden, -0.5f, 0.5f);
  network.target = 0.9f;
  return network;
}

// Errors of the hidden units from their activations, through the single output unit.
std::vector<float> hiddenDeltas(const Network& network, const std::vector<float>& hidden) {
  float sum = 0.0f;
  for (int j = 0; j < kHidden; ++j) sum += hidden[j] * network.outputWeights[j];
  const float output = sigmoid(sum);
  const float outputDelta = output * (1.0f - output) * (network.target - output);
  std::vector<float> deltas(kHidden);
  for (int j = 0; j < kHidden; ++j) deltas[j] = hidden[j] * (1.0f - hidden[j]) * outputDelta * network.outputWeights[j];
  return deltas;
}

std::vector<float> referenceForward(const Network& network) {
  std::vector<float> hidden(kHidden, 0.0f);
  for (size_t i = 0; i < network.input.size(); ++i)
    for (int j = 0; j < kHidden; ++j) hidden[j] += network.input[i] * network.weights[i * kPitch + j + 1];
  for (float& value : hidden) value = sigmoid(value);
  return hidden;
}

void referenceAdjust(Network& network, const std::vector<float>& deltas) {
  for (size_t i = 0; i < network.input.size(); ++i) {
    for (int j = 0; j < kHidden; ++j) {
      const size_t index = i * kPitch + j + 1;
      network.updates[index] = kRate * deltas[j] * network.input[i] + kMomentum * network.updates[index];
      network.weights[index] += network.updates[index];
    }
  }
}

std::vector<float> addPartialSums(const Network& network, const std::vector<float>& partialSums) {
  std::vector<float> hidden(kHidden);
  for (int j = 0; j < kHidden; ++j) {
    float sum = network.weights[j + 1];
    for (size_t i = j; i < partialSums.size(); i += kHidden) sum += partialSums[i];
    hidden[j] = sigmoid(sum);
  }
  return hidden;
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"backprop",
                                        "training step of a perceptron with 16 hidden units, 16 x 16 blocks",
                                        "4,096 input units",
                                        "65,536 input units",
                                        "524,288 input units",
                                        {}});
  const int inputs = options.pick(4096, 65536, 524288);
  const dim3 grid(1, inputs / kRows), block(kHidden, kRows);

  Random random(7);
  Network network = makeNetwork(inputs, random);
  Timings timings;
  const DeviceArray<float> input(network.input), weights(network.weights), updates(network.updates);
  const DeviceArray<float> partialSums(size_t(grid.y) * kHidden);
  timings.kernels([&] { backpropForward<<<grid, block>>>(input.data(), weights.data(), partialSums.data()); });
  const std::vector<float> hidden = addPartialSums(network, partialSums.download());
  const DeviceArray<float> delta(hiddenDeltas(network, hidden));
  timings.kernels([&] { backpropAdjust<<<grid, block>>>(delta.data(), input.data(), weights.data(), updates.data()); });

  std::vector<float> expectedHidden;
  timings.reference([&] {
    expectedHidden = referenceForward(network);
    referenceAdjust(network, hiddenDeltas(network, expectedHidden));
  });
  timings.print();

  // The reference adds one product after the other; its error grows with the number of inputs, up to 1e-4 here.
  bool correct = expectNear("hidden", expectedHidden, hidden, 0.0f, 2e-4f);
  correct = expectNear("updates", network.updates, updates.download(), 1e-3f, 1e-7f) && correct;
  correct = expectNear("weights", network.weights, weights.download(), 1e-5f, 1e-6f) && correct;
  return report("backprop", correct);
}
