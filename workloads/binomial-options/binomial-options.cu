// Binomial options: European calls priced on the recombining tree of Cox, Ross and Rubinstein ("Option Pricing: A Simplified
// Approach", 1979). A block of 256 threads walks one option's tree from the leaves to the root. A level lies in global memory;
// a tile of it is carried back 32 levels in two shared arrays, one cell losing validity with each of them.
#include <cmath>

#include "../common/workload.hpp"

using namespace workloads;

constexpr int kTile = 256;   // cells of a level in shared memory, one a thread
constexpr int kLevels = 32;  // that a tile is carried back at a time

// Per option: in a step the price rises by exp(logStep) or falls by as much; the weights are discounted probabilities.
struct Steps {
  std::vector<float> log, rise, fall;
};

Steps stepsOf(const std::vector<float>& years, float volatility, float rate, int steps) {
  Steps result;
  for (const float term : years) {
    const double time = double(term) / steps, log = volatility * std::sqrt(time);
    const double growth = std::exp(rate * time), up = std::exp(log), down = std::exp(-log);
    const double probability = (growth - down) / (up - down);
    result.log.push_back(float(log));
    result.rise.push_back(float(probability / growth));
    result.fall.push_back(float((1.0 - probability) / growth));
  }
  return result;
}

__host__ __device__ inline float payOff(float spot, float strike, float log, int steps, int leaf) {
  const float price = spot * expf(log * (2.0f * leaf - steps)) - strike;
  return price > 0.0f ? price : 0.0f;
}

__global__ void binomialOptions(const float* spot, const float* strike, const float* logStep, const float* riseWeight,
                                const float* fallWeight, float* levels, float* price, int steps) {
  __shared__ float even[kTile], odd[kTile];
  const int option = blockIdx.x, thread = threadIdx.x;
  const float log = logStep[option], rise = riseWeight[option], fall = fallWeight[option];
  float* level = levels + size_t(option) * (steps + 1);
  for (int leaf = thread; leaf <= steps; leaf += kTile) level[leaf] = payOff(spot[option], strike[option], log, steps, leaf);

  for (int top = steps; top > 0; top -= kLevels) {  // cells 0 … top of this level are known
    for (int first = 0; first <= top - kLevels; first += kTile - kLevels) {
      __syncthreads();
      even[thread] = first + thread <= top ? level[first + thread] : 0.0f;
      __syncthreads();
      for (int done = 0; done < kLevels; done += 2) {
        if (thread < kTile - 1 - done) odd[thread] = rise * even[thread + 1] + fall * even[thread];
        __syncthreads();
        if (thread < kTile - 2 - done) even[thread] = rise * odd[thread + 1] + fall * odd[thread];
        __syncthreads();
      }
      if (thread < kTile - kLevels && first + thread <= top - kLevels) level[first + thread] = even[thread];
    }
  }
  if (thread == 0) price[option] = even[0];
}

float referencePrice(float spot, float strike, float log, float rise, float fall, int steps, std::vector<float>& level) {
  for (int leaf = 0; leaf <= steps; ++leaf) level[leaf] = payOff(spot, strike, log, steps, leaf);
  for (int top = steps; top > 0; --top)
    for (int cell = 0; cell < top; ++cell) level[cell] = rise * level[cell + 1] + fall * level[cell];
  return level[0];
}

struct Problem {
  int options, steps;
};

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"binomial-options",
                                        "European calls on a binomial tree, a block of threads an option",
                                        "9 options, 512 steps",
                                        "64 options, 1024 steps",
                                        "512 options, 2048 steps",
                                        {}});
  const Problem problem = options.pick(Problem{9, 512}, Problem{64, 1024}, Problem{512, 2048});
  constexpr float kRate = 0.06f, kVolatility = 0.10f, kHighestSpot = 30.0f;

  Random random(31);
  // Prices in cents, strikes in steps of half a unit, times in days.
  std::vector<float> spot, strike, years;
  for (int option = 0; option < problem.options; ++option) {
    spot.push_back(inSteps(random.uniform(5.0f, kHighestSpot), 0.01f));
    strike.push_back(inSteps(random.uniform(1.0f, 100.0f), 0.5f));
    years.push_back(float(91 + random.below(3'560)) / 365.0f);
  }

  const Steps step = stepsOf(years, kVolatility, kRate, problem.steps);

  Timings timings;
  const DeviceArray<float> deviceSpot(spot), deviceStrike(strike), log(step.log), rise(step.rise), fall(step.fall);
  const DeviceArray<float> levels(size_t(problem.options) * (problem.steps + 1)), price(problem.options);
  timings.kernels([&] {
    binomialOptions<<<problem.options, kTile>>>(deviceSpot.data(), deviceStrike.data(), log.data(), rise.data(), fall.data(), levels.data(),
                                                price.data(), problem.steps);
  });
  std::vector<float> expected(problem.options), level(problem.steps + 1);
  timings.reference([&] {
    for (int i = 0; i < problem.options; ++i)
      expected[i] = referencePrice(spot[i], strike[i], step.log[i], step.rise[i], step.fall[i], problem.steps, level);
  });
  timings.print();

  // Nothing is subtracted after the leaves. A step rounds two products and a sum, or one product and a fused sum: at most 2^-22 between
  // both. The leaves' prices differ by the 2 units in the last place of each exponential, and their discounted mean is the spot price.
  const float relative = 0x1p-22f * problem.steps, absolute = 4 * 0x1p-23f * kHighestSpot;
  return report("binomial-options", expectNear("price", expected, price.download(), relative, absolute));
}
