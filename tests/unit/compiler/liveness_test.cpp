#include "compiler/liveness.hpp"

#include <gtest/gtest.h>

#include "compiler/live_ranges.hpp"
#include "machine_builder.hpp"
#include "random_code.hpp"

namespace warpwright::compiler {
namespace {

struct Analysis {
  explicit Analysis(const MachineFunction& function)
      : flow(buildControlFlow(function)), liveness(function, flow), ranges(buildLiveRanges(function, flow, liveness)) {}
  ControlFlow flow;
  Liveness liveness;
  std::vector<LiveRange> ranges;
};

TEST(Liveness, AValueLivesFromItsWriteToItsLastRead) {
  MachineBuilder b;
  const auto x = b.word(), y = b.word();
  b.move(x, b.number(1));  // 0
  b.move(y, b.number(2));  // 1
  b.add(y, x, y);          // 2
  b.store(y);              // 3
  b.exit();                // 4
  const Analysis analysis(b.function);
  EXPECT_EQ(analysis.ranges[x.index], (LiveRange{{1, 5}}));
  EXPECT_EQ(analysis.ranges[y.index], (LiveRange{{3, 7}}));
}

TEST(Liveness, TheWordsOfAPairLiveApart) {
  MachineBuilder b;
  const auto pair = b.pair(), low = b.word();
  b.emit(isa::Opcode::mov, isa::DataType::u64, {pair}, {b.number(7)});  // 0
  b.move(low, pair);                                                    // 1: reads the low word only
  b.store(low);                                                         // 2
  b.exit();
  const Analysis analysis(b.function);
  EXPECT_EQ(analysis.ranges[pair.index], (LiveRange{{1, 3}}));
  EXPECT_EQ(analysis.ranges[pair.index + 1], (LiveRange{{1, 2}})) << "dead, but written";
}

TEST(Liveness, ALoopKeepsWhatItReadsNextTime) {
  MachineBuilder b;
  const auto x = b.word(), p = b.predicate();
  const u32 head = b.label();
  b.move(x, b.number(0));  // 0
  b.bind(head);
  b.compare(p, x, b.number(4));  // 1
  b.branchIf(p, head);           // 2
  b.exit();                      // 3
  const Analysis analysis(b.function);
  EXPECT_EQ(analysis.ranges[x.index], (LiveRange{{1, 6}}));
}

TEST(Liveness, AGuardedWriteKeepsTheOldValue) {
  MachineBuilder b;
  const auto x = b.word(), p = b.predicate();
  b.move(x, b.number(0));                  // 0
  b.compare(p, b.number(1), b.number(2));  // 1
  b.move(x, b.number(1)).guard = p;        // 2
  b.store(x);                              // 3
  b.exit();
  const Analysis analysis(b.function);
  EXPECT_EQ(analysis.ranges[x.index], (LiveRange{{1, 7}}));
}

TEST(Liveness, AGuardedFirstWriteHasNothingToKeep) {
  MachineBuilder b;
  const auto x = b.word(), p = b.predicate();
  b.compare(p, b.number(1), b.number(2));  // 0
  b.move(x, b.number(1)).guard = p;        // 1
  b.store(x).guard = p;                    // 2
  b.exit();
  const Analysis analysis(b.function);
  EXPECT_EQ(analysis.ranges[x.index], (LiveRange{{3, 5}}));
}

// The loop may have written it in an earlier round; ahead of the loop nothing has, so nothing has to be kept there.
TEST(Liveness, AheadOfALoopNothingIsKeptOfWhatOnlyItsGuardedWriteDefines) {
  MachineBuilder b;
  const auto x = b.word(), p = b.predicate();
  b.compare(p, b.number(1), b.number(2));  // 0
  b.branchIf(p, b.label());                // 1: ends the block
  b.bind(0);
  const u32 head = b.label();
  b.bind(head);
  b.move(x, b.number(1)).guard = p;  // 2
  b.store(x).guard = p;              // 3
  b.branchIf(p, head);               // 4
  b.exit();
  const Analysis analysis(b.function);
  EXPECT_FALSE(analysis.liveness.liveOut(0).test(x.index));
  EXPECT_TRUE(analysis.liveness.liveIn(1).test(x.index));
}

TEST(Liveness, NothingIsKeptForReadsOfWhatNothingWrites) {
  MachineBuilder b;
  const auto x = b.word(), p = b.predicate();
  b.compare(p, b.number(1), b.number(2));  // 0
  b.store(x);                              // 1
  b.exit();                                // 2
  const Analysis analysis(b.function);
  analysis.liveness.walkBackward(0, [&](u32 position, const NumberSet& live) { EXPECT_FALSE(live.test(x.index)) << position; });
}

// The first write is as real as the second: whatever lives in the place of the dead half would be lost.
TEST(LiveRanges, TheDeadHalfOfAGuardedWriteTakesItsPlaceAtEachWrite) {
  MachineBuilder b;
  const auto pair = b.pair(), p = b.predicate();
  const auto multiply = [&] { b.emit(isa::Opcode::mul_wide, isa::DataType::u32, {pair}, {b.number(1), b.number(2)}).guard = p; };
  b.emit(isa::Opcode::mov, isa::DataType::u64, {pair}, {b.number(0)});  // 0
  b.compare(p, b.number(1), b.number(2));                               // 1
  b.branchIf(p, b.label());                                             // 2: ends the block
  b.bind(0);
  multiply();     // 3
  multiply();     // 4
  b.store(pair);  // 5: the low word
  b.exit();
  const Analysis analysis(b.function);
  EXPECT_TRUE(overlap(analysis.ranges[pair.index + 1], {{7, 8}}));
  EXPECT_TRUE(overlap(analysis.ranges[pair.index + 1], {{9, 10}}));
}

TEST(LiveRanges, WhatAnInstructionNamesIsTakenThere) {
  for (u32 seed = 0; seed < 50; ++seed) {
    MachineBuilder b;
    RandomCode(seed).fill(b);
    const Analysis analysis(b.function);
    for (u32 block = 0; block < analysis.flow.blocks.size(); ++block)
      for (u32 i = analysis.flow.blocks[block].begin; i < analysis.flow.blocks[block].end; ++i) {
        forEachSourceUnit(b.function, b.function.code[i], [&](u32 unit) {
          EXPECT_TRUE(overlap(analysis.ranges[unit], {{2 * i, 2 * i + 1}}))
              << "seed " << seed << ", instruction " << i << " reads " << unit;
        });
        forEachDestinationUnit(b.function, b.function.code[i], [&](u32 unit) {
          EXPECT_TRUE(overlap(analysis.ranges[unit], {{2 * i + 1, 2 * i + 2}}))
              << "seed " << seed << ", instruction " << i << " writes " << unit;
        });
      }
  }
}

TEST(LiveRanges, OverlapIsStrict) {
  EXPECT_FALSE(overlap({{1, 5}}, {{5, 7}}));
  EXPECT_TRUE(overlap({{1, 6}}, {{5, 7}}));
  EXPECT_TRUE(overlap({{1, 2}, {8, 9}}, {{3, 4}, {8, 10}}));
}

TEST(LiveRanges, UniteJoinsNeighbours) { EXPECT_EQ(unite({{1, 5}, {9, 10}}, {{5, 7}}), (LiveRange{{1, 7}, {9, 10}})); }

}  // namespace
}  // namespace warpwright::compiler
