// A step of a fluid: that both forms compute it, and what instructions that takes.
#include "spe/programs/fluidanimate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace warpwright::spe::fluidanimate {
namespace {

struct Outcome {
  Result result;
  Statistics statistics;
  u32 codeBytes = 0;
};

Outcome runOn(const char* spe) {
  Spu spu(machineOf(spe));
  Outcome outcome{run(spu), {}, 0};
  spu.finish();
  outcome.statistics = spu.statistics();
  outcome.codeBytes = spu.code().back().address + 4;
  return outcome;
}
// The runs take seconds: they are made once.
const Outcome& original() {
  static const Outcome outcome = runOn("original");
  return outcome;
}
const Outcome& sams() {
  static const Outcome outcome = runOn("sams");
  return outcome;
}

u32 countOf(const Result& result, u32 cell) { return result[cell * kCellWords + kCount]; }

// How often what is done, summed over the cells: in code of b full batches of four, and of one of two particles where there are three.
struct Work {
  u64 cells = 0, neighbours = 0;
  u64 batches = 0, halves = 0;                    // once a cell
  u64 own = 0, ownBatches = 0, ownHalves = 0;     // with each particle of the own cell but the last
  u64 pair = 0, pairBatches = 0, pairHalves = 0;  // with each particle of the neighbours after it
};

Work workOf(const Result& result) {
  Work work;
  for (u32 cell = 0; cell < kCells; ++cell) {
    const u32 count = countOf(result, cell), batches = (count + 3) / 4, halves = batches == 3 ? 1 : 0;
    if (count == 0) continue;
    ++work.cells;
    work.batches += batches;
    work.halves += halves;
    work.own += count - 1;
    work.ownBatches += (count - 1) * batches;
    work.ownHalves += (count - 1) * halves;
    for (const u32 neighbour : neighboursAfter(result, cell)) {
      const u32 others = countOf(result, neighbour);
      ++work.neighbours;
      work.pair += others;
      work.pairBatches += others * batches;
      work.pairHalves += others * halves;
    }
  }
  return work;
}

TEST(Fluidanimate, BothFormsGiveWhatIsExpected) {
  const Result expected = fluidanimate::expected();
  EXPECT_TRUE(original().result == expected);
  EXPECT_TRUE(sams().result == expected);
  EXPECT_EQ(sams().statistics.mismatches + sams().statistics.unawaited + original().statistics.unawaited, 0u);
  EXPECT_EQ(sams().statistics.conflictCycles, 0u);
}

TEST(Fluidanimate, CellsHaveFromNoneToTenParticles) {
  std::array<u32, kMost + 1> cells{};
  for (u32 cell = 0; cell < kCells; ++cell) ++cells.at(countOf(sams().result, cell));
  for (const u32 some : cells) EXPECT_GT(some, 0u);
}

// Both passes load the number of a plane's cells, three words of a cell and two of a neighbour.
TEST(Fluidanimate, ViewsTakeALoadForEachFieldAndEachStructure) {
  const Work work = workOf(sams().result);
  const u64 control = 2 * (kHigh + 3 * work.cells + 2 * work.neighbours);
  // Positions, velocities, accelerations: three fields of a batch, or a structure of a neighbour's particle; densities: one.
  const u64 densities = (3 + 1) * work.batches + 2 * (work.own + work.pair) + work.ownBatches;
  const u64 accelerations = (3 + 3 + 1 + 3) * work.batches + 4 * (work.own + work.pair) + 3 * work.ownBatches;
  EXPECT_EQ(sams().statistics.loads, control + densities + accelerations);
  // Densities of a batch and of its partner, each time and at the end; three fields, and two words and one of the partner.
  EXPECT_EQ(sams().statistics.stores, work.batches + (2 + 5) * (work.ownBatches + work.pairBatches));
}

// A triple, or four densities, lie across two quads, velocities of a batch across four. What does not fill quads is loaded before it is
// stored.
TEST(Fluidanimate, WithoutViewsStoresTakeLoads) {
  const Work work = workOf(original().result);
  const u64 visits = work.own + work.pair, visitBatches = work.ownBatches + work.pairBatches,
            visitHalves = work.ownHalves + work.pairHalves;
  const u64 control = 2 * (kHigh + 3 * work.cells + 2 * work.neighbours);
  const u64 densitiesStored = 2 * (work.batches + visitBatches) - (work.halves + visitHalves);
  const u64 densities = (3 + 2) * work.batches + (2 + 1) * visits + 2 * work.ownBatches + visitBatches + densitiesStored;
  const u64 accelerations =
      (3 + 4 + 2 + 3) * work.batches + (2 + 2 + 1 + 2) * visits + 3 * work.ownBatches + 3 * visitBatches + visitHalves;
  EXPECT_EQ(original().statistics.loads, control + densities + accelerations);
  EXPECT_EQ(original().statistics.stores, densitiesStored + visitBatches + (3 + 3) * visitBatches - visitHalves);
}

// What the thesis says of table 4.6, and why: stores are shared by no batches, loads are.
TEST(Fluidanimate, SamsStoresMoreThanItLoadsAndTheOriginalLoadsMore) {
  const Statistics &with = sams().statistics, &without = original().statistics;
  EXPECT_GT(with.stores, with.loads);
  EXPECT_GT(without.loads, without.stores);
  EXPECT_LT(with.instructions, without.instructions);
  EXPECT_LT(with.cycles, without.cycles);
  // The arithmetic is the same.
  const auto arithmetic = static_cast<std::size_t>(Unit::singlePrecision);
  EXPECT_EQ(with.byUnit[arithmetic], without.byUnit[arithmetic]);
}

TEST(Fluidanimate, TheCodeEndsBeforeTheData) {
  for (const Outcome* const outcome : {&original(), &sams()}) {
    EXPECT_LE(outcome->codeBytes, kLocalCells);
  }
}

// ---- the same physics by all pairs in double precision, with no cells

struct Particle {
  std::array<double, 3> position{}, velocity{}, acceleration{};
  double density = 0;
};

std::vector<Particle> particlesOf(const Result& result) {
  std::vector<Particle> particles;
  for (u32 cell = 0; cell < kCells; ++cell)
    for (u32 i = 0; i < countOf(result, cell); ++i) {
      const auto word = [&](u32 at) { return std::bit_cast<float>(result[cell * kCellWords + at]); };
      Particle& particle = particles.emplace_back();
      for (u32 d = 0; d < 3; ++d) {
        particle.position[d] = word(kPosition + 3 * i + d);
        particle.velocity[d] = word(kVelocity + 3 * i + d);
        particle.acceleration[d] = word(kAcceleration + 3 * i + d);
      }
      particle.density = word(kDensity + i);
    }
  return particles;
}

double distanceOf(const Particle& a, const Particle& b) {
  return std::hypot(a.position[0] - b.position[0], a.position[1] - b.position[1], a.position[2] - b.position[2]);
}

TEST(Fluidanimate, IsThePhysicsOfAllPairsInReach) {
  const std::vector<Particle> particles = particlesOf(sams().result);
  for (std::size_t i = 0; i < particles.size(); i += 16) {
    const Particle& one = particles[i];
    double density = 0, changes = 0;
    std::array<double, 3> acceleration{0, 0, kGravity};
    for (const Particle& other : particles) {
      if (std::fabs(one.position[2] - other.position[2]) >= kRadius) continue;
      const double distance = distanceOf(one, other), left = kRadius - distance;
      if (left <= 0) continue;
      density += kMass * 315 / (64 * std::numbers::pi * std::pow(kRadius, 9)) * std::pow(kRadius * kRadius - distance * distance, 3);
      if (&other == &one) continue;
      const double both = kMass * 45 / (std::numbers::pi * std::pow(kRadius, 6)) * left / (one.density * other.density);
      const double pressure = kStiffness * (one.density + other.density - 2 * kRestDensity) / 2 * left / distance;
      for (u32 d = 0; d < 3; ++d) {
        const double push = both * pressure * (one.position[d] - other.position[d]);
        const double drag = both * kViscosity * (other.velocity[d] - one.velocity[d]);
        acceleration[d] += push + drag;
        changes += std::fabs(push) + std::fabs(drag);
      }
    }
    EXPECT_NEAR(one.density / density, 1, 1e-4) << i;
    for (u32 d = 0; d < 3; ++d) EXPECT_NEAR(one.acceleration[d], acceleration[d], 1e-5 + 1e-4 * changes) << i;
  }
}

TEST(Fluidanimate, SchedulingMakesItFaster) {
  for (const char* const spe : {"original", "sams"}) {
    const std::vector<std::string> scheduled = {"spe.order=scheduled"};
    Spu spu(machineOf(spe, scheduled));
    EXPECT_EQ(run(spu), original().result) << spe;
    spu.finish();
    EXPECT_LT(spu.statistics().cycles, (spu.machine().sams ? sams() : original()).statistics.cycles) << spe;
  }
}

}  // namespace
}  // namespace warpwright::spe::fluidanimate
