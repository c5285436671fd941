// The vector machine on finished code against the one-lane oracle on code straight from instruction selection: clean-up passes, register
// allocation, decoding, lane operations, divergence and local memory must all keep what a single thread computes.
#include <gtest/gtest.h>

#include "experiment.hpp"

namespace warpwright {
namespace {

using testing::Experiment;
using testing::lastSeed;
using testing::outputBytes;
using testing::RandomProgramOptions;
using testing::Shape;

void expectSame(u64 seed, const RandomProgramOptions& options, const Shape& shape) {
  const std::string ptx = testing::randomProgram(seed, options);
  Experiment experiment(ptx, options.addressBits, outputBytes(options), shape, seed);
  const std::vector<u8> machine = experiment.runMachine();
  const std::vector<u8> oracle = experiment.runOracle();
  for (u32 i = 0; i < machine.size(); ++i) {
    if (machine[i] == oracle[i]) continue;
    FAIL() << "seed " << seed << ": thread " << i / outputBytes(options) << ", output byte " << i % outputBytes(options) << " differs\n"
           << ptx;
  }
}

TEST(MachineAgainstOracle, RandomControlFlow) {
  for (u64 seed = 1; seed <= lastSeed(1, 60); ++seed) ASSERT_NO_FATAL_FAILURE(expectSame(seed, {}, {}));
}

TEST(MachineAgainstOracle, StackReconvergence) {
  Shape shape;
  shape.policy = exec::Reconvergence::stack;
  for (u64 seed = 101; seed <= lastSeed(101, 140); ++seed) ASSERT_NO_FATAL_FAILURE(expectSame(seed, {}, shape));
}

TEST(MachineAgainstOracle, ThirtyTwoBitAddresses) {
  RandomProgramOptions options;
  options.addressBits = 32;
  for (u64 seed = 201; seed <= lastSeed(201, 230); ++seed) ASSERT_NO_FATAL_FAILURE(expectSame(seed, options, {}));
}

TEST(MachineAgainstOracle, CallsAndRecursion) {
  RandomProgramOptions options;
  options.calls = true;
  for (u64 seed = 301; seed <= lastSeed(301, 330); ++seed) ASSERT_NO_FATAL_FAILURE(expectSame(seed, options, {}));
}

TEST(MachineAgainstOracle, ManyLiveValues) {
  RandomProgramOptions options;
  options.registersPerType = 30;
  options.instructionsPerBlock = 20;
  for (u64 seed = 401; seed <= lastSeed(401, 420); ++seed) ASSERT_NO_FATAL_FAILURE(expectSame(seed, options, {}));
}

// Compiles and runs with every budget from 64 registers down to the least that the compiler accepts, the verifier on; returns the least.
u32 expectSameAtEveryBudget(u64 seed, const RandomProgramOptions& options, compiler::SpillPolicy policy) {
  const std::string ptx = testing::randomProgram(seed, options);
  Experiment experiment(ptx, options.addressBits, outputBytes(options), {}, seed);
  const std::vector<u8> oracle = experiment.runOracle();
  for (u32 registers = 64; registers > 0; --registers) {
    try {
      const std::vector<u8> machine = experiment.runMachine({.maxRegisters = registers, .spillPolicy = policy, .verify = true});
      EXPECT_EQ(machine, oracle) << "seed " << seed << ", " << registers << " registers\n" << ptx;
      if (machine != oracle) return registers;
    } catch (const Error&) {
      return registers + 1;
    }
  }
  return 0;
}

TEST(MachineAgainstOracle, EveryRegisterBudget) {
  for (u64 seed = 601; seed <= lastSeed(601, 603); ++seed) {
    RandomProgramOptions options;
    options.addressBits = seed % 2 == 0 ? 32 : 64;
    options.calls = seed == 602;
    const u32 least =
        expectSameAtEveryBudget(seed, options, seed % 3 == 0 ? compiler::SpillPolicy::affineFirst : compiler::SpillPolicy::standard);
    EXPECT_LE(least, 12u) << "seed " << seed << ": a 64-bit multiply-add reads six registers, an address takes two";
  }
}

TEST(MachineAgainstOracle, TightBudgetsInManyPrograms) {
  for (u64 seed = 701; seed <= lastSeed(701, 725); ++seed) {
    RandomProgramOptions options;
    options.registersPerType = 4 + seed % 8 * 2;  // even: the outputs stay aligned
    options.calls = seed % 3 == 0;
    const std::string ptx = testing::randomProgram(seed, options);
    Experiment experiment(ptx, options.addressBits, outputBytes(options), {}, seed);
    const std::vector<u8> oracle = experiment.runOracle();
    for (const u32 registers : {14u, 20u, 32u})
      ASSERT_EQ(experiment.runMachine({.maxRegisters = registers, .verify = true}), oracle) << "seed " << seed << ", " << registers << "\n"
                                                                                            << ptx;
  }
}

TEST(MachineAgainstOracle, ProgramsThatCall) {
  for (u64 seed = 925; seed <= lastSeed(925, 930); ++seed) {
    RandomProgramOptions options;
    options.calls = true;
    const std::string ptx = testing::randomProgram(seed, options);
    Experiment experiment(ptx, options.addressBits, outputBytes(options), {}, seed);
    ASSERT_EQ(experiment.runMachine({.verify = true}), experiment.runOracle()) << "seed " << seed << "\n" << ptx;
  }
}

TEST(MachineAgainstOracle, EveryWarpSize) {
  for (const u32 warpSize : {4, 8, 16, 64}) {
    Shape shape;
    shape.warpSize = warpSize;
    shape.threads = 70;
    for (u64 seed = 501; seed <= lastSeed(501, 510); ++seed) ASSERT_NO_FATAL_FAILURE(expectSame(seed, {}, shape));
  }
}

}  // namespace
}  // namespace warpwright
