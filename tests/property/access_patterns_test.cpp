// Addresses that the compiler predicts from the code are those that threads access.
#include <gtest/gtest.h>

#include <cstring>

#include "compiler/compiler.hpp"
#include "compiler/patterns/access_pattern.hpp"
#include "experiment.hpp"
#include "mechanisms/access_patterns/counts.hpp"
#include "mechanisms/access_patterns/observer.hpp"
#include "random_indices.hpp"

namespace warpwright {
namespace {

using mechanisms::access_patterns::AccessPatternStats;
using mechanisms::access_patterns::Observer;
using mechanisms::access_patterns::Prediction;
using testing::lastSeed;

class Runs {
 public:
  Runs() : base_(memory_.allocate(kBytes, exec::AllocationKind::device).value()) {}

  AccessPatternStats run(const std::string& ptx, u32 n, u32 maxRegisters) {
    compiler::Options options;
    options.maxRegisters = maxRegisters;
    options.analyses = {&compiler::kAccessPatterns};
    const auto loaded = exec::load(compiler::compile(ptx::parse(ptx, "random.ptx"), options), memory_);
    exec::Launch launch{{testing::kIndexGrid, testing::kIndexBlock}, loaded.get(), loaded->program.findFunction("k"), {}};
    const u64 middle = base_ + kBytes / 2;
    launch.parameters.resize(12);
    std::memcpy(launch.parameters.data(), &middle, sizeof middle);
    std::memcpy(launch.parameters.data() + 8, &n, sizeof n);
    exec::LaunchRequest request;
    request.launch = std::make_shared<const exec::Launch>(launch);
    Observer observer(request, std::make_shared<const Prediction>(launch), mechanisms::access_patterns::countsOf(request, {}));
    request.observer = &observer;
    const exec::LaunchResult result = exec::launch(request, memory_);
    EXPECT_EQ(result.status, exec::LaunchStatus::completed) << result.message;
    exec::unload(*loaded, memory_);
    return observer.stats();
  }

 private:
  static constexpr u64 kBytes = 56 * testing::kMostIndex;  // loops add indices up

  exec::GlobalMemory memory_{{64, u64{1} << 27, false}};
  u64 base_ = 0;
};

TEST(AccessPatterns, PredictTheAddressesOfRandomKernels) {
  Runs runs;
  AccessPatternStats all;
  const u64 seeds = lastSeed(1, 400);
  for (u64 seed = 1; seed <= seeds; ++seed) {
    const std::string ptx = testing::randomIndices(seed);
    const AccessPatternStats stats = runs.run(ptx, 1 + static_cast<u32>(seed % 64), seed % 3 == 0 ? 16 : isa::kMaxRegisters);
    ASSERT_EQ(stats.wrong, 0U) << "seed " << seed << "\n" << ptx;
    stats::merge(all, stats);
  }
  EXPECT_GT(all.predicted, all.unpredicted) << "most is known";
  const u64 often = seeds / 20;  // of each kind, one in twenty kernels: fewer are tried under sanitizers
  EXPECT_GT(all.skewed, often);
  EXPECT_GT(all.failures.step, often);
  EXPECT_GT(all.failures.wraps, often);
  EXPECT_GT(all.failures.versions, often);
  EXPECT_GT(all.failures.composition, often);
}

// Kernels with any control flow, whose addresses are those of their input and output.
TEST(AccessPatterns, PredictTheAddressesOfKernelsWithAnyControlFlow) {
  u64 predicted = 0;
  for (u64 seed = 1001; seed <= lastSeed(1001, 1040); ++seed) {
    testing::RandomProgramOptions options;
    options.calls = seed % 3 == 0;
    testing::Experiment experiment(testing::randomProgram(seed, options), 64, testing::outputBytes(options), {}, seed);
    class Late : public exec::Observer {
     public:
      void memory(const exec::MemoryEvent& event) override { inner->memory(event); }
      std::optional<mechanisms::access_patterns::Observer> inner;
    } late;
    compiler::Options compile;
    compile.analyses = {&compiler::kAccessPatterns};
    experiment.runMachine(compile, &late, [&](const exec::LaunchRequest& request) {
      late.inner.emplace(request, std::make_shared<const Prediction>(*request.launch), AccessPatternStats{});
    });
    ASSERT_EQ(late.inner->stats().wrong, 0U) << "seed " << seed;
    predicted += late.inner->stats().predicted;
  }
  EXPECT_GT(predicted, 1000U);
}

}  // namespace
}  // namespace warpwright
