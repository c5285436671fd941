// Streamcluster: both forms compute what plain C++ does, with the instructions that its loops have to have.
#include "spe/programs/streamcluster.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "spe/programs/streamcluster_reference.hpp"
#include "spe/programs/streamcluster_search.hpp"
#include "spe/programs/streamcluster_spu.hpp"

namespace warpwright::spe::streamcluster {
namespace {

constexpr u32 kBlock = 256;

// Whole numbers, whose distances are exact in any order.
BlockOfPoints pointsOnAGrid(u32 count) {
  BlockOfPoints block{.count = count, .data = std::vector<PointData>(count), .points = std::vector<Point>(count)};
  for (u32 i = 0; i < count; ++i) {
    for (u32 d = 0; d < kDimensions; ++d) block.data[i].coordinates[d] = static_cast<float>((i * 7 + d * i * 3 + d) % 19);
    block.points[i].weight = static_cast<float>(1 + i % 3);
    block.points[i].number = i;
  }
  return block;
}

double distance(const PointData& a, const PointData& b) {
  double sum = 0;
  for (u32 d = 0; d < kDimensions; ++d) sum += std::pow(static_cast<double>(a.coordinates[d]) - static_cast<double>(b.coordinates[d]), 2);
  return sum;
}

void expectThatPointsCostTheirWays(const BlockOfPoints& block, const std::vector<Point>& points) {
  for (u32 i = 0; i < block.count; ++i)
    EXPECT_EQ(points[i].cost, block.points[i].weight * distance(block.data[i], block.data[points[i].centre])) << i;
}

double costOf(const std::vector<Point>& points) {
  double sum = 0;
  for (const Point& point : points) sum += static_cast<double>(point.cost);
  return sum;
}

std::vector<float> thresholds(u32 count, float each) { return std::vector<float>(count, each); }

// What holds whatever the algorithm: points cost their ways, the nearest of all centres is theirs, and a gain is what costs fall by.
void expectTrueGains(Engine& engine) {
  const BlockOfPoints block = pointsOnAGrid(64);
  const Outcome first = engine.speedy(block, thresholds(block.count, 400));
  EXPECT_GT(first.centres, 1u);
  std::vector<Point> points = engine.points();
  expectThatPointsCostTheirWays(block, points);
  EXPECT_EQ(first.ways, costOf(points));
  for (u32 i = 0; i < block.count; ++i)
    for (const Point& other : points) EXPECT_LE(points[i].cost, block.points[i].weight * distance(block.data[i], block.data[other.centre]));

  constexpr float kPrice = 300;
  double cost = costOf(points) + static_cast<double>(kPrice) * first.centres;
  u32 opened = 0;
  for (const u32 candidate : {9u, 33u, 33u, 60u, 5u, 17u}) {
    const Outcome outcome = engine.refine(kPrice, {candidate});
    points = engine.points();
    expectThatPointsCostTheirWays(block, points);
    const double after = costOf(points) + static_cast<double>(kPrice) * outcome.centres;
    EXPECT_EQ(cost - after, static_cast<double>(outcome.gained)) << candidate;
    EXPECT_GE(outcome.gained, 0);
    opened += outcome.gained > 0;
    cost = after;
  }
  EXPECT_GT(opened, 0u);
}

TEST(Streamcluster, GainsAreWhatCostsFallBy) {
  Reference reference;
  expectTrueGains(reference);
  for (const char* const name : {"original", "sams"}) {
    Spu spu(machineOf(name));
    OnSpu engine(spu);
    expectTrueGains(engine);
  }
}

void expectTheClusters(const Machine& machine, u32 points, const Result& expected) {
  Spu spu(machine);
  OnSpu engine(spu);
  EXPECT_EQ(clustered(engine, points), expected) << machine.name;
  spu.finish();
  const Statistics statistics = spu.statistics();
  EXPECT_EQ(statistics.mismatches, 0u) << machine.name;
  EXPECT_EQ(statistics.unawaited, 0u) << machine.name;
  EXPECT_EQ(statistics.conflictCycles, 0u) << machine.name;
  EXPECT_TRUE(statistics.isConserved()) << machine.name;
}

// A block of the stream, as all of it takes seconds.
TEST(Streamcluster, BothFormsFindTheSameClusters) {
  Reference reference;
  const Result expected = clustered(reference, kBlock);
  for (const char* const name : {"original", "sams"}) expectTheClusters(machineOf(name), kBlock, expected);
}

TEST(Streamcluster, TheOrderOfInstructionsChangesNoResult) {
  Reference reference;
  const BlockOfPoints block = pointsOnAGrid(32);
  reference.speedy(block, thresholds(block.count, 400));
  const Outcome expected = reference.refine(300, {9, 30, 5});
  for (const char* const name : {"original", "sams"}) {
    Machine machine = machineOf(name);
    machine.order = Order::scheduled;
    Spu spu(machine);
    OnSpu engine(spu);
    engine.speedy(block, thresholds(block.count, 400));
    const Outcome outcome = engine.refine(300, {9, 30, 5});
    EXPECT_EQ(outcome.gained, expected.gained) << name;
    EXPECT_EQ(outcome.centres, expected.centres) << name;
    EXPECT_EQ(costOf(engine.points()), costOf(reference.points())) << name;
  }
}

// As many as the thesis asks for, of each block and at the end.
TEST(Streamcluster, ThereAreFiveToTenClusters) {
  const Result result = expected();
  constexpr u32 kWords = 2 + 3 * kBlock;
  for (u32 search = 0; search <= kStreamPoints / kBlock; ++search) {
    EXPECT_GE(result[search * kWords], 5u);
    EXPECT_LE(result[search * kWords], 10u);
  }
}

// ---- counts, of eight points more

struct Counts {
  u64 loads = 0, stores = 0, shuffles = 0, takenBranches = 0;
};

Counts countsOf(const Spu& spu) {
  const Statistics statistics = spu.statistics();
  return {statistics.loads, statistics.stores, statistics.byUnit[static_cast<std::size_t>(Unit::shuffle)], statistics.takenBranches};
}
Counts operator-(const Counts& a, const Counts& b) {
  return {a.loads - b.loads, a.stores - b.stores, a.shuffles - b.shuffles, a.takenBranches - b.takenBranches};
}

struct Phases {
  Counts speedy, refine;
};

// One centre, which is the candidate too: nobody moves.
Phases phasesOf(const char* machine, u32 points) {
  Spu spu(machineOf(machine));
  OnSpu engine(spu);
  engine.speedy(pointsOnAGrid(points), thresholds(points, kFarAway));
  const Counts speedy = countsOf(spu);
  EXPECT_EQ(engine.refine(1000, {0}).gained, 0);
  return {speedy, countsOf(spu) - speedy};
}

Phases ofEightPointsMore(const char* machine) {
  const Phases few = phasesOf(machine, 8), more = phasesOf(machine, 16);
  return {more.speedy - few.speedy, more.refine - few.refine};
}

// Three quads of coordinates, weight, cost, centre, its place in the table and its savings, which are stored.
TEST(Streamcluster, APointOfTheCriticalLoopIsEightLoads) {
  const Counts sams = ofEightPointsMore("sams").refine, original = ofEightPointsMore("original").refine;
  constexpr u64 kCleared = 2;  // quads of moves
  EXPECT_EQ(sams.loads, 8u * (3 + 2 + 3));
  EXPECT_EQ(sams.stores, 8u + kCleared);
  EXPECT_EQ(sams.shuffles, 8u * 2) << "lanes are added up";
  // Four aligned quads have the three, and a store of a word loads its quad.
  EXPECT_EQ(original.loads, 8u * (4 + 2 + 3 + 1));
  EXPECT_EQ(original.stores, sams.stores);
  // A pattern and three shuffles for the coordinates, a rotation for each of five words, two instructions for a store.
  EXPECT_EQ(original.shuffles, sams.shuffles + 8u * (4 + 5 + 2));
}

// A point that stays branches there, and back to the next.
TEST(Streamcluster, APointOfTheCriticalLoopTakesTwoBranches) {
  for (const char* const machine : {"original", "sams"}) EXPECT_EQ(ofEightPointsMore(machine).refine.takenBranches, 8u * 2 + 2) << machine;
}

// Four points: ten dimensions, their fields, and at the end their costs again. A threshold and a cost are compared for each.
TEST(Streamcluster, DimensionsAreLoadedOfFourPoints) {
  const Counts sams = ofEightPointsMore("sams").speedy, original = ofEightPointsMore("original").speedy;
  constexpr u64 kWords = 8 * 2;
  EXPECT_EQ(sams.loads, 2u * (10 + 3 + 1) + kWords);
  EXPECT_EQ(sams.stores, 2u * 2);
  EXPECT_EQ(sams.shuffles, 0u);
  EXPECT_EQ(original.loads, 2u * (10 + 4 + 4) + kWords);
  EXPECT_EQ(original.stores, 2u * 4);
  // Twenty sort the dimensions, seven the fields and six put them back, three sort the costs; words are rotated.
  EXPECT_EQ(original.shuffles, 2u * (20 + 7 + 6 + 3) + kWords);
}

}  // namespace
}  // namespace warpwright::spe::streamcluster
