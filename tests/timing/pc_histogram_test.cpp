// PC histograms of whole programs on the timed machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "machines/pc_histogram/recorder.hpp"
#include "two_rounds.hpp"

namespace warpwright {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Space;
using machines::PcCount;
using machines::PcHistogram;
using machines::PcHistogramSettings;
using machines::PcRecorder;
using testing::Assembler;
using testing::fermi;
using testing::imm;
using testing::P;
using testing::param;
using testing::R;
using testing::TimedMachine;

struct Recorded {
  PcHistogram histogram;
  u64 cycles = 0;
};

Recorded record(const isa::Program& program, Dim3 grid, Dim3 block, u64 interval, const machines::TimingOptions& how = {}, u32 sms = 1) {
  PcRecorder recorder({.sm = 0, .block = {}, .interval = interval}, 32, {});
  machines::TimingOptions options = how;
  options.listenerOf = [&](SmId sm) { return recorder.follows(sm) ? &recorder : nullptr; };
  TimedMachine machine(fermi(sms), options);
  const u64 data = reinterpret_cast<u64>(machine.array<u32>(1 << 16));
  const exec::LoadedProgram& loaded = machine.load(program);
  exec::LaunchRequest request;
  request.launch = std::make_shared<const exec::Launch>(exec::Launch{{grid, block}, &loaded, &loaded.program.functions.front(), {}});
  const u32 launch = recorder.launchBegins(request);
  const u64 cycles = machine.run(loaded, grid, block, {data}).cycles;
  return {recorder.launchEnded(launch, Cycle{cycles}), cycles};
}

// Threads by cycle of the sample.
std::map<u64, u32> totals(const PcHistogram& histogram) {
  std::map<u64, u32> result;
  for (const PcCount& count : histogram.counts) result[count.from.ticks] += count.threads;
  return result;
}

// Each thread loads its word, meets the others, adds, and stores.
isa::Program loadMeetStore() {
  Assembler code;
  code.program.addressBits = 64;
  code.globalThread(4);
  code.elementAddress(2, 0, R(4));
  code.load(Space::global, DataType::u32, 6, R(2));
  code.emit(Opcode::add, DataType::u32, {R(6)}, {R(6), imm(1)});
  code.barrier();
  code.emit(Opcode::add, DataType::u32, {R(6)}, {R(6), imm(1)});
  code.store(Space::global, DataType::u32, R(2), R(6));
  code.exit();
  code.function("k").registers = 16;
  return code.program;
}

// A dependent add issues 6 cycles behind the one before (tests/golden/timelines/dependent_adds): with samples 6 cycles apart, the warp is
// found at one add further each time. What is behind the last add does not wait for it. Only in the second round does no fetch hold it up.
TEST(PcHistogramOfAProgram, FollowsAddsThatWaitForEachOther) {
  constexpr u32 kLength = 40, kWaiting = kLength - 1;
  const PcHistogram histogram = record(testing::chainOfAdds(kLength), {1}, {32}, 6).histogram;
  std::vector<u32> pcs;
  for (const PcCount& count : histogram.counts) {
    EXPECT_EQ(count.threads, 32u);
    if (count.pc >= testing::kBegin && count.pc < testing::kBegin + kWaiting) pcs.push_back(count.pc);
  }
  ASSERT_GE(pcs.size(), kWaiting);
  for (u32 i = 0; i < kWaiting; ++i) EXPECT_EQ(pcs[pcs.size() - kWaiting + i], testing::kBegin + i);
}

TEST(PcHistogramOfAProgram, CountsEveryResidentThread) {
  constexpr u32 kThreads = 100, kBlocks = 5;
  const PcHistogram histogram = record(loadMeetStore(), {kBlocks}, {kThreads}, 16).histogram;
  std::map<std::pair<u64, u64>, u32> ofBlock;
  for (const PcCount& count : histogram.counts) ofBlock[{count.block, count.from.ticks}] += count.threads;
  ASSERT_FALSE(ofBlock.empty());
  u32 whole = 0;
  for (const auto& each : ofBlock) {
    EXPECT_LE(each.second, kThreads);
    if (each.second == kThreads) ++whole;
  }
  EXPECT_GT(whole, ofBlock.size() / 2) << "all of a block's threads wait for memory most of the time";
  EXPECT_EQ(histogram.sums.mostBlockThreads, kThreads);
  EXPECT_EQ(histogram.sums.mostThreads, kThreads * kBlocks) << "all blocks fit";
  u64 threads = 0;
  for (const auto& each : totals(histogram)) threads += each.second;
  EXPECT_EQ(histogram.sums.threads, threads);
}

// What is known of the memory's latency, hundreds of cycles: all warps of a block have issued their load long before the first answer.
TEST(PcHistogramOfAProgram, FindsWarpsTogetherAtTheLoad) {
  const PcHistogram histogram = record(loadMeetStore(), {4}, {128}, 16).histogram;
  const auto figure = [&](const char* name) { return machines::pcFigure(name, histogram.sums).value_or(-1); };
  EXPECT_GT(figure("at_loads"), 0.3);
  EXPECT_GT(figure("together_at_loads"), 0.8);
  EXPECT_LT(figure("together_elsewhere"), figure("together_at_loads"));
}

// Lanes 0 to 7 add for a while; the others wait at the branch.
TEST(PcHistogramOfAProgram, SplitsDivergedWarps) {
  constexpr u32 kAdds = 20;
  Assembler code;
  code.program.addressBits = 64;
  code.special(4, isa::SpecialRegister::laneid);
  code.compare(0, isa::Compare::ge, DataType::u32, R(4), imm(8));
  const u32 branch = code.branch(P(0));
  for (u32 i = 0; i < kAdds; ++i) code.emit(Opcode::add, DataType::u32, {R(6)}, {R(6), R(4)});
  code.at(branch).target = code.at(branch).reconvergence = code.here();
  code.exit();
  code.function("k").registers = 16;
  const PcHistogram histogram = record(code.program, {1}, {32}, 6).histogram;
  for (const auto& each : totals(histogram)) EXPECT_EQ(each.second, 32u);
  u32 split = 0;
  for (const PcCount& count : histogram.counts) {
    if (count.pc <= branch) continue;
    EXPECT_EQ(count.threads, 8u);
    ++split;
  }
  EXPECT_GE(split, kAdds) << "an add takes at least 6 cycles";
  EXPECT_EQ(std::count_if(histogram.counts.begin(), histogram.counts.end(),
                          [&](const PcCount& count) { return count.pc == branch && count.threads == 24; }),
            split);
}

TEST(PcHistogramOfAProgram, IsTheSameHoweverItIsSimulated) {
  const isa::Program program = loadMeetStore();
  const Recorded once = record(program, {40}, {256}, 64, {}, 4);
  machines::TimingOptions threads, everyCycle;
  threads.threads = 3;
  everyCycle.skip = false;
  for (const machines::TimingOptions& how : {threads, everyCycle}) {
    const Recorded again = record(program, {40}, {256}, 64, how, 4);
    EXPECT_EQ(again.histogram.counts, once.histogram.counts);
    EXPECT_EQ(again.cycles, once.cycles);
  }
}

TEST(PcHistogramOfAProgram, TakesNoTime) {
  const isa::Program program = loadMeetStore();
  TimedMachine alone(fermi());
  const u64 data = reinterpret_cast<u64>(alone.array<u32>(1 << 16));
  EXPECT_EQ(alone.run(program, {5}, {100}, {data}).cycles, record(program, {5}, {100}, 16).cycles);
}

}  // namespace
}  // namespace warpwright
