#include "compiler/analysis/next_use.hpp"

#include <gtest/gtest.h>

#include "machine_builder.hpp"

namespace warpwright::compiler {
namespace {

using isa::Operand;

// Two nested loops; x is read in the inner one, y in the outer one, z behind both.
struct Nest {
  MachineBuilder b;
  Operand x = b.word(), y = b.word(), z = b.word(), p = b.predicate();
  u32 outer = b.label(), inner = b.label();

  Nest() {
    for (const Operand& value : {x, y, z}) b.move(value, b.number(1));  // 0, 1, 2
    b.bind(outer);
    b.store(y);  // 3
    b.bind(inner);
    b.store(x);                    // 4
    b.compare(p, x, b.number(2));  // 5
    b.branchIf(p, inner);          // 6
    b.branchIf(p, outer);          // 7
    b.store(z);                    // 8
    b.exit();
  }
};

TEST(Loops, DepthsAndExits) {
  const Nest nest;
  const ControlFlow flow = buildControlFlow(nest.b.function);
  const Loops loops = findLoops(flow);
  ASSERT_EQ(loops.loops.size(), 2u);
  const auto depthAt = [&](u32 position) { return loops.depth[flow.blockAt(position)]; };
  EXPECT_EQ(depthAt(0), 0u);
  EXPECT_EQ(depthAt(3), 1u);
  EXPECT_EQ(depthAt(4), 2u);
  EXPECT_EQ(depthAt(7), 1u);
  EXPECT_EQ(depthAt(8), 0u);
  EXPECT_EQ(loops.exits(flow.blockAt(6), flow.blockAt(7)), 1u);
  EXPECT_EQ(loops.exits(flow.blockAt(6), flow.blockAt(4)), 0u);
}

TEST(NextUse, EveryLoopThatIsLeftCountsMoreThanAnythingInIt) {
  const Nest nest;
  const ControlFlow flow = buildControlFlow(nest.b.function);
  const Liveness liveness(nest.b.function, flow);
  const Loops loops = findLoops(flow);
  const NextUse next(nest.b.function, flow, liveness, loops);
  const u32 block = flow.blockAt(4);
  EXPECT_EQ(next.from(block, 4, nest.x.index), 0u);
  EXPECT_EQ(next.from(block, 6, nest.x.index), 1u) << "again in the next iteration";
  EXPECT_EQ(next.from(block, 4, nest.y.index), 4 + NextUse::kLoopExit) << "three instructions, one branch, and out of the inner loop";
  EXPECT_EQ(next.from(block, 4, nest.z.index), 4 + 2 * NextUse::kLoopExit);
  EXPECT_EQ(next.atEntry(flow.blockAt(8), nest.x.index), NextUse::kNever);
}

}  // namespace
}  // namespace warpwright::compiler
