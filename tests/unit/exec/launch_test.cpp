// Whole kernels: results, counts, events, shapes of grids and warps.
#include <gtest/gtest.h>

#include <numeric>

#include "base/error.hpp"
#include "unit/exec/assembler.hpp"

namespace warpwright::testing {
namespace {

using exec::LaunchStatus;
using isa::Compare;
using isa::Space;
using isa::SpecialRegister;

// out[i] = a * x[i] + y[i] for i < n
isa::Program saxpy() {
  Assembler a;
  a.globalThread(0);
  a.compare(0, Compare::ge, DataType::u32, R(0), param(28));
  const u32 skip = a.branch(P(0));
  a.elementAddress(2, 0, R(0));
  a.elementAddress(4, 8, R(0));
  a.elementAddress(6, 16, R(0));
  a.load(Space::global, DataType::f32, 8, R(2));
  a.load(Space::global, DataType::f32, 9, R(4));
  a.emit(Opcode::fma, DataType::f32, {R(8)}, {R(8), param(24), R(9)});
  a.store(Space::global, DataType::f32, R(6), R(8));
  a.at(skip).target = a.at(skip).reconvergence = a.here();
  a.exit();
  a.function("saxpy").parameterBytes = 32;
  return a.program;
}

struct Counter : exec::Observer {
  u64 issues = 0, lanes = 0, loads = 0, stores = 0, branches = 0, divergent = 0, begins = 0, ends = 0;
  std::vector<u64> firstAddresses;
  void issue(const exec::IssueEvent& e) override {
    ++issues;
    lanes += e.executing.size();
  }
  void memory(const exec::MemoryEvent& e) override {
    loads += e.isLoad;
    stores += e.isStore;
    firstAddresses.push_back(e.addresses[e.mask.least()]);
  }
  void branch(const exec::BranchEvent& e) override {
    ++branches;
    divergent += e.targets > 1;
  }
  void blockBegins(u64) override { ++begins; }
  void blockEnds(u64) override { ++ends; }
};

struct WarpSizes : ::testing::TestWithParam<u32> {};

// The decoded kernel is kept: each launch has its own parameters, shape, warps, address parameters and counts all the same.
TEST(Launch, AgainWithOtherParametersAndShape) {
  constexpr u32 n = 96;
  Runner runner;
  float* x = runner.array<float>(n);
  float* out = runner.array<float>(n);
  std::iota(x, x + n, 0.0f);
  Assembler a;
  a.globalThread(0);
  a.emit(Opcode::mul_wide, DataType::u32, {R(2)}, {R(0), imm(4)});
  a.load(Space::global, DataType::f32, 4, R(2)).sources[1] = param(0);
  a.emit(Opcode::mul_lo, DataType::f32, {R(4)}, {R(4), param(16)});
  a.store(Space::global, DataType::f32, R(2), R(4)).sources[2] = param(8);
  a.exit();
  a.function("scale").parameterBytes = 20;
  const auto launches = [&](float factor, u32 threads, u32 warpSize, bool checksRaces) {
    runner.parameters.clear();
    runner.pass(x), runner.pass(out), runner.pass(factor);
    runner.launch->parameters = runner.parameters;
    runner.request.limits.warpSize = warpSize;
    runner.request.checks.races = checksRaces;
    runner.launch->grid = {n / threads, 1, 1};
    runner.launch->block = {threads, 1, 1};
    std::fill(out, out + n, -1.0f);
    const auto result = exec::launch(runner.request, runner.memory);
    ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
    EXPECT_EQ(result.threadInstructions, n * 10u);
    for (u32 i = 0; i < n; ++i) ASSERT_EQ(out[i], factor * static_cast<float>(i)) << i;
  };
  runner.pass(x), runner.pass(out), runner.pass(1.0f);
  runner.run(a.program, {n / 32}, {32});
  launches(2, 32, 32, false);
  launches(3, 48, 32, true);
  launches(4, 96, 64, false);
  launches(5, 32, 8, false);
  std::swap(x, out);
  std::iota(x, x + n, 0.0f);
  launches(6, 32, 32, false);
}

// The third, fourth and fifth block of the order are the numbers 1, 2 and 3.
TEST(Launch, BeginsWithinTheOrderOfItsBlocks) {
  Runner runner;
  u32* out = runner.array<u32>(5);
  Assembler a;
  a.special(0, SpecialRegister::ctaid_x);
  a.elementAddress(2, 0, R(0));
  a.store(Space::global, DataType::u32, R(2), imm(1));
  a.exit();
  a.function("mark").parameterBytes = 8;
  runner.pass(out);
  runner.request.order = std::make_shared<const exec::BlockOrder>(std::vector<exec::BlockOrder::Stretch>{{4, 1}, {0, 4}});
  runner.request.firstBlock = 2;
  const auto result = runner.run(a.program, {5}, {1});
  EXPECT_EQ(result.status, LaunchStatus::completed) << result.message;
  EXPECT_EQ(result.blocksDone, 3u);
  EXPECT_EQ(std::vector(out, out + 5), (std::vector<u32>{0, 1, 1, 1, 0}));
}

TEST_P(WarpSizes, SaxpyWithARaggedEnd) {
  constexpr u32 n = 1000;
  Runner runner;
  runner.request.limits.warpSize = GetParam();
  float* x = runner.array<float>(n);
  float* y = runner.array<float>(n);
  float* out = runner.array<float>(n);
  std::iota(x, x + n, 0.0f);
  std::iota(y, y + n, 100.0f);
  runner.pass(x), runner.pass(y), runner.pass(out), runner.pass(2.0f), runner.pass(n);
  const auto result = runner.run(saxpy(), {9}, {120});
  ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
  EXPECT_EQ(result.blocksDone, 9u);
  for (u32 i = 0; i < n; ++i) ASSERT_EQ(out[i], 3.0f * static_cast<float>(i) + 100.0f) << i;
  const u32 size = GetParam();
  const u64 warpsPerBlock = (120 + size - 1) / size;
  EXPECT_EQ(result.counts[0].warps, 9 * warpsPerBlock);
  EXPECT_EQ(result.counts[0].lanes, 9u * 120);
  // The store runs for n lanes, all active where it is reached.
  const auto& store = result.counts[13];
  EXPECT_EQ(store.lanes, n);
  EXPECT_EQ(store.active, n);
  // All threads meet at the exit.
  EXPECT_EQ(result.counts[14].warps, 9 * warpsPerBlock);
}
INSTANTIATE_TEST_SUITE_P(All, WarpSizes, ::testing::Values(4, 8, 16, 32, 64));

TEST(Launch, ObserverSeesWhatIsCounted) {
  constexpr u32 n = 100;
  Runner runner;
  float* x = runner.array<float>(n);
  float* y = runner.array<float>(n);
  float* out = runner.array<float>(n);
  runner.pass(x), runner.pass(y), runner.pass(out), runner.pass(2.0f), runner.pass(n);
  Counter counter;
  runner.request.observer = &counter;
  const auto result = runner.run(saxpy(), {2}, {64});
  ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
  EXPECT_EQ(counter.issues, result.warpInstructions);
  EXPECT_EQ(counter.lanes, result.threadInstructions);
  EXPECT_EQ(counter.loads, 8u);  // 2 by 4 warps
  EXPECT_EQ(counter.stores, 4u);
  EXPECT_EQ(counter.branches, 4u);
  EXPECT_EQ(counter.divergent, 1u);  // 100 = 3 * 32 + 4
  EXPECT_EQ(counter.begins, 2u);
  EXPECT_EQ(counter.ends, 2u);
  EXPECT_EQ(counter.firstAddresses[0], reinterpret_cast<u64>(x));
}

TEST(Launch, EveryThreadHasItsPlaceInAThreeDimensionalGrid) {
  Assembler a;
  const SpecialRegister parts[] = {SpecialRegister::tid_x,   SpecialRegister::tid_y,   SpecialRegister::tid_z,
                                   SpecialRegister::ctaid_x, SpecialRegister::ctaid_y, SpecialRegister::ctaid_z};
  for (u32 i = 0; i < 6; ++i) a.special(10 + i, parts[i]);
  // block = (z*4 + y)*3 + x of a 3x4x2 grid; thread = (z*3 + y)*5 + x of a 5x3x2 block
  a.emit(Opcode::mad_lo, DataType::u32, {R(0)}, {R(15), imm(4), R(14)});
  a.emit(Opcode::mad_lo, DataType::u32, {R(0)}, {R(0), imm(3), R(13)});
  a.emit(Opcode::mad_lo, DataType::u32, {R(2)}, {R(12), imm(3), R(11)});
  a.emit(Opcode::mad_lo, DataType::u32, {R(2)}, {R(2), imm(5), R(10)});
  a.emit(Opcode::mad_lo, DataType::u32, {R(0)}, {R(0), imm(30), R(2)});
  a.elementAddress(4, 0, R(0));
  isa::Instruction& atom = a.emit(Opcode::atom, DataType::u32, {}, {R(4), imm(1)});
  atom.modifiers.atomic = isa::AtomicOp::add;
  atom.modifiers.space = Space::global;
  a.exit();
  a.function("places").parameterBytes = 8;
  Runner runner;
  u32* hits = runner.array<u32>(24 * 30);
  runner.pass(hits);
  const auto result = runner.run(a.program, {3, 4, 2}, {5, 3, 2});
  ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
  for (u32 i = 0; i < 24 * 30; ++i) ASSERT_EQ(hits[i], 1u) << i;
}

TEST(Launch, TwoRunsGiveTheSameCounts) {
  const auto once = [] {
    Runner runner;
    float* x = runner.array<float>(100);
    runner.pass(x), runner.pass(x), runner.pass(x), runner.pass(2.0f), runner.pass(u32{100});
    const auto result = runner.run(saxpy(), {2}, {64});
    return std::make_pair(result.warpInstructions, result.threadInstructions);
  };
  EXPECT_EQ(once(), once());
}

TEST(Launch, ProgressCanStopAGrid) {
  Assembler a;
  a.emit(Opcode::add, DataType::u32, {R(0)}, {R(0), imm(1)});
  a.compare(0, isa::Compare::lt, DataType::u32, R(0), imm(~u32{0}));
  a.branch(P(0), 0);
  a.exit();
  a.function("endless");
  Runner runner;
  runner.request.progress = [](const exec::Progress& p) {
    return std::string(p.warpInstructions < 5'000'000 ? "" : "stopped by the test");
  };
  const auto result = runner.run(a.program, {1}, {32});
  EXPECT_EQ(result.status, LaunchStatus::stopped);
  EXPECT_TRUE(result.message.starts_with("kernel 'endless' is stopped by the test\n  block (0,0,0), warp 0, lanes 0-31: run at "))
      << result.message;
}

TEST(Launch, ImpossibleRequestsAreErrors) {
  Assembler a;
  a.exit();
  a.function("nothing").parameterBytes = 8;
  Runner runner;
  EXPECT_THROW(runner.run(a.program, {1}, {32}), Error);  // no parameters given
  runner.pass(u64{0});
  EXPECT_THROW(runner.run(a.program, {0}, {32}), Error);
  runner.request.limits.warpSize = 12;
  EXPECT_THROW(runner.run(a.program, {1}, {32}), Error);
}

TEST(Launch, NarrowAddresses) {
  Assembler a;
  a.program.addressBits = 32;
  a.special(0, SpecialRegister::tid_x);
  a.emit(Opcode::mad_lo, DataType::u32, {R(1)}, {R(0), imm(4), param(0)});
  a.load(Space::global, DataType::u32, 2, R(1), -4);
  a.emit(Opcode::add, DataType::u32, {R(2)}, {R(2), imm(5)});
  a.store(Space::generic, DataType::u32, R(1), R(2), -4);
  a.exit();
  a.function("narrow").parameterBytes = 4;
  Runner runner({32, u64{1} << 20, false});
  u32* data = runner.array<u32>(32);
  std::iota(data, data + 32, 0u);
  runner.pass(static_cast<u32>(reinterpret_cast<u64>(data) + 4));
  const auto result = runner.run(a.program, {1}, {32});
  ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
  for (u32 i = 0; i < 32; ++i) EXPECT_EQ(data[i], i + 5);
}

}  // namespace
}  // namespace warpwright::testing
