// Control bits of whole kernels, checked along ways through them (control_bits_walk.hpp); and that the check finds what is wrong.
#include "unit/compiler/control_bits_walk.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>

#include "base/error.hpp"
#include "base/file.hpp"
#include "compiler/compiler.hpp"
#include "ptx/parser.hpp"
#include "random_ptx.hpp"

namespace warpwright::compiler {
namespace {

// Latencies of the machine h100, and others that put more to counters.
isa::IssueTiming walkTiming(bool isShort) {
  using isa::Latency;
  isa::IssueTiming timing;
  timing.latency.fill(isShort ? 4 : 14);
  const auto set = [&](Latency latency, u32 cycles) { timing.latency[static_cast<std::size_t>(latency)] = cycles; };
  set(Latency::fma64, isShort ? 9 : 33);
  set(Latency::multiply, isShort ? 5 : 15);
  set(Latency::divide, 60);
  set(Latency::divide32, 57);
  set(Latency::divide64, 124);
  set(Latency::shuffle, 24);
  set(Latency::matrix, 33);
  timing.branch = isShort ? 2 : 7;
  timing.guard = isShort ? 13 : 0;
  timing.memory = isShort ? 4 : 0;
  timing.otherPipe = isShort ? 1 : 0;
  return timing;
}

void expectRight(const ptx::Module& module, const std::string& name, u32 maxRegisters = isa::kMaxRegisters) {
  for (const bool isShort : {true, false}) {
    Options options;
    options.maxRegisters = maxRegisters;
    options.issueTiming = walkTiming(isShort);
    const isa::Program program = compile(module, options);
    ASSERT_EQ(testing::wrongWithControlBits(program, *options.issueTiming, 6, 1500), "") << name;
  }
}

TEST(ControlBitsWalk, RandomKernels) {
  for (u32 seed = 1; seed <= 12; ++seed) {
    const ptx::Module module = ptx::parse(RandomKernel(seed).ptx(), "random.ptx");
    ASSERT_NO_FATAL_FAILURE(expectRight(module, fmt::format("seed {}", seed)));
    ASSERT_NO_FATAL_FAILURE(expectRight(module, fmt::format("seed {}, few registers", seed), 24));
  }
}

TEST(ControlBitsWalk, KernelsOfTheTree) {
  for (const char* folder : {"/tests/golden/compiler", "/tests/triton/ptx"}) {
    u32 count = 0;
    for (const auto& file : std::filesystem::directory_iterator(WARPWRIGHT_SOURCE_DIR + std::string(folder))) {
      if (file.path().extension() != ".ptx") continue;
      const std::string name = file.path().filename().string();
      std::optional<ptx::Module> module;
      try {
        module = ptx::parse(readFile(file.path().string()), name);
      } catch (const Error&) {
        continue;  // one with instructions that the machine does not have
      }
      ++count;
      ASSERT_NO_FATAL_FAILURE(expectRight(*module, name));
    }
    EXPECT_GT(count, 2u) << folder;
  }
}

// One bit less anywhere is a mistake that some walk finds, but for what is there for good measure: most of them are found.
TEST(ControlBitsWalk, FindsWhatIsMissing) {
  const isa::IssueTiming timing = walkTiming(true);
  Options options;
  options.issueTiming = timing;
  const isa::Program right = compile(ptx::parse(RandomKernel(7).ptx(), "random.ptx"), options);
  u32 stalls = 0, waits = 0, foundStalls = 0, foundWaits = 0;
  for (u32 i = 0; i < right.code.size(); ++i) {
    isa::Program wrong = right;
    if (right.control[i].stall > 1) {
      ++stalls;
      --wrong.control[i].stall;
      foundStalls += !testing::wrongWithControlBits(wrong, timing, 8, 1000).empty();
    }
    wrong.control[i] = right.control[i];
    if (right.control[i].waits == 0) continue;
    ++waits;
    wrong.control[i].waits &= static_cast<u8>(right.control[i].waits - 1);
    foundWaits += !testing::wrongWithControlBits(wrong, timing, 8, 1000).empty();
  }
  EXPECT_GT(stalls, 10u);
  EXPECT_GT(waits, 10u);
  EXPECT_GE(foundStalls * 10, stalls * 8) << foundStalls << " of " << stalls;
  EXPECT_GE(foundWaits * 10, waits * 8) << foundWaits << " of " << waits;
}

}  // namespace
}  // namespace warpwright::compiler
