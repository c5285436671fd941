// Survey propagation (Braunstein, Mezard and Zecchina, Random Structures and Algorithms, 2005) on random formulas near the hard region, as
// the Lonestar program does it. A clause warns a variable with a survey, the probability that all its other variables are forced against
// it. In turns, `weighVariables` computes for each variable in each of its clauses how probable it is that the other clauses force it
// against that one, and `updateSurveys` multiplies these; after some rounds `fixVariables` gives the variables with a strong bias their
// value, and the rounds go on with what is left.
//
// Every operation is rounded by itself (__fmul_rn and its like), so that a compiler has no choice and the reference gets the same bits:
// whether a bias is strong must not depend on rounding.
#include <cmath>

#include "../common/rounded.hpp"
#include "../common/workload.hpp"
#include "formula.hpp"

using namespace workloads;

constexpr int kThreads = 256;
constexpr float kStrongBias = 0.6f;
constexpr int kFree = -1;

// Probabilities that a variable's clauses leave it alone: those in which it has one sign, and those with the other.
struct Quiet {
  float same = 1.0f, other = 1.0f;
};

// The share of the assignments in which the others force the variable against the clause that asks (the paper's equations 16 to 18).
__host__ __device__ inline float forcedShare(const Quiet& quiet) {
  const float against = times(minus(1.0f, quiet.other), quiet.same);
  const float towards = times(minus(1.0f, quiet.same), quiet.other);
  const float neither = times(quiet.same, quiet.other);
  const float sum = plus(plus(against, towards), neither);
  return sum > 0.0f ? over(against, sum) : 0.0f;
}

// Of one variable, without the occurrence `left`; a clause that is satisfied has a survey of 0 and leaves everything alone.
__host__ __device__ inline Quiet quietOf(const int* occurrences, int first, int end, const int* literals, const float* surveys, int sign,
                                         int left) {
  Quiet quiet;
  for (int i = first; i < end; ++i) {
    const int occurrence = occurrences[i];
    if (occurrence == left) continue;
    const float alone = minus(1.0f, surveys[occurrence]);
    if ((literals[occurrence] & 1) == sign)
      quiet.same = times(quiet.same, alone);
    else
      quiet.other = times(quiet.other, alone);
  }
  return quiet;
}

// By occurrence. A variable with a value is of no help to a clause that it does not satisfy.
__global__ void weighVariables(const int* offsets, const int* occurrences, const int* literals, const int* values, const float* surveys,
                               float* forced, int count) {
  const int occurrence = blockIdx.x * blockDim.x + threadIdx.x;
  if (occurrence >= count) return;
  const int literal = literals[occurrence], variable = literal / 2;
  if (values[variable] != kFree) {
    forced[occurrence] = 1.0f;
    return;
  }
  forced[occurrence] =
      forcedShare(quietOf(occurrences, offsets[variable], offsets[variable + 1], literals, surveys, literal & 1, occurrence));
}

// By clause.
__global__ void updateSurveys(const int* satisfied, const int* literals, const int* values, const float* forced, float* surveys,
                              int clauses) {
  const int clause = blockIdx.x * blockDim.x + threadIdx.x;
  if (clause >= clauses) return;
  for (int place = 0; place < kLiterals; ++place) {
    const int occurrence = kLiterals * clause + place;
    float survey = satisfied[clause] || values[literals[occurrence] / 2] != kFree ? 0.0f : 1.0f;
    for (int other = 0; other < kLiterals; ++other)
      if (other != place) survey = times(survey, forced[kLiterals * clause + other]);
    surveys[occurrence] = survey;
  }
}

// How much more probable it is that the variable is forced to be true than to be false (equations 21 to 23).
__host__ __device__ inline float biasOf(const Quiet& quiet) {
  const float towardsTrue = times(minus(1.0f, quiet.same), quiet.other);
  const float towardsFalse = times(minus(1.0f, quiet.other), quiet.same);
  const float sum = plus(plus(towardsTrue, towardsFalse), times(quiet.same, quiet.other));
  return sum > 0.0f ? over(minus(towardsTrue, towardsFalse), sum) : 0.0f;
}

__global__ void fixVariables(const int* offsets, const int* occurrences, const int* literals, const float* surveys, int* values,
                             int* satisfied, int variables) {
  const int variable = blockIdx.x * blockDim.x + threadIdx.x;
  if (variable >= variables || values[variable] != kFree) return;
  const int first = offsets[variable], end = offsets[variable + 1];
  const float bias = biasOf(quietOf(occurrences, first, end, literals, surveys, 0, -1));
  if (fabsf(bias) < kStrongBias) return;
  const int value = bias > 0.0f;
  values[variable] = value;
  for (int i = first; i < end; ++i)
    if ((literals[occurrences[i]] & 1) != value) atomicExch(&satisfied[occurrences[i] / kLiterals], 1);
}

