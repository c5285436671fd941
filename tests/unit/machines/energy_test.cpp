// Counters become events, and events energy.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "energy/events.hpp"
#include "machines/energy/counts.hpp"
#include "machines/energy/model.hpp"
#include "machines/energy/report.hpp"
#include "mechanisms/mechanism.hpp"

namespace warpwright::machines {
namespace {

using isa::PipeOperation;

GpuStats counted() {
  GpuStats stats;
  stats.cycles = 10;
  stats.sm.cycles = 20;
  stats.sm.activeCycles = 15;
  stats.sm.warpInstructions = 4;
  stats.sm.replays = 1;
  stats.sm.assistInstructions = 2;
  stats.sm.backend.operandReads = 9;
  stats.sm.operations[PipeOperation::intAdd] = 100;
  stats.sm.operations[PipeOperation::address] = 20;
  stats.sm.operations[PipeOperation::none] = 7;
  stats.sm.loadStore.bankReads = 3;
  stats.l1d.accesses[mem::AccessType::globalRead] = 5;
  stats.l1d.misses[mem::AccessType::globalRead] = 2;
  stats.l1d.sectorsRead = 6;
  stats.l1d.sectorsWrittenBack = 1;
  stats.memory.requests.routedFlits = 8;
  stats.memory.responses.routedFlits = 4;
  stats.memory.dram.commands[mem::dram::Command::read] = 2;
  stats.memory.dram.commands[mem::dram::Command::readPrecharge] = 1;
  stats.memory.dram.ticks = 50;
  stats.memory.dram.openTicks = 30;
  return stats;
}

std::map<std::string, u64> countsOf(const GpuStats& stats) {
  std::map<std::string, u64> counts;
  forEachEnergyEvent(stats, [&](std::string_view unit, std::string_view event, u64 count) {
    counts[std::string(unit) + "." + std::string(event)] += count;
  });
  return counts;
}

TEST(EnergyCounts, FollowFromTheCounters) {
  const auto counts = countsOf(counted());
  EXPECT_EQ(counts.at("instruction.decode"), 6u) << "helpers' too";
  EXPECT_EQ(counts.at("instruction.issue"), 7u) << "and replays";
  EXPECT_EQ(counts.at("operand_collector.operand"), 9u);
  EXPECT_EQ(counts.at("pipe.int_add"), 120u) << "addresses are added";
  EXPECT_EQ(counts.at("shared_memory.read"), 3u);
  EXPECT_EQ(counts.at("l1d.tag"), 5u);
  EXPECT_EQ(counts.at("l1d.read"), 7u) << "what is written back is read";
  EXPECT_EQ(counts.at("l1d.mshr_search"), 2u);
  EXPECT_EQ(counts.at("network.link"), 12u);
  EXPECT_EQ(counts.at("dram.read"), 3u);
  EXPECT_EQ(counts.at("dram.precharged"), 20u);
  EXPECT_EQ(counts.at("sm.idle_cycle"), 5u);
  EXPECT_EQ(counts.at("l2.leakage"), 10u);
}

// No event of the list is without a counter, and none is counted that the list does not have.
TEST(EnergyCounts, AreThoseOfTheListOfEvents) {
  std::set<std::string> listed, visited;
  for (const energy::Event& event : energy::events()) listed.insert(event.path());
  for (const auto& [path, count] : countsOf({})) visited.insert(path);
  EXPECT_EQ(visited, listed);
}

class Model : public ::testing::Test {
 protected:
  config::Machine machine = config::loadMachine("gtx480");
  EnergyModel model{energy::loadTable("40nm"), machine};
};

TEST_F(Model, ChargesCountsTimesCosts) {
  const energy::Account account = model.account(counted());
  EXPECT_EQ(account.find("pipe", "int_add")->count, 120u);
  EXPECT_NEAR(account.of("pipe").value, 120 * model.energies().find("pipe.int_add")->value, 1e-16);
  EXPECT_EQ(account.find("llc", "leakage"), nullptr) << "the machine has no such cache";
}

// Launches make up a kernel exactly.
TEST_F(Model, AccountsAddUpAsCountersDo) {
  GpuStats both = counted(), other = counted();
  other.sm.operations[PipeOperation::intAdd] = 7;
  stats::merge(both, other);
  energy::Account parts[] = {model.account(counted()), model.account(other)};
  stats::Conservation laws;
  checkParts(model.account(both), parts, laws);
  parts[0].check(laws);
  EXPECT_TRUE(laws.holds()) << laws.violations().front();
}

TEST_F(Model, JsonHasTotalUnitsAndEvents) {
  TimingCounters counters;
  counters.gpu = counted();
  const stats::Json json = energyJson(model, counters, EnergyDetail::events);
  EXPECT_EQ(json.at("table"), "40nm");
  EXPECT_NEAR(json.at("seconds").get<double>(), 10 / 700e6, 1e-12);
  EXPECT_EQ(json.at("events").at("pipe").at("int_add").at("count"), 120);
  double sum = 0;
  for (const auto& [unit, energy] : json.at("units").items()) sum += energy.at("value").get<double>();
  EXPECT_NEAR(sum, json.at("total").at("value").get<double>(), 1e-15);
  EXPECT_NEAR(json.at("power").at("value").get<double>() * json.at("seconds").get<double>(), json.at("total").at("value").get<double>(),
              1e-15);
  EXPECT_FALSE(energyJson(model, counters, EnergyDetail::units).contains("events"));
}

// What a kernel that did nothing has is what every kernel has.
TEST_F(Model, EveryMemberIsOneOfTheEmptyJson) {
  const stats::Json empty = emptyEnergyJson(), members = energyJson(model, {}, EnergyDetail::events).flatten();
  for (const auto& [path, value] : members.items()) EXPECT_TRUE(empty.contains(stats::Json::json_pointer(path))) << path;
}

// A mechanism's own events come with it.
TEST(EnergyOfMechanisms, AvcBringsItsArrays) {
  const config::Machine machine = config::loadMachine("gtx480", std::vector<std::string>{"mechanism.avc=true"});
  const EnergyModel model(energy::loadTable("40nm"), machine);
  GpuStats stats;
  stats.cycles = 2;
  stats.mechanisms = mechanisms::uncounted(machine);
  const energy::Account account = model.account(stats);
  EXPECT_EQ(account.find("avc", "leakage")->count, 2u);
  EXPECT_EQ(account.find("avc", "decode")->count, 0u);
  const stats::Json empty = emptyEnergyJson();
  for (const energy::Account::Line& line : account.lines())
    EXPECT_TRUE(empty.at("events").at(line.unit).contains(line.event)) << line.event;
}

TEST(EnergyOfMachines, NeedsCurrentsOfTheirDram) {
  EXPECT_THROW(EnergyModel(energy::loadTable("28nm"), config::loadMachine("rtx3070")), Error);
}

}  // namespace
}  // namespace warpwright::machines
