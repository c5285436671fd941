// Monte Carlo in the LIBOR market model: each thread follows one path of all forward rates under log-Euler steps and prices a portfolio of
// swaptions on it (`liborPrice`); `liborGreeks` also goes the path back for the derivatives of the value with respect to all rates that the
// path began with, by adjoints, for which it keeps the rates of every step in a local array of 13 KB. After Giles and Glasserman:
// "Smoking adjoints: fast Monte Carlo Greeks", Risk 2006, whose rates, times and swaptions these are.
#include <algorithm>

#include "../common/workload.hpp"

using namespace workloads;

constexpr int kThreads = 64;
constexpr int kMostRates = 80, kMostSteps = 40;
constexpr int kMostOptions = 15;
constexpr float kNotional = 100.0f;

// A step rounds a rate some six times by 2^-24 of it, up or down: after 40 steps the rate is off by the root of 240 times that, 1e-6 of it.
// An option's cost adds up to 40 rates of about 0.1 over a quarter of a year each: about 1e-6, too. This is some times more.
constexpr float kCostError = 1e-5f;

// A market of `rates` forward rates, each for `accrual` years; paths of `steps` such periods; options on swaps that begin then.
struct Market {
  int rates, steps, options;
  float accrual;
  float volatility[kMostRates];   // by periods until the rate is fixed
  int maturities[kMostOptions];   // periods that each swap lasts
  float swapRates[kMostOptions];  // that the owner may pay instead of the floating rates
};

__constant__ Market market;

// All rates that are not fixed yet go one period on; `normal` is the period's random number.
__device__ inline void advanceRates(float* rates, int step, float normal) {
  const float shock = sqrtf(market.accrual) * normal;
  float drift = 0.0f;
  for (int i = step + 1; i < market.rates; ++i) {
    const float volatility = market.volatility[i - step - 1], scaled = market.accrual * volatility;
    drift += scaled * rates[i] / (1.0f + market.accrual * rates[i]);
    rates[i] *= expf(scaled * drift + volatility * (shock - 0.5f * scaled));
  }
}

// The prices, at the options' date, of bonds that end after each later period, and of all payments of 1 a year up to them.
__device__ inline void priceBonds(const float* rates, float* bonds, float* annuities) {
  float bond = 1.0f, annuity = 0.0f;
  for (int i = market.steps; i < market.rates; ++i) {
    bond /= 1.0f + market.accrual * rates[i];
    annuity += market.accrual * bond;
    bonds[i - market.steps] = bond;
    annuities[i - market.steps] = annuity;
  }
}

__device__ inline float discountFactor(const float* rates) {
  float discount = 1.0f;
  for (int i = 0; i < market.steps; ++i) discount /= 1.0f + market.accrual * rates[i];
  return discount;
}

// What exercising an option costs; it is exercised where that is negative.
__device__ inline float exerciseCost(int option, const float* bonds, const float* annuities) {
  const int last = market.maturities[option] - 1;
  return bonds[last] + market.swapRates[option] * annuities[last] - 1.0f;
}

__global__ void liborPrice(const float* initial, const float* normals, float* values, int paths) {
  const int path = blockIdx.x * kThreads + threadIdx.x;
  if (path >= paths) return;
  float rates[kMostRates], bonds[kMostRates], annuities[kMostRates];
  for (int i = 0; i < market.rates; ++i) rates[i] = initial[i];
  for (int step = 0; step < market.steps; ++step) advanceRates(rates, step, normals[step * paths + path]);
  priceBonds(rates, bonds, annuities);
  float value = 0.0f;
  for (int option = 0; option < market.options; ++option) value += kNotional * fmaxf(-exerciseCost(option, bonds, annuities), 0.0f);
  values[path] = value * discountFactor(rates);
}

// From the derivatives with respect to the rates after a step to those before it; `before` and `after` are these rates.
__device__ inline void reverseStep(const float* before, const float* after, float* adjoints, int step) {
  float driftAdjoint = 0.0f;
  for (int i = market.rates - 1; i > step; --i) {
    const float scaled = market.accrual * market.volatility[i - step - 1];
    const float growth = 1.0f / (1.0f + market.accrual * before[i]);
    const float carried = adjoints[i] * after[i];
    driftAdjoint += carried * scaled;
    adjoints[i] = carried / before[i] + driftAdjoint * scaled * growth * growth;
  }
}

