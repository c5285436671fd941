// PC histograms of warps that are moved by hand: positions, sums, samples, and the report.
#include <gtest/gtest.h>

#include <numeric>

#include "base/error.hpp"
#include "config/machine.hpp"
#include "machines/pc_histogram/recorder.hpp"
#include "machines/pc_histogram/report.hpp"
#include "stats/json.hpp"

namespace warpwright::machines {
namespace {

using isa::Opcode;

LaneMask lanes(u32 begin, u32 count) { return LaneMask::range(begin, count); }

// mov, ld.global, bar.sync, add, exit; PTX lines from 100 on.
constexpr Pc kMove{0}, kLoad{1}, kBarrier{2}, kAdd{3}, kExit{4};
isa::Program program() {
  isa::Program program;
  for (const Opcode opcode : {Opcode::mov, Opcode::ld, Opcode::bar_sync, Opcode::add, Opcode::exit}) {
    isa::Instruction& instruction = program.code.emplace_back();
    instruction.opcode = opcode;
    instruction.ptxLine = 99 + static_cast<u32>(program.code.size());
  }
  program.code[kLoad].modifiers.space = isa::Space::global;
  program.code[kAdd].sourceFile = 1;
  program.code[kAdd].sourceLine = 7;
  program.files[1] = "kernel.cu";
  program.functions.emplace_back().end = Pc(5);
  program.functions.front().isKernel = true;
  return program;
}

TEST(WarpPositions, SplitAndMeet) {
  WarpPositions warp(kMove, lanes(0, 32));
  warp.move(lanes(0, 8), kAdd);
  EXPECT_EQ(warp.all(), (std::vector<Position>{{kMove, lanes(8, 24)}, {kAdd, lanes(0, 8)}}));
  warp.move(lanes(8, 4), kAdd);
  EXPECT_EQ(warp.all(), (std::vector<Position>{{kMove, lanes(12, 20)}, {kAdd, lanes(0, 12)}}));
  warp.move(lanes(0, 32), kExit);
  EXPECT_EQ(warp.all(), (std::vector<Position>{{kExit, lanes(0, 32)}}));
  warp.leave(lanes(0, 31));
  EXPECT_EQ(warp.threads(), 1u);
  warp.move(lanes(0, 32), kMove);
  EXPECT_EQ(warp.all(), (std::vector<Position>{{kMove, lanes(31, 1)}})) << "who has left does not come back";
  warp.leave(lanes(31, 1));
  EXPECT_TRUE(warp.empty());
}

TEST(BlockPositions, HaveAPartialLastWarp) {
  const BlockPositions block(7, 70, 32, kLoad);
  ASSERT_EQ(block.warps.size(), 3u);
  EXPECT_EQ(block.warps[0].threads() + block.warps[1].threads(), 64u);
  EXPECT_EQ(block.warps[2].all(), (std::vector<Position>{{kLoad, lanes(0, 6)}}));
}

TEST(PcHistogram, KnowsWhatHoldsThreads) {
  isa::Program code = program();
  EXPECT_EQ(positionKindOf(code, kMove), PositionKind::other);
  EXPECT_EQ(positionKindOf(code, kLoad), PositionKind::load);
  EXPECT_EQ(positionKindOf(code, kBarrier), PositionKind::barrier);
  EXPECT_EQ(positionKindOf(code, kAdd), PositionKind::behindBarrier);
  EXPECT_EQ(positionKindOf(code, kExit), PositionKind::other);
  code.code[kLoad].modifiers.space = isa::Space::generic;
  EXPECT_EQ(positionKindOf(code, kLoad), PositionKind::load);
  code.code[kBarrier].opcode = Opcode::add;
  EXPECT_EQ(positionKindOf(code, kBarrier), PositionKind::behindLoad);
  code.code[kLoad].modifiers.space = isa::Space::shared;
  EXPECT_EQ(positionKindOf(code, kLoad), PositionKind::other);
}

double figureOfPcs(const PcSums& sums, std::string_view name) { return pcFigure(name, sums).value_or(-1); }

// Two blocks of three warps each: of block 0 two warps at the load and one at the add, of block 1 all at the load.
TEST(PcHistogram, CountsPairsOfWarps) {
  std::vector<BlockPositions> blocks{{0, 96, 32, kLoad}, {1, 96, 32, kLoad}};
  blocks[0].warps[2].move(lanes(0, 32), kAdd);
  PcHistogram histogram;
  histogram.add(Cycle{128}, blocks, program());
  EXPECT_EQ(histogram.counts, (std::vector<PcCount>{{Cycle{128}, 0, kLoad, 64}, {Cycle{128}, 0, kAdd, 32}, {Cycle{128}, 1, kLoad, 96}}));
  const PcSums& sums = histogram.sums;
  EXPECT_EQ(figureOfPcs(sums, "samples"), 1);
  EXPECT_EQ(figureOfPcs(sums, "threads"), 192);
  EXPECT_EQ(figureOfPcs(sums, "most_block_threads"), 96);
  EXPECT_EQ(figureOfPcs(sums, "instructions"), 2);
  EXPECT_EQ(figureOfPcs(sums, "block_instructions"), 1.5);
  // Ordered pairs of a block: 6 each; together 2 of block 0 and 6 of block 1.
  EXPECT_DOUBLE_EQ(figureOfPcs(sums, "together_in_block"), 8.0 / 12);
  // 9 pairs of a warp of block 0 and one of block 1; together 2 x 3.
  EXPECT_DOUBLE_EQ(figureOfPcs(sums, "together_across_blocks"), 6.0 / 9);
  // First at the load: 2 warps of block 0, 3 of block 1, each with two others; together 2 + 6.
  EXPECT_DOUBLE_EQ(figureOfPcs(sums, "together_at_loads"), 8.0 / 10);
  EXPECT_DOUBLE_EQ(figureOfPcs(sums, "together_behind_barriers"), 0);
  EXPECT_EQ(pcFigure("together_at_barriers", sums), std::nullopt);
  EXPECT_EQ(pcFigure("together_elsewhere", sums), std::nullopt);
  EXPECT_DOUBLE_EQ(histogram.pairs.at(kLoad).together, 8);
  EXPECT_DOUBLE_EQ(histogram.pairs.at(kAdd).all, 2);
  EXPECT_EQ(figureOfPcs(sums, "block_threads"), 96);
  EXPECT_DOUBLE_EQ(figureOfPcs(sums, "at_loads"), 160.0 / 192);
}

// A warp with 8 of its 32 threads elsewhere is with a whole one to three quarters.
TEST(PcHistogram, CountsSplitWarpsByShares) {
  std::vector<BlockPositions> blocks{{0, 64, 32, kBarrier}};
  blocks[0].warps[0].move(lanes(0, 8), kAdd);
  PcHistogram histogram;
  histogram.add(Cycle{}, blocks, program());
  EXPECT_DOUBLE_EQ(figureOfPcs(histogram.sums, "together_in_block"), 0.75);
  // From where threads of one of them stand at the barrier, 1.75 warps: 2 x 0.75 of 1.75.
  EXPECT_DOUBLE_EQ(figureOfPcs(histogram.sums, "together_at_barriers"), 1.5 / 1.75);
}

TEST(PcHistogram, MergesLaunches) {
  PcHistogram one, other;
  one.add(Cycle{}, {{0, 64, 32, kLoad}}, program());
  other.add(Cycle{}, {{0, 32, 32, kAdd}}, program());
  other.add(Cycle{128}, {{0, 32, 32, kLoad}}, program());
  merge(one.sums, other.sums);
  EXPECT_EQ(one.sums.samples, 3u);
  EXPECT_EQ(one.sums.mostThreads, 64u);
  EXPECT_DOUBLE_EQ(figureOfPcs(one.sums, "threads"), 128.0 / 3);
  EXPECT_DOUBLE_EQ(figureOfPcs(one.sums, "at_loads"), 96.0 / 128);
  EXPECT_DOUBLE_EQ(figureOfPcs(one.sums, "together_in_block"), 1) << "blocks of one warp have no pairs";
}

// A recorder that hears of a launch of the program above.
struct Followed {
  exec::LoadedProgram loaded{program(), {}, {}, 0, {}};
  exec::LaunchRequest request;
  PcRecorder recorder;

