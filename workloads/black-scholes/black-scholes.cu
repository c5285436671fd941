// Prices of European call and put options by the Black-Scholes formula (1973). 480 blocks of 128 threads stride over the options;
// the cumulative normal distribution is the polynomial of Abramowitz and Stegun, 26.2.17, whose error is below 7.5e-8.
#include "../common/workload.hpp"

using namespace workloads;

constexpr int kBlocks = 480, kThreads = 128;
constexpr float kRate = 0.02f, kVolatility = 0.30f;  // per year

__device__ float cumulativeNormal(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float polynomial = k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.39894228f * __expf(-0.5f * d * d) * polynomial;
  return d > 0.0f ? 1.0f - tail : tail;
}

__global__ void blackScholes(const float* price, const float* strike, const float* years, float* call, float* put, int options, float rate,
                             float volatility) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < options; i += gridDim.x * blockDim.x) {
    const float deviation = volatility * sqrtf(years[i]);
    const float d1 = (__logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / deviation;
    const float above1 = cumulativeNormal(d1), above2 = cumulativeNormal(d1 - deviation);
    const float discounted = strike[i] * __expf(-rate * years[i]);
    call[i] = price[i] * above1 - discounted * above2;
    put[i] = discounted * (1.0f - above2) - price[i] * (1.0f - above1);
  }
}

struct Portfolio {
  std::vector<float> price, strike, years;
};

// The distribution by the error function and everything in double precision: the truth, up to the rounding of the result.
void referencePrices(const Portfolio& portfolio, std::vector<float>& call, std::vector<float>& put) {
  const auto normal = [](double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); };
  for (size_t i = 0; i < portfolio.price.size(); ++i) {
    const double price = portfolio.price[i], strike = portfolio.strike[i], years = portfolio.years[i];
    const double rate = kRate, volatility = kVolatility, deviation = volatility * std::sqrt(years);
    const double d1 = (std::log(price / strike) + (rate + 0.5 * volatility * volatility) * years) / deviation;
    const double discounted = strike * std::exp(-rate * years);
    call[i] = float(price * normal(d1) - discounted * normal(d1 - deviation));
    put[i] = float(discounted * normal(deviation - d1) - price * normal(-d1));
  }
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"black-scholes",
                                        "prices of European options, 480 blocks of 128 threads",
                                        "100,003 options",
                                        "1,000,003 options",
                                        "4,000,000 options",
                                        {}});
  const int count = options.pick(100'003, 1'000'003, 4'000'000);

  Random random(16);
  // Prices in cents, strikes in steps of half a unit, times in days.
  Portfolio portfolio;
  for (int option = 0; option < count; ++option) {
    portfolio.price.push_back(inSteps(random.uniform(5.0f, 30.0f), 0.01f));
    portfolio.strike.push_back(inSteps(random.uniform(1.0f, 100.0f), 0.5f));
    portfolio.years.push_back(float(91 + random.below(3'560)) / 365.0f);
  }
  std::vector<float> expectedCall(count), expectedPut(count);

  Timings timings;
  const DeviceArray<float> price(portfolio.price), strike(portfolio.strike), years(portfolio.years), call(count), put(count);
  timings.kernels([&] {
    blackScholes<<<kBlocks, kThreads>>>(price.data(), strike.data(), years.data(), call.data(), put.data(), count, kRate, kVolatility);
  });
  timings.reference([&] { referencePrices(portfolio, expectedCall, expectedPut); });
  timings.print();

  // Price and strike are at most 100, and the probabilities they are multiplied by are off by 7.5e-8 (the polynomial), 2^-21 (the
  // approximate exponential) and 2^-21 / 0.15 / sqrt(2 pi) (the logarithm, divided by the smallest deviation): 2e-6 together.
  constexpr float kTolerance = 100.0f * 2e-6f;
  bool correct = expectNear("call", expectedCall, call.download(), 0.0f, kTolerance);
  correct = expectNear("put", expectedPut, put.download(), 0.0f, kTolerance) && correct;
  return report("black-scholes", correct);
}
