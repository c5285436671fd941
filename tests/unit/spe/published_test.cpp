// Gou's table 4.6, for the programs whose code the thesis tells enough of.
#include <gtest/gtest.h>

#include "spe/programs/program.hpp"

namespace warpwright::spe {
namespace {

struct Row {
  const char* program;
  const char* spe;
  u64 instructions;
  // What the loop itself has to have, an iteration: memory instructions, shuffles, floating point.
  u64 memory, shuffles, arithmetic;
};

constexpr Row kRows[] = {
    {"complex-multiplication", "original", 42'008, 6, 6, 4},
    {"complex-multiplication", "sams", 26'693, 6, 0, 4},
    {"transpose", "original", 167'766, 8, 8, 0},
    {"transpose", "sams", 85'893, 8, 0, 0},
};

Statistics of(const Row& row, u32 fetchesAhead) {
  const Program& program = programOf(row.program);
  Machine machine = machineOf(row.spe);
  machine.fetchesAhead = fetchesAhead;
  Spu spu(machine);
  EXPECT_EQ(program.run(spu), program.expected()) << row.program;
  spu.finish();
  return spu.statistics();
}

// Memory, shuffles and arithmetic are the bodies; the total has the loop too, whose unrolling was read off the published totals.
TEST(Published, InstructionCountsAreWithinTwoPercent) {
  for (const Row& row : kRows) {
    const Statistics statistics = of(row, 2);
    const u32 iterations = programOf(row.program).iterations;
    EXPECT_EQ(statistics.loads + statistics.stores, row.memory * iterations) << row.program;
    EXPECT_EQ(statistics.byUnit[static_cast<std::size_t>(Unit::shuffle)], row.shuffles * iterations) << row.program;
    EXPECT_EQ(statistics.byUnit[static_cast<std::size_t>(Unit::singlePrecision)], row.arithmetic * iterations) << row.program;
    EXPECT_NEAR(static_cast<double>(statistics.instructions) / static_cast<double>(row.instructions), 1, 0.02) << row.program;
    EXPECT_EQ(statistics.mismatches, 0u);
    EXPECT_EQ(statistics.conflictCycles, 0u);
  }
}

// Section 4.2 counts six shuffles that sort the three elements of a; as many sort those of c back.
TEST(Published, AVectorOfThreeTakesSixShuffles) {
  const Program& program = programOf("vector-matrix");
  Spu original(machineOf("original")), sams(machineOf("sams"));
  EXPECT_EQ(program.run(original), program.expected());
  EXPECT_EQ(program.run(sams), program.expected());
  const auto shuffles = [](const Spu& spu) { return spu.statistics().byUnit[static_cast<std::size_t>(Unit::shuffle)]; };
  // Of a, of c, and three for each of the nine fields of B, whose words lie in four quads.
  EXPECT_EQ(shuffles(original), program.iterations * (6u + 6u + 27u));
  EXPECT_EQ(shuffles(sams), 0u);
  EXPECT_LT(sams.statistics().cycles, original.statistics().cycles);
}

// 24 words of eight spinors and 18 of eight links are loaded for four sites, and 24 are stored.
TEST(Published, TheWilsonDiracOperatorLoadsWhatIsPublished) {
  const Program& program = programOf("wilson-dirac");
  Spu original(machineOf("original")), sams(machineOf("sams"));
  EXPECT_EQ(program.run(original), program.expected());
  EXPECT_EQ(program.run(sams), program.expected());
  const Statistics statistics = sams.statistics();
  EXPECT_EQ(statistics.loads, program.iterations * 8u * (24 + 18));
  EXPECT_NEAR(static_cast<double>(statistics.loads) / 10'551, 1, 0.02);
  EXPECT_EQ(statistics.stores, program.iterations * 24u);
  EXPECT_EQ(statistics.mismatches + statistics.unawaited, 0u);
  // 1,344 floating-point operations a site: 12 to project, 132 to multiply and 24 to add, for each of eight neighbours.
  EXPECT_EQ(statistics.byUnit[static_cast<std::size_t>(Unit::singlePrecision)], program.iterations * 8u * (12 + 72 + 24));
  EXPECT_LT(statistics.instructions, original.statistics().instructions);
}

// How far the published simulator fetched ahead is not told; what that is worth is in docs/spe.md.
TEST(Published, FetchingAheadSavesCycles) {
  for (const Row& row : kRows) EXPECT_LT(of(row, 2).cycles, of(row, 0).cycles) << row.program << ' ' << row.spe;
}

}  // namespace
}  // namespace warpwright::spe