// The derivatives of the discounted value with respect to the rates of the options' date.
__device__ inline float reversePortfolio(const float* rates, float* adjoints) {
  float bonds[kMostRates], annuities[kMostRates], bondAdjoints[kMostRates], annuityAdjoints[kMostRates];
  priceBonds(rates, bonds, annuities);
  const float discount = discountFactor(rates);
  for (int i = 0; i < market.rates - market.steps; ++i) bondAdjoints[i] = annuityAdjoints[i] = 0.0f;
  float value = 0.0f;
  for (int option = 0; option < market.options; ++option) {
    const float cost = exerciseCost(option, bonds, annuities);
    if (cost >= 0.0f) continue;
    const int last = market.maturities[option] - 1;
    value -= kNotional * discount * cost;
    bondAdjoints[last] -= kNotional * discount;
    annuityAdjoints[last] -= kNotional * discount * market.swapRates[option];
  }
  for (int i = 0; i < market.steps; ++i) adjoints[i] = -value * market.accrual / (1.0f + market.accrual * rates[i]);
  float bondAdjoint = 0.0f, annuityAdjoint = 0.0f;
  for (int i = market.rates - 1; i >= market.steps; --i) {
    const float growth = 1.0f / (1.0f + market.accrual * rates[i]);
    annuityAdjoint += annuityAdjoints[i - market.steps];
    bondAdjoint += bondAdjoints[i - market.steps] + market.accrual * annuityAdjoint;
    adjoints[i] = -bondAdjoint * bonds[i - market.steps] * market.accrual * growth;
    bondAdjoint *= growth;
  }
  return value;
}

// The derivatives of all paths with respect to one initial rate are neighbours in `deltas`.
__global__ void liborGreeks(const float* initial, const float* normals, float* values, float* deltas, int paths) {
  const int path = blockIdx.x * kThreads + threadIdx.x;
  if (path >= paths) return;
  float history[(kMostSteps + 1) * kMostRates], adjoints[kMostRates];
  for (int i = 0; i < market.rates; ++i) history[i] = initial[i];
  float* rates = history;
  for (int step = 0; step < market.steps; ++step) {
    for (int i = 0; i < market.rates; ++i) rates[market.rates + i] = rates[i];
    rates += market.rates;
    advanceRates(rates, step, normals[step * paths + path]);
  }
  values[path] = reversePortfolio(rates, adjoints);
  for (int step = market.steps - 1; step >= 0; --step) {
    reverseStep(rates - market.rates, rates, adjoints, step);
    rates -= market.rates;
  }
  for (int i = 0; i < market.rates; ++i) deltas[i * paths + path] = adjoints[i];
}

// A path's value, the derivatives of the value, and how far the option that is nearest to it is from being exercised or not.
struct PathResult {
  double value = 0, margin = 1;
  std::vector<double> deltas;
};

// In double precision, and not by adjoints: the derivatives of all rates with respect to all initial ones go with the rates, a row for each
// rate.
class Reference {
 public:
  Reference(const Market& market, const std::vector<float>& initial) : market_(market), initial_(initial) {}

  PathResult follow(const std::vector<float>& normals, int path, int paths) const {
    const int count = market_.rates;
    std::vector<double> rates(initial_.begin(), initial_.end());
    std::vector<std::vector<double>> slopes(count, std::vector<double>(count, 0.0));
    for (int i = 0; i < count; ++i) slopes[i][i] = 1.0;
    for (int step = 0; step < market_.steps; ++step) advance(rates, slopes, step, normals[size_t(step) * paths + path]);
    return price(rates, slopes);
  }

 private:
  using Slopes = std::vector<std::vector<double>>;

  void advance(std::vector<double>& rates, Slopes& slopes, int step, double normal) const {
    const double accrual = market_.accrual;
    double drift = 0;
    std::vector<double> driftSlopes(market_.rates, 0.0);
    for (int i = step + 1; i < market_.rates; ++i) {
      const double volatility = market_.volatility[i - step - 1], growth = 1 + accrual * rates[i];
      drift += accrual * volatility * rates[i] / growth;
      const double factor = std::exp(accrual * volatility * (drift - 0.5 * volatility) + volatility * std::sqrt(accrual) * normal);
      for (int j = 0; j <= i; ++j) {
        driftSlopes[j] += accrual * volatility * slopes[i][j] / (growth * growth);
        slopes[i][j] = factor * (slopes[i][j] + rates[i] * accrual * volatility * driftSlopes[j]);
      }
      rates[i] *= factor;
    }
  }

  PathResult price(const std::vector<double>& rates, const Slopes& slopes) const {
    const double accrual = market_.accrual;
    PathResult result;
    double discount = 1;
    std::vector<double> byRate(market_.rates, 0.0);  // derivatives of the value with respect to the final rates
    for (int i = 0; i < market_.steps; ++i) discount /= 1 + accrual * rates[i];
    for (int option = 0; option < market_.options; ++option) addOption(option, rates, discount, result, byRate);
    for (int i = 0; i < market_.steps; ++i) byRate[i] = -result.value * accrual / (1 + accrual * rates[i]);
    result.deltas.assign(market_.rates, 0.0);
    for (int i = 0; i < market_.rates; ++i)
      for (int j = 0; j < market_.rates; ++j) result.deltas[j] += byRate[i] * slopes[i][j];
    return result;
  }

