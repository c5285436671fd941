// Counters become events, and events energy.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "energy/events.hpp"
#include "machines/energy/counts.hpp"
#include "machines/energy/lines.hpp"
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

TEST_F(Model, LineHasTheEventsOfItsInstructions) {
  LineTiming line;
  line.warpInstructions = 3;
  line.operations[PipeOperation::fp32Fma] = 96;
  line.traffic.sm.operandReads = 9;
  line.traffic.sm.sharedWords = 32;
  line.traffic.l1d = {.accesses = 5, .hits = 3, .sectorsRead = 6, .sectorsWritten = 1, .sectorsFilled = 8, .mshrs = 2};
  line.traffic.requests.flits = 4;
  line.traffic.responses.flits = 7;
  const u32 columnBytes = config::columnBytes(machine.dram);
  line.traffic.dram = {.bytesRead = 6 * columnBytes, .bytesWritten = columnBytes, .activations = 2};
  const energy::Account account = model.account(line);
  const auto count = [&](const char* unit, const char* event) { return account.find(unit, event)->count; };
  EXPECT_EQ(count("instruction", "decode"), 3u);
  EXPECT_EQ(count("pipe", "fp32_fma"), 96u);
  EXPECT_EQ(count("register_file", "read"), 9u);
  EXPECT_EQ(count("operand_collector", "operand"), 9u);
  EXPECT_EQ(count("data_crossbar", "shared_word"), 32u);
  EXPECT_EQ(count("l1d", "tag"), 5u);
  EXPECT_EQ(count("l1d", "read"), 6u);
  EXPECT_EQ(count("l1d", "write"), 1u);
  EXPECT_EQ(count("l1d", "fill"), 8u);
  EXPECT_EQ(count("l1d", "mshr_search"), 2u) << "what did not hit";
  EXPECT_EQ(count("l1d", "mshr_allocate"), 2u);
  EXPECT_EQ(count("network", "link"), 11u);
  EXPECT_EQ(count("dram", "read"), 6u);
  EXPECT_EQ(count("dram", "write"), 1u);
  EXPECT_EQ(count("dram", "activate"), 2u);
  EXPECT_EQ(account.of("sm"), energy::Energy{}) << "time is nobody's";
}

// Counters of a kernel of two lines, whose energies and the rest are the kernel's.
TEST_F(Model, LinesAndRestMakeUpTheKernel) {
  KernelTiming kernel;
  kernel.counters.gpu = counted();
  LineTiming& one = kernel.lines[{"a.cu", 1}];
  one.warpInstructions = 3;
  one.operations[PipeOperation::intAdd] = 90;
  one.traffic.l1d = {.accesses = 4, .hits = 3, .sectorsRead = 6};
  LineTiming& other = kernel.lines[{"a.cu", 2}];
  other.warpInstructions = 1;
  other.operations[PipeOperation::address] = 20;
  other.traffic.requests.flits = 8;
  const LineEnergies energies = energyOfLines(model, kernel);
  ASSERT_EQ(energies.lines.size(), 2u);
  EXPECT_EQ(energies.rest.find("pipe", "int_add")->count, 10u);
  EXPECT_EQ(energies.rest.find("l1d", "leakage")->count, 10u);
  EXPECT_EQ(energies.rest.find("l1d", "read")->count, 1u);
  stats::Conservation laws;
  const energy::Account parts[] = {energies.lines.at({"a.cu", 1}), energies.lines.at({"a.cu", 2}), energies.rest};
  checkParts(model.account(kernel.counters.gpu), parts, laws);
  EXPECT_TRUE(laws.holds()) << laws.violations().front();
}

TEST_F(Model, TableOfLinesFitsEightyColumns) {
  KernelTiming kernel;
  kernel.counters.gpu = counted();
  kernel.lines[{"a.cu", 1}].warpInstructions = 4;
  const std::string table = energyTable(kernel, model, {.lines = true, .colour = false, .width = 80});
  EXPECT_NE(table.find("\nother "), std::string::npos);
  std::istringstream text(table);
  for (std::string line; std::getline(text, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST_F(Model, JsonHasTotalUnitsAndEvents) {
  TimingCounters counters;
  counters.gpu = counted();
  const stats::Json json = energyJson(model, counters, EnergyDetail::events);
  EXPECT_EQ(json.at("table"), "40nm");
  EXPECT_NEAR(json.at("seconds").get<double>(), 10 / 700e6, 1e-15);
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