// How long the surveys are propagated.
struct Length {
  int decimations, rounds;  // rounds: before each decimation
};

struct Outcome {
  std::vector<float> surveys;
  std::vector<int> values;  // by variable: 0, 1 or kFree
};

Outcome propagateOnDevice(const Formula& formula, const Length& length, const std::vector<float>& begin, Timings& timings) {
  const int count = int(formula.literals.size()), clauses = formula.clauses(), variables = formula.variables;
  const DeviceArray<int> offsets(formula.offsets), occurrences(formula.occurrences), literals(formula.literals),
      values(std::vector<int>(variables, kFree)), satisfied(std::vector<int>(clauses, 0));
  const DeviceArray<float> surveys(begin), forced(count);
  timings.kernels([&] {
    for (int decimation = 0; decimation < length.decimations; ++decimation) {
      for (int round = 0; round < length.rounds; ++round) {
        weighVariables<<<divideUp(count, kThreads), kThreads>>>(offsets.data(), occurrences.data(), literals.data(), values.data(),
                                                                surveys.data(), forced.data(), count);
        updateSurveys<<<divideUp(clauses, kThreads), kThreads>>>(satisfied.data(), literals.data(), values.data(), forced.data(),
                                                                 surveys.data(), clauses);
      }
      fixVariables<<<divideUp(variables, kThreads), kThreads>>>(offsets.data(), occurrences.data(), literals.data(), surveys.data(),
                                                                values.data(), satisfied.data(), variables);
    }
    finishKernels();
  });
  return {surveys.download(), values.download()};
}

// Clause by clause, with what the variables' clauses say gathered where it is asked for.
Outcome referencePropagate(const Formula& formula, const Length& length, const std::vector<float>& begin) {
  Outcome state{begin, std::vector<int>(formula.variables, kFree)};
  std::vector<int> satisfied(formula.clauses(), 0);
  const auto quiet = [&](int variable, int sign, int left) {
    return quietOf(formula.occurrences.data(), formula.offsets[variable], formula.offsets[variable + 1], formula.literals.data(),
                   state.surveys.data(), sign, left);
  };
  for (int decimation = 0; decimation < length.decimations; ++decimation) {
    for (int round = 0; round < length.rounds; ++round) {
      std::vector<float> next(state.surveys.size(), 0.0f);
      for (int clause = 0; clause < formula.clauses(); ++clause) {
        if (satisfied[clause]) continue;
        float forced[kLiterals];
        for (int place = 0; place < kLiterals; ++place) {
          const int occurrence = kLiterals * clause + place, literal = formula.literals[occurrence];
          const bool isFree = state.values[variableOf(literal)] == kFree;
          forced[place] = isFree ? forcedShare(quiet(variableOf(literal), literal & 1, occurrence)) : 1.0f;
        }
        for (int place = 0; place < kLiterals; ++place) {
          if (state.values[variableOf(formula.literals[kLiterals * clause + place])] != kFree) continue;
          next[kLiterals * clause + place] = times(forced[(place == 0) ? 1 : 0], forced[(place == 2) ? 1 : 2]);
        }
      }
      state.surveys = next;
    }
    for (int variable = 0; variable < formula.variables; ++variable) {
      if (state.values[variable] != kFree) continue;
      const float bias = biasOf(quiet(variable, 0, -1));
      if (std::fabs(bias) < kStrongBias) continue;
      state.values[variable] = bias > 0.0f;
      for (int i = formula.offsets[variable]; i < formula.offsets[variable + 1]; ++i)
        if ((formula.literals[formula.occurrences[i]] & 1) != state.values[variable]) satisfied[formula.occurrences[i] / kLiterals] = 1;
    }
  }
  return state;
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"survey-propagation",
                                        "survey propagation on random formulas of three literals a clause, 4.2 clauses a variable",
                                        "303 variables, 3 decimations after 12 rounds each",
                                        "8,000 variables, 2 after 2 each",
                                        "1,000,000 variables, 3 after 12 each",
                                        {}});
  const int variables = options.pick(303, 8'000, 1'000'000);
  // At `small` the formula is twice what the second-level cache of a gtx480 holds, so that DRAM is busy (38 % of its ticks); the rounds are
  // few, so that a timed run takes less than a minute of a processor.
  const Length length = options.pick(Length{3, 12}, Length{2, 2}, Length{3, 12});
  Random random(78);
  const Formula formula = randomFormula(variables, int(4.2 * variables), random);
  const std::vector<float> begin = uniformFloats(random, formula.literals.size(), 0.0f, 1.0f);
  Timings timings;
  const Outcome got = propagateOnDevice(formula, length, begin, timings);
  Outcome expected;
  timings.reference([&] { expected = referencePropagate(formula, length, begin); });
  timings.print();
  const bool correct = expectEqual("surveys", expected.surveys, got.surveys) && expectEqual("values", expected.values, got.values);
  return report("survey-propagation", correct);
}