  void addOption(int option, const std::vector<double>& rates, double discount, PathResult& result, std::vector<double>& byRate) const {
    const int end = market_.steps + market_.maturities[option];
    const double accrual = market_.accrual, payment = accrual * market_.swapRates[option];
    double bond = 1, cost = -1;
    std::vector<double> payments;  // as worth at the options' date
    for (int i = market_.steps; i < end; ++i) {
      bond /= 1 + accrual * rates[i];
      payments.push_back(bond * (payment + (i == end - 1 ? 1.0 : 0.0)));
      cost += payments.back();
    }
    result.margin = std::min(result.margin, std::fabs(cost));
    if (cost >= 0) return;
    result.value -= kNotional * discount * cost;
    double later = 0;  // payments at the end of a period or later fall with its rate
    for (int i = end - 1; i >= market_.steps; --i) {
      later += payments[i - market_.steps];
      byRate[i] += kNotional * discount * accrual / (1 + accrual * rates[i]) * later;
    }
  }

  Market market_;
  std::vector<float> initial_;
};

// Fifteen swaptions, in the money, at it and out of it. Volatilities fall with the time to fixing, from 22 to 18 %, around the 20 % of the
// paper.
Market makeMarket(int rates, int steps) {
  Market result{};
  result.rates = rates;
  result.steps = steps;
  result.options = kMostOptions;
  result.accrual = 0.25f;
  for (int i = 0; i < kMostRates; ++i) result.volatility[i] = 0.18f + 0.04f * std::exp(-0.25f * i / 5.0f);
  const int maturities[] = {4, 8, 20, 28, 40};
  for (int option = 0; option < kMostOptions; ++option) {
    result.maturities[option] = std::min(maturities[option / 3], rates - steps);
    result.swapRates[option] = 0.045f + 0.005f * (option % 3);
  }
  return result;
}

// A curve that rises from 4.5 % to 5.5 %, around the 5 % of the paper.
std::vector<float> makeCurve(int rates) {
  std::vector<float> curve(rates);
  for (int i = 0; i < rates; ++i) curve[i] = 0.055f - 0.01f * std::exp(-0.25f * i / 5.0f);
  return curve;
}

// Standard normal numbers by Box and Muller's method.
std::vector<float> makeNormals(size_t count, Random& random) {
  std::vector<float> normals(count);
  for (float& normal : normals) {
    const float radius = std::sqrt(-2.0f * std::log(1.0f - random.uniform()));
    normal = radius * std::cos(6.2831853f * random.uniform());
  }
  return normals;
}

struct Problem {
  int rates, steps, paths;
};

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"libor",
                                        "swaptions and their derivatives by Monte Carlo in the LIBOR market model, a path a thread",
                                        "40 rates, 20 steps, 330 paths",
                                        "80 rates, 40 steps, 500 paths",
                                        "80 rates, 40 steps, 4,096 paths",
                                        {}});
  const Problem problem = options.pick(Problem{40, 20, 330}, Problem{80, 40, 500}, Problem{80, 40, 4096});
  const int paths = problem.paths;
  const Market host = makeMarket(problem.rates, problem.steps);
  const std::vector<float> initial = makeCurve(problem.rates);

  Random random(33);
  const std::vector<float> normals = makeNormals(size_t(problem.steps) * paths, random);

  Timings timings;
  const DeviceArray<float> deviceInitial(initial), deviceNormals(normals);
  const DeviceArray<float> prices(paths), values(paths), deltas(size_t(problem.rates) * paths);
  WORKLOAD_CHECK(cudaMemcpyToSymbol(market, &host, sizeof(host)));
  const int blocks = divideUp(paths, kThreads);
  timings.kernels([&] { liborPrice<<<blocks, kThreads>>>(deviceInitial.data(), deviceNormals.data(), prices.data(), paths); });
  timings.kernels(
      [&] { liborGreeks<<<blocks, kThreads>>>(deviceInitial.data(), deviceNormals.data(), values.data(), deltas.data(), paths); });

  const Reference reference(host, initial);
  std::vector<PathResult> expected;
  timings.reference([&] {
    for (int path = 0; path < paths; ++path) expected.push_back(reference.follow(normals, path, paths));
  });
  timings.print();

  std::vector<float> gotDeltas = deltas.download();
  std::vector<float> expectedValues(paths), expectedDeltas(gotDeltas.size());
  for (int path = 0; path < paths; ++path) {
    expectedValues[path] = float(expected[path].value);
    // An option that is worth nothing up to rounding has no derivative: it jumps there.
    const bool decided = expected[path].margin > kCostError;
    for (int i = 0; i < problem.rates; ++i) {
      const size_t index = size_t(i) * paths + path;
      expectedDeltas[index] = decided ? float(expected[path].deltas[i]) : gotDeltas[index];
    }
  }
  // The errors of all options of a path are those of its rates. With respect to a rate, the costs of all options together change by at most
  // kMostOptions quarters, of which each factor is as exact as the costs.
  constexpr float kValueError = kNotional * kMostOptions * kCostError, kDeltaError = 0.25f * kValueError;
  bool correct = expectNear("price", expectedValues, prices.download(), 0.0f, kValueError);
  correct = expectNear("value", expectedValues, values.download(), 0.0f, kValueError) && correct;
  correct = expectNear("delta", expectedDeltas, gotDeltas, 0.0f, kDeltaError) && correct;
  return report("libor", correct);
}