  explicit Followed(const PcHistogramSettings& settings, const trace::Window& window = {}, u64 most = kMostPcCounts)
      : recorder(settings, 32, window, most) {
    const exec::LaunchShape shape{{4}, {64}};
    request.launch = std::make_shared<const exec::Launch>(exec::Launch{shape, &loaded, &loaded.program.functions.front(), {}});
    recorder.launchBegins(request);
  }
  void issue(u64 cycle, u64 block, u32 warp, Pc pc, LaneMask active = lanes(0, 32), u32 helper = sm::Context::kParent) {
    sm::IssuedInstruction issued;
    issued.block = block;
    issued.warp = warp;
    issued.pc = pc;
    issued.instruction = &loaded.program.code[pc];
    issued.active = issued.executing = active;
    issued.helper = helper;
    recorder.issued(issued, Cycle{cycle});
  }
  std::vector<PcCount> end(u64 cycle) { return recorder.launchEnded(0, Cycle{cycle}).counts; }
};

PcHistogramSettings everyHundred() { return {.interval = 100}; }

TEST(PcRecorder, SamplesAtTheEndsOfIntervals) {
  Followed followed(everyHundred());
  followed.issue(105, 3, 0, kMove);
  followed.issue(110, 3, 0, kLoad);
  followed.issue(199, 3, 1, kLoad);
  followed.issue(200, 3, 0, kAdd);
  followed.issue(201, 3, 0, kExit);
  followed.issue(450, 3, 1, kExit);
  const std::vector<PcCount> expected = {
      {Cycle{100}, 3, kLoad, 64},  // the issue at 200 is of the next interval
      {Cycle{200}, 3, kLoad, 32},  // warp 0 has left
      {Cycle{300}, 3, kLoad, 32},  // nothing was issued
  };
  EXPECT_EQ(followed.end(900), expected);
  EXPECT_EQ(followed.recorder.remark(), "");
}

TEST(PcRecorder, CountsWarpsThatHaveNotBegunAtTheEntry) {
  Followed followed(everyHundred());
  followed.issue(99, 0, 1, kLoad, lanes(0, 8));
  EXPECT_EQ(followed.end(100), (std::vector<PcCount>{{Cycle{}, 0, kMove, 56}, {Cycle{}, 0, kLoad, 8}}));
}

TEST(PcRecorder, KeepsOneBlockWhereAsked) {
  Followed followed({.sm = 0, .block = 2, .interval = 100});
  followed.issue(1, 1, 0, kLoad);
  followed.issue(2, 2, 0, kAdd);
  EXPECT_EQ(followed.end(100), (std::vector<PcCount>{{Cycle{}, 2, kMove, 32}, {Cycle{}, 2, kAdd, 32}}));
}

TEST(PcRecorder, DoesNotFollowHelpers) {
  Followed followed(everyHundred());
  followed.issue(1, 0, 0, kLoad);
  followed.issue(2, 0, 0, kAdd, lanes(0, 32), 0);
  EXPECT_EQ(followed.end(100), (std::vector<PcCount>{{Cycle{}, 0, kMove, 32}, {Cycle{}, 0, kLoad, 32}}));
}

TEST(PcRecorder, TakesWholeIntervalsOfItsWindow) {
  Followed followed(everyHundred(), {Cycle{150}, Cycle{450}});
  followed.issue(1, 0, 0, kLoad);
  std::vector<u64> from;
  for (const PcCount& count : followed.end(900)) from.push_back(count.from.ticks);
  EXPECT_EQ(from, (std::vector<u64>{200, 200, 300, 300}));
}

TEST(PcRecorder, SaysThatItIsFull) {
  Followed followed(everyHundred(), {}, 3);
  followed.issue(1, 0, 0, kLoad);
  const PcHistogram histogram = followed.recorder.launchEnded(0, Cycle{900});
  EXPECT_EQ(histogram.counts.size(), 4u) << "two whole samples of two counts";
  EXPECT_FALSE(histogram.isComplete);
  EXPECT_EQ(followed.recorder.remark(),
            "the PC histogram ends at cycle 200: it has 4 counts, and no more are kept; a longer --pc-interval shows more of the run, "
            "--trace-window another part of it");
}

TEST(PcRecorder, RecordsNothingOnceItIsStopped) {
  Followed followed(everyHundred());
  followed.recorder.stop();
  EXPECT_FALSE(followed.recorder.follows(SmId(0)));
  EXPECT_FALSE(followed.recorder.launchEnded(0, Cycle{900}).isComplete);
}

TEST(PcRecorder, SaysThatItIsEmpty) {
  Followed followed({.sm = 0, .block = 3, .interval = 100});
  followed.issue(1, 0, 0, kLoad);
  EXPECT_TRUE(followed.end(900).empty());
  EXPECT_EQ(followed.recorder.remark(),
            "the PC histogram is empty: no thread of block 3 was on SM 0 at the end of an interval of 100 cycles");
}

TEST(PcHistogramReport, HasTheDocumentedShape) {
  Followed followed({.sm = 1, .block = 5, .interval = 100});
  followed.issue(1, 5, 0, kAdd);
  KernelPcHistogram kernel{.settings = followed.recorder.settings()};
  kernel.add(4, followed.recorder.launchEnded(0, Cycle{200}), program());
  EXPECT_EQ(pcHistogramJson(kernel)["complete"], true);
  PcHistogram cut;
  cut.isComplete = false;
  kernel.add(5, cut, program());
  const stats::Json json = pcHistogramJson(kernel);
  std::vector<std::string> members;
  for (const auto& [name, member] : json.items()) members.push_back(name);
  EXPECT_EQ(members, (std::vector<std::string>{"sm", "block", "interval", "complete", "figures", "instructions", "columns", "launches"}));
  EXPECT_EQ(json["sm"], 1);
  EXPECT_EQ(json["block"], 5);
  EXPECT_EQ(json["interval"], 100);
  EXPECT_EQ(json["complete"], false) << "of launch 5 something is missing";
  EXPECT_EQ(json["figures"]["threads"], 64);
  EXPECT_EQ(json["columns"].dump(), R"(["from","block","pc","threads"])");
  EXPECT_EQ(json["launches"].dump(), R"([{"launch":4,"rows":[[0,5,0,32],[0,5,3,32],[100,5,0,32],[100,5,3,32]]}])");
  ASSERT_EQ(json["instructions"].size(), 2u);
  EXPECT_EQ(json["instructions"][0]["ptx_line"], 100);
  EXPECT_TRUE(json["instructions"][0]["line"].is_null());
  EXPECT_EQ(json["instructions"][1]["pc"], 3);
  EXPECT_EQ(json["instructions"][1]["file"], "kernel.cu");
  EXPECT_EQ(json["instructions"][1]["line"], 7);
  // One warp stands there and the other does not, in two samples.
  EXPECT_EQ(json["instructions"][1]["pairs"], 2);
  EXPECT_EQ(json["instructions"][1]["pairs_together"], 0);
  EXPECT_EQ(json["instructions"][1]["text"].get<std::string>().substr(0, 3), "ADD");
}

TEST(PcHistogramSettings, AreReadFromText) {
  const PcHistogramSettings whole = parsePcHistogram("3"), one = parsePcHistogram("0:17");
  EXPECT_EQ(whole.sm, 3u);
  EXPECT_FALSE(whole.block);
  EXPECT_EQ(whole.interval, 128u);
  EXPECT_EQ(one.sm, 0u);
  EXPECT_EQ(one.block, 17u);
  for (const char* text : {"", ":", "0:", ":3", "x", "0:3:1", "-1", "0 ", "99999999999"})
    EXPECT_THROW(parsePcHistogram(text), Error) << text;
}

TEST(PcHistogramSettings, NameAnSmThatThereIs) {
  config::Machine machine;
  machine.name = "tiny";
  machine.multiprocessors = 2;
  EXPECT_NO_THROW(requireSm({.sm = 1}, machine));
  try {
    requireSm({.sm = 2}, machine);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "a PC histogram of SM 2 is asked for, and 'tiny' has 2 SMs");
    EXPECT_EQ(error.remedy(), "name one from 0 to 1");
  }
}

}  // namespace
}  // namespace warpwright::machines
