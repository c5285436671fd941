#include "energy/event_energies.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "energy/events.hpp"
#include "energy/machine_arrays.hpp"

namespace warpwright::energy {
namespace {

// Two SMs and two partitions with one slice each, no last level.
config::Machine smallMachine() {
  config::Machine machine;
  machine.name = "small";
  machine.multiprocessors = 2;
  machine.coreClockKhz = 1'000'000;
  machine.l1d.bytes = 16384;
  machine.l1i = {.bytes = 2048, .ways = 4, .lineBytes = 128, .sectorBytes = 128};
  machine.l1c = {.bytes = 8192, .ways = 2, .lineBytes = 64, .sectorBytes = 64};
  machine.l15c = {.bytes = 32768, .ways = 4, .lineBytes = 64, .sectorBytes = 64};
  machine.textureCache.bytes = 12288;
  machine.textureCache.ways = 24;
  machine.l2 = {.bytes = 65536, .ways = 8, .lineBytes = 128, .sectorBytes = 32};
  machine.dram.channels = 2;
  machine.dram.clockKhz = 500'000;
  return machine;
}

class EventEnergiesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("WARPWRIGHT_CONFIGS", (std::string(WARPWRIGHT_SOURCE_DIR) + "/configs").c_str(), 1);
    table = loadTable("40nm");
  }
  const Energy& of(const EventEnergies& energies, std::string_view path) {
    const Energy* energy = energies.find(path);
    if (energy == nullptr) throw Error("no " + std::string(path));
    return *energy;
  }

  Table table;
};

TEST_F(EventEnergiesTest, EveryEventCostsSomethingWhereThereIsThePart) {
  config::Machine machine = smallMachine();
  machine.llc = machine.l2;
  const EventEnergies energies(table, machine);
  for (const Event& event : events()) {
    const Energy* energy = energies.find(event.path());
    ASSERT_NE(energy, nullptr) << event.path();
    EXPECT_GT(energy->low, 0) << event.path();
    EXPECT_LE(energy->low, energy->value) << event.path();
    EXPECT_LE(energy->value, energy->high) << event.path();
  }
  EXPECT_EQ(energies.all().size(), events().size());
}

TEST_F(EventEnergiesTest, PartsThatAreNotThereHaveNone) {
  const EventEnergies energies(table, smallMachine());
  EXPECT_EQ(energies.find("llc.tag"), nullptr);
  EXPECT_EQ(energies.find("llc.leakage"), nullptr);
  EXPECT_NE(energies.find("l2.tag"), nullptr);
}

// 310 pJ for 256 bits over 10 mm: 0.12109 pJ a bit and mm.
TEST_F(EventEnergiesTest, WiresGoByBitsAndLengths) {
  config::Machine machine = smallMachine();
  machine.sm.collectors = 0;
  machine.network.flitBytes = 32;
  const EventEnergies energies(table, machine);
  EXPECT_NEAR(of(energies, "operand_collector.operand").value, 32 * 32 * 0.121e-12, 1e-16);
  EXPECT_NEAR(of(energies, "data_crossbar.cache_word").value, 32 * 2 * 0.121e-12, 1e-16);
  EXPECT_NEAR(of(energies, "network.link").value, 256 * 15 * 0.121e-12, 1e-15);
  // Both ranges at their ends: 0.24 pJ a bit and mm, 3 mm.
  EXPECT_NEAR(of(energies, "data_crossbar.shared_word").high, 32 * 3 * 0.24e-12, 1e-16);
}

TEST_F(EventEnergiesTest, ArraysGoByTheMachinesSizes) {
  config::Machine machine = smallMachine();
  const EventEnergies energies(table, machine);
  EXPECT_EQ(of(energies, "register_file.read"), estimate({131072, 1024, 16, 1}, 40).read);
  EXPECT_EQ(of(energies, "shared_memory.write"), estimate({49152, 32, 32, 1}, 40).write);
  EXPECT_EQ(of(energies, "l2.read"), estimate({65536, 256, 1, 1}, 40).read);
  machine.l2.bytes *= 4;
  EXPECT_GT(of(EventEnergies(table, machine), "l2.read").value, of(energies, "l2.read").value);
}

