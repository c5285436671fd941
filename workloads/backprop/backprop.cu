// One training step of a perceptron with a wide input layer and 16 hidden units, blocked as in Rodinia: 16 x 16 threads, a row
// of them per input unit; or with 32 hidden units and 32 x 32 threads, where a row is a warp. Weights lie in rows of 17 (33), the first
// row and column belonging to the bias, which leaves every row's accesses unaligned. In the variants `control` the number of hidden units
// is a parameter, places in the matrices are two-dimensional indices, and the forward kernel leaves its sums where the weights were, as in
// Rodinia's program: more control data live in registers.
#include "../common/image.hpp"
#include "../common/workload.hpp"

using namespace workloads;

// For a number of hidden units, which is also that of input units per block: weights per input unit.
__host__ __device__ constexpr int pitchFor(int hidden) { return hidden + 1; }
constexpr float kRate = 0.3f, kMomentum = 0.3f;

// Sums input times weight over the block's input units, for every hidden unit, by a tree over the rows.
template <int kHidden>
__device__ __forceinline__ void forward(const float* input, const float* weights, float* partialSums) {
  constexpr int kRows = kHidden, kPitch = pitchFor(kHidden);
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

template <int kHidden>
__device__ __forceinline__ void adjustAll(const float* delta, const float* input, float* weights, float* updates) {
  constexpr int kRows = kHidden, kPitch = pitchFor(kHidden);
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int unit = blockIdx.y * kRows + ty + 1;
  const int index = unit * kPitch + tx + 1;
  adjust(&weights[index], &updates[index], delta[tx] * input[unit]);
  if (unit == 1) adjust(&weights[tx + 1], &updates[tx + 1], delta[tx]);  // the bias row, whose input is 1
}

__global__ void backpropForward(const float* input, const float* weights, float* partialSums) { forward<16>(input, weights, partialSums); }

__global__ void backpropAdjust(const float* delta, const float* input, float* weights, float* updates) {
  adjustAll<16>(delta, input, weights, updates);
}

__global__ void backpropForward32(const float* input, const float* weights, float* partialSums) {
  forward<32>(input, weights, partialSums);
}

__global__ void backpropAdjust32(const float* delta, const float* input, float* weights, float* updates) {
  adjustAll<32>(delta, input, weights, updates);
}

// As forward; `scratch` holds a copy of the weights.
template <int kRows>
__device__ __forceinline__ void forwardInPlace(const float* input, float* scratch, float* partialSums, int hidden) {
  __shared__ float units[kRows];
  __shared__ float products[kRows][kRows];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int unit = kRows * blockIdx.y + ty + 1;
  const int index = (hidden + 1) * unit + tx + 1;
  if (tx == 0) units[ty] = input[unit];
  __syncthreads();
  products[ty][tx] = scratch[index];
  __syncthreads();
  products[ty][tx] *= units[ty];
  __syncthreads();
  for (int level = 1; level <= __log2f(kRows); ++level) {
    const int group = __powf(2.0f, level);  // exact: the device's approximations are, of powers of two
    if (ty % group == 0) products[ty][tx] += products[ty + group / 2][tx];
    __syncthreads();
  }
  scratch[index] = products[ty][tx];
  __syncthreads();
  if (tx == 0) partialSums[blockIdx.y * hidden + ty] = products[tx][ty];
}

template <int kRows>
__device__ __forceinline__ void adjustIndexed(const float* delta, int hidden, const float* input, float* weights, float* updates) {
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int y = kRows * blockIdx.y + ty + 1, x = tx + 1;
  const int index = (hidden + 1) * y + x;
  adjust(&weights[index], &updates[index], delta[tx] * input[y]);
  __syncthreads();
  if (ty == 0 && blockIdx.y == 0) adjust(&weights[x], &updates[x], delta[tx]);
}

__global__ void backpropForwardControl(const float* input, float* scratch, float* partialSums, int hidden) {
  forwardInPlace<16>(input, scratch, partialSums, hidden);
}

__global__ void backpropAdjustControl(const float* delta, int hidden, const float* input, float* weights, float* updates) {
  adjustIndexed<16>(delta, hidden, input, weights, updates);
}

__global__ void backpropForwardControl32(const float* input, float* scratch, float* partialSums, int hidden) {
  forwardInPlace<32>(input, scratch, partialSums, hidden);
}

__global__ void backpropAdjustControl32(const float* delta, int hidden, const float* input, float* weights, float* updates) {
  adjustIndexed<32>(delta, hidden, input, weights, updates);
}

float sigmoid(float x) { return 1.0f / (1.0f + std::exp(-x)); }

// The network; weights and updates are [1 + inputs][1 + hidden]. Its inputs are a picture, as of the faces that Rodinia's program learns;
// weights and what the last step changed are near normal, as those of trained networks.
struct Network {
  int hidden, pitch;
  std::vector<float> input, weights, updates, outputWeights;
  float target;
};

Network makeNetwork(int inputs, int hidden, Random& random) {
  const float scale = 1.0f / std::sqrt(float(inputs));
  Network network;
  network.hidden = hidden;
  network.pitch = pitchFor(hidden);
  network.input.push_back(1.0f);
  for (const float pixel : makeImage(64, inputs / 64, random)) network.input.push_back(pixel / 255.0f);
  network.weights = normalFloats(random, size_t(inputs + 1) * network.pitch, 0.5f * scale);
  network.updates = normalFloats(random, network.weights.size(), 0.005f * scale);
  network.outputWeights = normalFloats(random, hidden, 0.3f);
  network.target = 0.9f;
  return network;
}

// Errors of the hidden units from their activations, through the single output unit.
std::vector<float> hiddenDeltas(const Network& network, const std::vector<float>& hidden) {
  float sum = 0.0f;
  for (int j = 0; j < network.hidden; ++j) sum += hidden[j] * network.outputWeights[j];
  const float output = sigmoid(sum);
  const float outputDelta = output * (1.0f - output) * (network.target - output);
  std::vector<float> deltas(network.hidden);
  for (int j = 0; j < network.hidden; ++j) deltas[j] = hidden[j] * (1.0f - hidden[j]) * outputDelta * network.outputWeights[j];
  return deltas;
}

std::vector<float> referenceForward(const Network& network) {
  std::vector<float> hidden(network.hidden, 0.0f);
  for (size_t i = 0; i < network.input.size(); ++i)
    for (int j = 0; j < network.hidden; ++j) hidden[j] += network.input[i] * network.weights[i * network.pitch + j + 1];
  for (float& value : hidden) value = sigmoid(value);
  return hidden;
}

void referenceAdjust(Network& network, const std::vector<float>& deltas) {
  for (size_t i = 0; i < network.input.size(); ++i) {
    for (int j = 0; j < network.hidden; ++j) {
      const size_t index = i * network.pitch + j + 1;
      network.updates[index] = kRate * deltas[j] * network.input[i] + kMomentum * network.updates[index];
      network.weights[index] += network.updates[index];
    }
  }
}

std::vector<float> addPartialSums(const Network& network, const std::vector<float>& partialSums) {
  std::vector<float> hidden(network.hidden);
  for (int j = 0; j < network.hidden; ++j) {
    float sum = network.weights[j + 1];
    for (size_t i = j; i < partialSums.size(); i += network.hidden) sum += partialSums[i];
    hidden[j] = sigmoid(sum);
  }
  return hidden;
}

// What the kernels of a step get, and hidden x hidden threads a block.
struct Step {
  dim3 grid, block;
  const float* input;
  float *weights, *updates;
};

// One step on the device beside the reference. forward(step, partialSums), adjust(step, delta).
template <class Forward, class Adjust>
bool trains(const char* name, const Network& before, Forward forward, Adjust adjust, Timings& timings) {
  Network network = before;
  const int inputs = int(network.input.size()) - 1;
  const DeviceArray<float> input(network.input), weights(network.weights), updates(network.updates);
  const Step step{dim3(1, inputs / network.hidden), dim3(network.hidden, network.hidden), input.data(), weights.data(), updates.data()};
  const DeviceArray<float> partialSums(size_t(step.grid.y) * network.hidden);
  timings.kernels([&] { forward(step, partialSums.data()); });
  const std::vector<float> hidden = addPartialSums(network, partialSums.download());
  const DeviceArray<float> delta(hiddenDeltas(network, hidden));
  timings.kernels([&] { adjust(step, delta.data()); });

  std::vector<float> expectedHidden;
  timings.reference([&] {
    expectedHidden = referenceForward(network);
    referenceAdjust(network, hiddenDeltas(network, expectedHidden));
  });
  // The reference adds one product after the other; its error grows with the number of inputs, up to 1e-4 here.
  bool correct = expectNear("hidden", expectedHidden, hidden, 0.0f, 2e-4f);
  correct = expectNear("updates", network.updates, updates.download(), 1e-3f, 1e-7f) && correct;
  correct = expectNear("weights", network.weights, weights.download(), 1e-5f, 1e-6f) && correct;
  if (!correct) std::printf("with %s blocks\n", name);
  return correct;
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"backprop",
                                        "training step of a perceptron with 16 (wide: 32) hidden units, as many input units a block",
                                        "4,096 input units",
                                        "65,536 input units",
                                        "524,288 input units",
                                        {"square", "wide", "control", "control-wide"},
                                        "square"});
  const int inputs = options.pick(4096, 65536, 524288);

  Timings timings;
  bool correct = true;
  const auto train = [&](const char* name, int hidden, auto forward, auto adjust) {
    if (!options.runs(name)) return;
    Random random(7);
    const auto launchForward = [&](const Step& step, float* sums) { forward<<<step.grid, step.block>>>(step.input, step.weights, sums); };
    const auto launchAdjust = [&](const Step& step, const float* delta) {
      adjust<<<step.grid, step.block>>>(delta, step.input, step.weights, step.updates);
    };
    correct = trains(name, makeNetwork(inputs, hidden, random), launchForward, launchAdjust, timings) && correct;
  };
  const auto trainControl = [&](const char* name, int hidden, auto forward, auto adjust) {
    if (!options.runs(name)) return;
    Random random(7);
    const Network network = makeNetwork(inputs, hidden, random);
    const DeviceArray<float> scratch(network.weights);
    const auto launchForward = [&](const Step& step, float* sums) {
      forward<<<step.grid, step.block>>>(step.input, scratch.data(), sums, hidden);
    };
    const auto launchAdjust = [&](const Step& step, const float* delta) {
      adjust<<<step.grid, step.block>>>(delta, hidden, step.input, step.weights, step.updates);
    };
    correct = trains(name, network, launchForward, launchAdjust, timings) && correct;
  };
  train("square", 16, backpropForward, backpropAdjust);
  train("wide", 32, backpropForward32, backpropAdjust32);
  trainControl("control", 16, backpropForwardControl, backpropAdjustControl);
  trainControl("control-wide", 32, backpropForwardControl32, backpropAdjustControl32);
  timings.print();
  return report("backprop", correct);
}
