#include "mem/partition/atomics_unit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "config/machine.hpp"

namespace warpwright::mem {
namespace {

struct Work {
  u32 operations = 1, sectors = 1, repeats = 0;
};

Request requestFor(const Work& work, u32 id = 0) {
  Request request;
  request.type = AccessType::atomic;
  request.lineBytes = 128;
  request.sectors = (1u << work.sectors) - 1;
  request.operations = static_cast<u16>(work.operations);
  request.repeats = static_cast<u16>(work.repeats);
  request.id = id;
  return request;
}

// When each of the atomics takes effect, all there at tick 0.
std::vector<u64> ticksOf(config::Partition config, const std::vector<Work>& works) {
  config.atomicsQueue = static_cast<u32>(works.size());
  AtomicsUnit unit(config);
  for (u32 i = 0; i < works.size(); ++i) unit.accept(requestFor(works[i], i), {0});
  std::vector<PerformedAtomic> performed;
  for (u64 now = 0; performed.size() < works.size() && now < 100'000; ++now) unit.tick({now}, performed);
  std::vector<u64> ticks;
  for (const PerformedAtomic& each : performed) {
    EXPECT_EQ(each.id, ticks.size()) << "in their order";
    ticks.push_back(each.time.ticks);
  }
  return ticks;
}

using Ticks = std::vector<u64>;

TEST(AtomicsUnit, WithoutTimesOfTheirOwnAllOperationsComeAtOneRate) {
  config::Partition config;
  config.atomicsPerTick = 4;
  EXPECT_EQ(ticksOf(config, {{30, 4, 0}, {1, 1, 0}, {32, 1, 31}, {0, 1, 0}}), (Ticks{8, 9, 17, 18}));
}

TEST(AtomicsUnit, TheFirstOperationOfASectorMayTakeATimeOfItsOwn) {
  config::Partition config;
  config.atomicsPerTick = 14;
  config.atomicSectorTime = 1500;
  // 6 + 2, 6 + 1, 6, and two that begin within a tick.
  EXPECT_EQ(ticksOf(config, {{32, 4, 0}, {16, 4, 0}, {4, 4, 0}, {1, 1, 0}, {1, 1, 0}}), (Ticks{8, 15, 21, 23, 24}));
}

TEST(AtomicsUnit, FurtherOperationsOnOneWordMayTakeATimeOfTheirOwn) {
  config::Partition config;
  config.atomicsPerTick = 8;
  config.atomicRepeatTime = 1250;
  // 31 of 1.25 and one; 8 others; 3 of 1.25 and five.
  EXPECT_EQ(ticksOf(config, {{32, 1, 31}, {8, 1, 0}, {8, 1, 3}}), (Ticks{40, 41, 46}));
}

TEST(AtomicsUnit, ResultsMayComeLaterThanTheUnitGoesOn) {
  config::Partition config;
  config.atomicRepeatTime = 1000;
  config.atomicRepeatLatency = 1000;
  // The unit is through with them at 8, 16 and 17.
  EXPECT_EQ(ticksOf(config, {{8, 1, 7}, {8, 1, 7}, {1, 1, 0}}), (Ticks{15, 23, 23}));
  AtomicsUnit unit(config);
  unit.accept(requestFor({8, 1, 7}), {0});
  EXPECT_EQ(unit.workTicks(), 8u);
}

// data/hardware/h100-2/probe.csv and h100/micro.csv: additions a nanosecond of 80 slices at 1.704 GHz, those on one word of one slice.
TEST(AtomicsUnit, GivesTheRatesThatTheH100Measured) {
  constexpr double kTicksPerNanosecond = 1.704;
  constexpr u32 kSlices = 80, kRequests = 200;
  const config::Partition h100 = config::loadMachine("h100").partition;
  struct Measured {
    const char* what;
    Work work;
    u32 slices;
    double rate;
  };
  const Measured measured[] = {{"neighbouring words", {32, 4, 0}, kSlices, 541.8},
                               {"one word in two", {16, 4, 0}, kSlices, 310.9},
                               {"one word in eight", {4, 4, 0}, kSlices, 91.9},
                               {"a word of each line", {1, 1, 0}, kSlices, 86.8},
                               {"one word", {32, 1, 31}, 1, 1.3656}};
  for (const Measured& each : measured) {
    const std::vector<u64> ticks = ticksOf(h100, std::vector<Work>(kRequests, each.work));
    const double rate = each.work.operations * (kRequests - 1) / double(ticks.back() - ticks.front()) * kTicksPerNanosecond * each.slices;
    EXPECT_NEAR(rate / each.rate, 1, 0.05) << each.what;
  }
}

// A warp's atomics on one word take 73 cycles of 1.98 GHz longer with 32 lanes than with one (the least of five runs, 343.25 and 270.125).
TEST(AtomicsUnit, TakesWhatTheH100MeasuredForLanesOfOneWord) {
  constexpr double kCyclesPerTick = 1.98 / 1.704;
  const config::Partition h100 = config::loadMachine("h100").partition;
  const auto cyclesOf = [&](u32 lanes) { return kCyclesPerTick * static_cast<double>(ticksOf(h100, {{lanes, 1, lanes - 1}}).front()); };
  for (const auto& [lanes, expected] : {std::pair{2u, 3.9}, {4u, 8.25}, {8u, 16.0}, {16u, 36.0}, {32u, 73.1}})
    EXPECT_NEAR(cyclesOf(lanes) - cyclesOf(1), expected, 2.5) << lanes;
}

}  // namespace
}  // namespace warpwright::mem