// Eight ways of four sectors share a word of the tags.
TEST_F(EventEnergiesTest, FillsWriteTheirShareOfATag) {
  const config::Machine machine = smallMachine();
  const EventEnergies energies(table, machine);
  const Energy data = estimate(dataOf(machine.l2), 40).write, tag = (1.0 / 32) * estimate(tagsOf(machine.l2), 40).write;
  EXPECT_DOUBLE_EQ(of(energies, "l2.fill").value, data.value + tag.value);
}

// 48 warps, a byte a lane; 32 entries of MSHRs.
TEST_F(EventEnergiesTest, EntriesAreWrittenAndReadAgain) {
  const config::Machine machine = smallMachine();
  const EventEnergies energies(table, machine);
  const SramEstimate pending = estimate({48 * 32, 256, 1, 1}, 40), mshrs = estimate(mshrsOf(machine.l2), 40);
  EXPECT_EQ(of(energies, "coalescer.access"), pending.write + pending.read);
  EXPECT_EQ(of(energies, "l2.mshr_allocate"), mshrs.write + mshrs.read);
}

// 64 KB of lines of 128 B are 512, in 64 sets of 8 ways: 40 - 7 - 6 = 27 bits of tag, and 2 for each of 4 sectors.
TEST(MachineArrays, TagsHaveAddressAndState) {
  const Sram tags = tagsOf(smallMachine().l2);
  EXPECT_EQ(tags.wordBits, 8u * 35);
  EXPECT_EQ(tags.bytes, 512u * 35 / 8);
}

TEST(MachineArrays, MshrsAreSearchedByLine) {
  config::Cache cache = smallMachine().l2;
  cache.mshrs = 32;
  cache.mergesPerMshr = 4;
  EXPECT_EQ(searchedBits(cache), 32u * 33);
  EXPECT_EQ(mshrsOf(cache).wordBits, 33u + 4 * 16);
}

// Two SMs with 128 KB of registers each; two partitions with a slice of 64 KB, its 512 x 35 bits of tags and its MSHRs.
TEST(MachineArrays, AreThoseOfTheWholeChip) {
  const config::Machine machine = smallMachine();
  const Footprint registers = footprintOf(arraysOf("register_file", machine), 40);
  EXPECT_EQ(registers.bytes, 2u * 131072);
  EXPECT_DOUBLE_EQ(registers.area.value, 2 * estimate({131072, 1024, 16, 1}, 40).area.value);
  const Arrays slices = arraysOf("l2", machine);
  EXPECT_EQ(slices.instances, 2u);
  EXPECT_EQ(footprintOf(slices, 40).bytes, 2u * (65536 + 512 * 35 / 8 + mshrsOf(machine.l2).bytes));
  for (const char* none : {"llc", "dram", "pipe", "no such unit"}) {
    EXPECT_EQ(arraysOf(none, machine).instances, 0u) << none;
    EXPECT_EQ(footprintOf(arraysOf(none, machine), 40).area, Area{}) << none;
  }
}

TEST_F(EventEnergiesTest, LeakageIsPowerTimesACoreCycle) {
  const EventEnergies energies(table, smallMachine());
  const double watts = 2 * estimate({131072, 1024, 16, 1}, 40).leakage.value;
  EXPECT_DOUBLE_EQ(of(energies, "register_file.leakage").value, watts * 1e-9);
}

// Two partitions with three slices each.
TEST_F(EventEnergiesTest, AllArraysOfAllSlicesLeak) {
  config::Machine machine = smallMachine();
  machine.partition.slices = 3;
  const EventEnergies energies(table, machine);
  const double slice = estimate(dataOf(machine.l2), 40).leakage.value + estimate(tagsOf(machine.l2), 40).leakage.value +
                       estimate(mshrsOf(machine.l2), 40).leakage.value;
  EXPECT_NEAR(of(energies, "l2.leakage").value, 6 * slice * 1e-9, 1e-18);
}

