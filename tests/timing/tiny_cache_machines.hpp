// Machines with tiny caches, and what they counted.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "compiler/compiler.hpp"
#include "mechanisms/tiny_cache/statistics.hpp"
#include "ptx/parser.hpp"
#include "race_free_kernels.hpp"
#include "stats/named_structure.hpp"
#include "timed_machine.hpp"

namespace warpwright::testing::tiny_caches {

using machines::TimedResult;
using mechanisms::tiny_cache::Statistics;
using Settings = std::vector<std::string>;

inline Settings tiny(Settings more = {}) {
  more.insert(more.begin(), "mechanism.tiny-cache=true");
  return more;
}
inline config::Machine machineOf(const char* preset, Settings settings, u32 multiprocessors = 2) {
  settings.push_back(fmt::format("chip.multiprocessors={}", multiprocessors));
  return config::loadMachine(preset, settings);
}

inline isa::Program compiled(const std::string& ptx) { return compiler::compile(ptx::parse(ptx, "test.ptx"), {}); }

inline Statistics counted(const TimedResult& result) {
  const stats::AnyStatistics* all = result.stats.mechanisms.find("tiny_cache");
  return all == nullptr ? Statistics{} : dynamic_cast<const stats::Structure<Statistics>&>(*all).value();
}

inline void expectLaws(const TimedResult& result) {
  ASSERT_EQ(result.functional.status, exec::LaunchStatus::completed) << result.functional.message;
  EXPECT_TRUE(result.violations.empty()) << result.violations.front();
  stats::Conservation laws;
  checkAtRest(counted(result), laws);
  EXPECT_TRUE(laws.holds()) << laws.violations().front();
}

// --- of the random kernels without races

struct RandomRun {
  TimedResult result;
  std::vector<u32> words;
};

inline u32* arrayOf(TimedMachine& machine) {
  u32* words = machine.array<u32>(RaceFreeKernel::kWords);
  std::iota(words + RaceFreeKernel::kReadOnlyAt, words + RaceFreeKernel::kReadOnlyAt + RaceFreeKernel::kReadOnly, 1000u);
  return words;
}

inline RandomRun runTimed(const config::Machine& config, const isa::Program& program, const machines::TimingOptions& options = {},
                          exec::CachePreference preference = exec::CachePreference::none) {
  TimedMachine machine(config, options);
  machine.cachePreference = preference;
  u32* words = arrayOf(machine);
  RandomRun run{machine.run(program, {RaceFreeKernel::kBlocks}, {RaceFreeKernel::kThreads}, {reinterpret_cast<u64>(words)}), {}};
  run.words.assign(words, words + RaceFreeKernel::kWords);
  return run;
}

}  // namespace warpwright::testing::tiny_caches
