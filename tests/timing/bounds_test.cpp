// Bounds that no run may exceed, and latency times throughput.
#include <gtest/gtest.h>

#include "compiler/compiler.hpp"
#include "ptx/parser.hpp"
#include "timed_machine.hpp"

namespace warpwright {
namespace {

using config::Machine;
using isa::DataType;
using isa::Opcode;
using isa::Space;
using testing::Assembler;
using testing::fermi;
using testing::imm;
using testing::oneClock;
using testing::param;
using testing::R;
using testing::TimedMachine;

// Lane 0 of each warp loads `loads` lines, one `strideBytes` behind the other; the next address depends on the value before (zero).
isa::Program chase(u32 loads, u32 strideBytes, u32 warpStrideBytes) {
  Assembler code;
  code.program.addressBits = 64;
  code.special(6, isa::SpecialRegister::tid_x);
  code.emit(Opcode::shr, DataType::u32, {R(6)}, {R(6), imm(5)});
  code.emit(Opcode::mad_wide, DataType::u32, {R(2)}, {R(6), imm(warpStrideBytes), param(0)});
  for (u32 i = 0; i < loads; ++i) {
    code.load(Space::global, DataType::u64, 4, R(2), 0).modifiers.cache = isa::CacheOp::cg;
    code.emit(Opcode::add, DataType::u64, {R(2)}, {R(2), R(4)});
    code.emit(Opcode::add, DataType::u64, {R(2)}, {R(2), imm(strideBytes)});
  }
  code.exit();
  code.function("k").registers = 16;
  return code.program;
}

// Bytes of a row of every bank of a channel.
constexpr u64 kAllRows = 64 * 1024;

u64 alignedWords(TimedMachine& machine) {
  const u64 words = reinterpret_cast<u64>(machine.array<u64>(1 << 20));
  return (words + kAllRows - 1) / kAllRows * kAllRows;
}

// The latency of each load: from its issue until its result may be used.
std::vector<u64> loadLatencies(const TimedMachine& machine) {
  std::vector<u64> result;
  for (const testing::Step& step : machine.timeline().steps())
    if (step.what.instruction && step.what.instruction->opcode == Opcode::ld) result.push_back(step.completed - step.issued);
  return result;
}

std::vector<u64> latencies(const Machine& config, u32 loads, u32 strideBytes) {
  TimedMachine machine(config);
  machine.run(chase(loads, strideBytes, 0), {1}, {1}, {alignedWords(machine)});
  return loadLatencies(machine);
}

// One channel without other banks or hashing, all clocks alike: every part of the way can be added up.
Machine plainMemory() {
  Machine machine = oneClock(fermi());
  machine.dram.channels = 1;
  machine.partition.slices = machine.partition.networkPorts = 1;
  machine.l2.setHash = "none";
  return machine;
}

u64 median(std::vector<u64> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

constexpr u32 kLine = 128;

TEST(LoadLatency, EachConfiguredLatencyCountsOnceOnEachWay) {
  const u64 base = median(latencies(plainMemory(), 9, kLine));
  const auto longer = [&](auto change) {
    Machine machine = plainMemory();
    change(machine);
    return median(latencies(machine, 9, kLine)) - base;
  };
  constexpr u32 kMore = 16;
  EXPECT_EQ(longer([](Machine& m) { m.network.injectionLatency += kMore; }), 2 * kMore) << "to the network and back";
  EXPECT_EQ(longer([](Machine& m) { m.network.routerLatency += kMore; }), 2 * kMore) << "one router each way";
  EXPECT_EQ(longer([](Machine& m) { m.network.channelLatency += kMore; }), 2 * kMore) << "one channel each way";
  EXPECT_EQ(longer([](Machine& m) { m.partition.latency += kMore; }), kMore) << "to the slice";
  EXPECT_EQ(longer([](Machine& m) { m.dram.tCL += kMore; }), kMore);
  EXPECT_EQ(longer([](Machine& m) { m.dram.fixedLatency += kMore; }), kMore);
  EXPECT_EQ(longer([](Machine& m) { m.l2.missLatency += kMore; }), kMore) << "the look-up in L2";
}

// The layout of dram/geometry.hpp, with columns of 64 B, pieces of 256 B, 4 groups of 4 banks and rows of 4 KB, is from the lowest bit up:
// 8 bits within a piece, 2 of the group, 4 of the column, 2 of the bank of the group, the row. Lines 0 and 1 of 128 B lie in group 0, 2 and
// 3 in group 1, …, 8 in group 0 again, all in rows of one number. So the first of two lines opens a row, up to line 7, and whatever comes
// then finds it open.
constexpr u64 kNextBank = u64{1} << 14;

// A launch before the one that is measured brings the code into the instruction cache: fetches from DRAM would close rows.
std::vector<u64> latenciesOfWarmCode(const Machine& config, u32 loads, u64 warmOffset, u64 offset) {
  TimedMachine machine(config);
  const exec::LoadedProgram& program = machine.load(chase(loads, kLine, 0));
  const u64 words = alignedWords(machine);
  machine.run(program, {1}, {1}, {words + warmOffset});
  machine.forgetTimeline();
  machine.run(program, {1}, {1}, {words + offset});
  return loadLatencies(machine);
}

TEST(DramRows, LinesOfARowFindItOpen) {
  constexpr u32 kLoads = 16;
  const Machine config = plainMemory();
  const auto expectFirst = [&](const std::vector<u64>& found, u64 more) {
    ASSERT_EQ(found.size(), kLoads);
    for (u32 i = 0; i < kLoads; ++i) EXPECT_EQ(found[i] - found.back(), i < 8 && i % 2 == 0 ? more : 0) << "line " << i;
  };
  // Banks that nobody has used are closed.
  expectFirst(latenciesOfWarmCode(config, kLoads, 0, 2 * kNextBank), config.dram.tRCD);
  // Those of the launch before have another row open.
  expectFirst(latenciesOfWarmCode(config, kLoads, 2 * kNextBank, kAllRows + 2 * kNextBank), config.dram.tRP + config.dram.tRCD);
}

TEST(DramRows, UnderAClosedPageEveryLineOpensItsRow) {
  Machine config = plainMemory();
  const u64 hit = latenciesOfWarmCode(config, 16, 0, 2 * kNextBank).back();
  config.dram.page = config::PagePolicy::closed;
  for (const u64 latency : latenciesOfWarmCode(config, 16, 0, 2 * kNextBank)) EXPECT_EQ(latency, hit + config.dram.tRCD);
}

// Little's law: n warps with one load under way each take 1/n of the time for a load, until something is saturated.
TEST(Bounds, OutstandingRequestsOverLatencyIsThroughput) {
  const auto cyclesOf = [](u32 warps) {
    TimedMachine machine(fermi());
    const u64 words = reinterpret_cast<u64>(machine.array<u8>(64 << 20));
    constexpr u32 kLoads = 60;
    return machine.run(chase(kLoads, 64 * kLine, kLine), {1}, {warps * 32}, {words}).cycles;
  };
  const u64 one = cyclesOf(1);
  for (const u32 warps : {2u, 4u, 8u}) {
    const double ratio = static_cast<double>(cyclesOf(warps)) / static_cast<double>(one);
    EXPECT_NEAR(ratio, 1.0, 0.15) << warps << " warps do " << warps << " times the work in the same time";
  }
}

constexpr const char* kCopy = R"(.version 6.0
.target sm_60
.address_size 64
.visible .entry k(.param .u64 out, .param .u64 in) {
  .reg .b32 %r<10>;
  .reg .b64 %rd<10>;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [in];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r1, %r2, %r3, %r1;
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd4, %rd2, %rd3;
  ld.global.u32 %r4, [%rd4];
  add.u64 %rd5, %rd1, %rd3;
  st.global.u32 [%rd5], %r4;
  ret;
})";

TEST(Bounds, NoRunExceedsTheDramsBandwidthOrTheIssueRate) {
  for (const u32 channels : {1u, 2u, 6u}) {
    Machine config = fermi(8);
    config.dram.channels = channels;
    TimedMachine machine(config);
    constexpr u32 kThreads = 64 * 1024;
    auto* in = machine.array<u32>(kThreads);
    auto* out = machine.array<u32>(kThreads);
    for (u32 i = 0; i < kThreads; ++i) in[i] = i * 7;
    const auto result = machine.run(compiler::compile(ptx::parse(kCopy, "copy.ptx")), {kThreads / 256}, {256},
                                    {reinterpret_cast<u64>(out), reinterpret_cast<u64>(in)});
    for (u32 i = 0; i < kThreads; ++i) ASSERT_EQ(out[i], i * 7);
    const double seconds = static_cast<double>(result.cycles) / (static_cast<double>(config.coreClockKhz) * 1e3);
    const double peak = static_cast<double>(config.dram.clockKhz) * 1e3 * config.dram.dataRate * config.dram.busBytes * channels;
    const double readBytes = kThreads * 4.0;  // every byte comes from DRAM once at least
    EXPECT_LE(readBytes / seconds, peak) << channels << " channels";
    EXPECT_TRUE(channels != 1 || readBytes / seconds >= 0.4 * peak) << "a copy is bound by its one channel";
    EXPECT_LE(result.stats.sm.warpInstructions, result.cycles * config.multiprocessors * config.schedulersPerSm * config.sm.issueWidth);
    // From every SM to the network and back: a flit a tick.
    EXPECT_LE(readBytes, static_cast<double>(result.cycles) * config.multiprocessors * config.network.flitBytes);
  }
}

}  // namespace
}  // namespace warpwright