// A channel of 8 bytes has two chips of 32 bits; 6.0 nJ an activation of one, 450 mA at 1.5 V with rows open, a tick of 2 ns.
TEST_F(EventEnergiesTest, DramHasTheChipsOfAChannel) {
  const EventEnergies energies(table, smallMachine());
  EXPECT_NEAR(of(energies, "dram.activate").value, 12e-9, 1e-14);
  EXPECT_NEAR(of(energies, "dram.open").value, 2 * 0.675 * 2e-9, 1e-15);
  // A column command moves 64 bytes: two bursts of 630 mA x 1.334 ns x 1.5 V and 256 bits at 3 pJ.
  EXPECT_NEAR(of(energies, "dram.read").value, 2 * (630 * 1.334 * 1.5 + 768) * 1e-12, 1e-14);
}

// The machine's list of kinds, in its order.
TEST(DramKinds, AreThoseOfMachines) {
  const std::vector<config::FieldInfo> fields = config::machineFields();
  const auto field = std::ranges::find(fields, "dram.kind", &config::FieldInfo::key);
  ASSERT_NE(field, fields.end());
  std::size_t at = 0;
  for (const std::string_view kind : kDramKinds) {
    at = field->range.find(kind, at);
    EXPECT_NE(at, std::string::npos) << kind << " in " << field->range;
  }
}

TEST_F(EventEnergiesTest, UnknownDramIsRefused) {
  config::Machine machine = smallMachine();
  machine.dram.kind = config::DramKind::gddr6;
  try {
    const EventEnergies energies(table, machine);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("'small'"), std::string::npos) << error.what();
    EXPECT_NE(error.remedy().find("[dram.gddr6]"), std::string::npos) << error.what();
  }
}

TEST_F(EventEnergiesTest, MshrsOfAFirstLevelCacheOfNoBytesMergeAllTheSame) {
  config::Machine machine = smallMachine();
  machine.l1d.bytes = 0;
  const EventEnergies energies(table, machine);
  const SramEstimate mshrs = estimate(mshrsOf(machine.l1d), 40);
  EXPECT_EQ(energies.find("l1d.tag"), nullptr);
  EXPECT_EQ(of(energies, "l1d.mshr_search"), searchEnergy(searchedBits(machine.l1d), 40));
  EXPECT_EQ(of(energies, "l1d.mshr_allocate"), mshrs.write + mshrs.read);
  EXPECT_DOUBLE_EQ(of(energies, "l1d.leakage").value, 2 * mshrs.leakage.value / 1e9);
  EXPECT_EQ(energies.find("llc.mshr_search"), nullptr) << "there is none";
}

TEST_F(EventEnergiesTest, FactorsScaleAUnitOrAnEvent) {
  EventEnergies energies(table, smallMachine());
  const Energy tag = of(energies, "l2.tag"), read = of(energies, "l2.read"), other = of(energies, "l1d.tag");
  energies.scale("l2", 2);
  energies.scale("l2.tag", 3);
  EXPECT_EQ(of(energies, "l2.tag"), 6 * tag);
  EXPECT_EQ(of(energies, "l2.read"), 2 * read);
  EXPECT_EQ(of(energies, "l1d.tag"), other);
  try {
    energies.scale("l3", 2);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "no event or unit is called 'l3'");
  }
}

// docs/energy.md: a row of the first table names a unit, or several, and its events; rows without a unit go on with the last.
TEST(Events, AreDocumented) {
  const std::string page = readFile(std::string(WARPWRIGHT_SOURCE_DIR) + "/docs/energy.md");
  const std::size_t first = page.find("| unit | event |");
  const std::string rows = page.substr(first, page.find("\n\n", first) - first);
  for (const Event& event : events()) {
    EXPECT_NE(rows.find("`" + event.unit + "`"), std::string::npos) << event.path();
    EXPECT_NE(rows.find("`" + event.name + "`"), std::string::npos) << event.path();
  }
}

TEST(Events, HavePathsOfTheirOwn) {
  for (const Event& event : events()) {
    EXPECT_EQ(findEvent(event.path()), &event) << event.path();
    EXPECT_FALSE(event.per.empty()) << event.path();
    EXPECT_FALSE(event.text.empty()) << event.path();
  }
  EXPECT_EQ(findEvent("pipe.nothing"), nullptr);
}

}  // namespace
}  // namespace warpwright::energy
