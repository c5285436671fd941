#include "compiler/control_flow.hpp"

#include <gtest/gtest.h>

#include <random>

#include "machine_builder.hpp"

namespace warpwright::compiler {
namespace {

using isa::Opcode;

TEST(ControlFlow, IfThenElseReconvergesBehindBothArms) {
  MachineBuilder b;
  const auto p = b.predicate(), x = b.word();
  const u32 otherwise = b.label(), join = b.label();
  b.branchIf(p, otherwise);  // 0
  b.move(x, b.number(1));    // 1
  b.branch(join);            // 2
  b.bind(otherwise);
  b.move(x, b.number(2));  // 3
  b.bind(join);
  b.store(x);  // 4
  b.exit();    // 5
  assignReconvergence(b.function);
  ASSERT_NE(b.function.code[0].reconvergence, isa::kNoTarget);
  EXPECT_EQ(b.function.labels[b.function.code[0].reconvergence], 4u);
  EXPECT_EQ(b.function.code[2].reconvergence, isa::kNoTarget) << "an unconditional branch cannot diverge";
}

TEST(ControlFlow, LoopReconvergesBehindItself) {
  MachineBuilder b;
  const auto p = b.predicate(), x = b.word();
  const u32 head = b.label();
  b.bind(head);
  b.add(x, x, b.number(1));  // 0
  b.branchIf(p, head);       // 1
  b.store(x);                // 2
  b.exit();
  assignReconvergence(b.function);
  EXPECT_EQ(b.function.labels[b.function.code[1].reconvergence], 2u);
}

TEST(ControlFlow, LanesThatExitAreNotWaitedFor) {
  MachineBuilder b;
  const auto p = b.predicate(), q = b.predicate(), x = b.word();
  const u32 join = b.label();
  b.branchIf(p, join);     // 0
  b.exit().guard = q;      // 1
  b.move(x, b.number(1));  // 2
  b.bind(join);
  b.store(x);  // 3
  b.exit();
  assignReconvergence(b.function);
  EXPECT_EQ(b.function.labels[b.function.code[0].reconvergence], 3u);
}

// do { if (q) ...; } while (!p), whose end is a guarded exit: the lanes of the inner branch meet in front of it, in every round.
TEST(ControlFlow, ALoopThatOnlyAGuardedExitEndsHasMeetingPoints) {
  MachineBuilder b;
  const auto p = b.predicate(), q = b.predicate(), x = b.word();
  const u32 head = b.label(), join = b.label();
  b.bind(head);
  b.branchIf(q, join);     // 0
  b.move(x, b.number(1));  // 1
  b.bind(join);
  b.store(x);          // 2
  b.exit().guard = p;  // 3
  b.branch(head);      // 4
  assignReconvergence(b.function);
  ASSERT_NE(b.function.code[0].reconvergence, isa::kNoTarget);
  EXPECT_EQ(b.function.labels[b.function.code[0].reconvergence], 2u);
}

// if (p) return; barrier: nobody meets at the shared exit.
TEST(ControlFlow, LanesThatComeToABarrierWaitUntilTheOthersHaveLeft) {
  MachineBuilder b;
  const auto p = b.predicate(), x = b.word();
  const u32 end = b.label();
  b.branchIf(p, end);                                               // 0
  b.move(x, b.number(1));                                           // 1
  b.emit(Opcode::bar_sync, isa::DataType::u32, {}, {b.number(0)});  // 2
  b.bind(end);
  b.exit();  // 3
  assignReconvergence(b.function);
  EXPECT_EQ(b.function.labels[b.function.code[0].reconvergence], 1u);
}

// do barrier while (p); return: those that stay in the loop wait at its head.
TEST(ControlFlow, LanesThatLeaveALoopOfBarriersGoFirst) {
  MachineBuilder b;
  const auto p = b.predicate();
  const u32 head = b.label();
  b.bind(head);
  b.emit(Opcode::bar_sync, isa::DataType::u32, {}, {b.number(0)});  // 0
  b.branchIf(p, head);                                              // 1
  b.exit();                                                         // 2
  assignReconvergence(b.function);
  EXPECT_EQ(b.function.labels[b.function.code[1].reconvergence], 0u);
}

TEST(ControlFlow, BothArmsLeavingMeansTheFunctionsEnd) {
  MachineBuilder b;
  const auto p = b.predicate();
  const u32 other = b.label();
  b.branchIf(p, other);
  b.exit();
  b.bind(other);
  b.exit();
  assignReconvergence(b.function);
  EXPECT_EQ(b.function.code[0].reconvergence, isa::kNoTarget);
}

TEST(ControlFlow, ATrapIsNoPlaceToMeet) {
  MachineBuilder b;
  const auto p = b.predicate();
  const u32 fine = b.label();
  b.branchIf(p, fine);                               // 0
  b.emit(Opcode::trap, isa::DataType::u32, {}, {});  // 1
  b.bind(fine);
  b.exit();  // 2
  assignReconvergence(b.function);
  EXPECT_EQ(b.function.labels[b.function.code[0].reconvergence], 2u);
}

TEST(ControlFlow, IndexedBranchReachesItsWholeTable) {
  MachineBuilder b;
  const auto x = b.word();
  const u32 first = b.label(), second = b.label(), join = b.label();
  b.function.branchTables.push_back({first, second, first});
  b.emit(Opcode::brx, isa::DataType::u32, {}, {x}).target = 0;  // 0
  b.bind(first);
  b.branch(join);  // 1
  b.bind(second);
  b.store(x);  // 2
  b.bind(join);
  b.exit();  // 3
  const ControlFlow flow = buildControlFlow(b.function);
  EXPECT_EQ(flow.successors[0], (std::vector<u32>{1, 2}));
  assignReconvergence(b.function);
  EXPECT_EQ(b.function.labels[b.function.code[0].reconvergence], 3u);
}

TEST(ControlFlow, UnreachableCodeGoesAway) {
  MachineBuilder b;
  const auto x = b.word();
  const u32 end = b.label();
  b.branch(end);
  b.store(x);
  b.bind(end);
  b.exit();
  removeUnreachableCode(b.function);
  ASSERT_EQ(b.function.code.size(), 2u);
  EXPECT_EQ(b.function.labels[end], 1u);
}

// p post-dominates n when no path from n to a regular end avoids p.
bool endReachableAvoiding(const ControlFlow& flow, u32 from, u32 avoided) {
  std::vector<bool> seen(flow.blocks.size());
  std::vector<u32> work{from};
  while (!work.empty()) {
    const u32 node = work.back();
    work.pop_back();
    if (node == avoided || seen[node]) continue;
    seen[node] = true;
    if (flow.leaves[node]) return true;
    for (const u32 next : flow.successors[node]) work.push_back(next);
  }
  return false;
}

ControlFlow randomFlow(std::mt19937& random) {
  ControlFlow flow;
  const u32 blocks = 1 + random() % 12;
  flow.blocks.resize(blocks);
  flow.successors.resize(blocks);
  flow.leaves.resize(blocks);
  for (u32 b = 0; b < blocks; ++b) {
    for (u32 edges = random() % 3; edges > 0; --edges) flow.successors[b].push_back(random() % blocks);
    flow.leaves[b] = flow.successors[b].empty() && random() % 4 != 0;
  }
  return flow;
}

TEST(ControlFlow, PostDominatorsAgreeWithTheDefinition) {
  std::mt19937 random(2);
  for (u32 round = 0; round < 500; ++round) {
    const ControlFlow flow = randomFlow(random);
    const std::vector<u32> result = immediatePostDominators(flow);
    const u32 blocks = static_cast<u32>(flow.blocks.size());
    const auto reachesEnd = [&](u32 b) { return endReachableAvoiding(flow, b, kNoNode); };
    const auto postDominates = [&](u32 p, u32 b) { return p == b || (reachesEnd(p) && !endReachableAvoiding(flow, b, p)); };
    for (u32 b = 0; b < blocks; ++b) {
      u32 expected = kNoNode;
      for (u32 p = 0; p < blocks && reachesEnd(b); ++p) {
        if (p == b || !postDominates(p, b)) continue;
        bool closest = true;
        for (u32 q = 0; q < blocks; ++q)
          if (q != b && postDominates(q, b)) closest &= postDominates(q, p);
        if (closest) expected = p;
      }
      ASSERT_EQ(result[b], expected) << "round " << round << ", block " << b;
    }
  }
}

}  // namespace
}  // namespace warpwright::compiler
