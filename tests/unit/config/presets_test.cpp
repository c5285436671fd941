#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "base/error.hpp"
#include "config/fields.hpp"
#include "config/machine.hpp"

namespace warpwright::config {
namespace {

const std::string kSource = WARPWRIGHT_SOURCE_DIR;

std::string readFile(const std::string& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class Presets : public ::testing::Test {
 protected:
  void SetUp() override { setenv("WARPWRIGHT_CONFIGS", (kSource + "/configs").c_str(), 1); }
  void TearDown() override { unsetenv("WARPWRIGHT_CONFIGS"); }
};

TEST_F(Presets, AllLoadUnderTheNameOfTheirFile) {
  std::set<std::string> names;
  for (const Machine& machine : presetMachines()) {
    names.insert(machine.name);
    EXPECT_EQ(loadMachine(machine.name), machine);
    EXPECT_FALSE(machine.description.empty()) << machine.name;
    EXPECT_EQ(parseMachine(toToml(machine), "dump"), machine) << machine.name;
  }
  const std::set<std::string> expected = {"tesla-barra",
                                          "fermi-avc",
                                          "fermi-avc-40",
                                          "fermi-avc-32",
                                          "fermi-avc-24",
                                          "fermi-esesc",
                                          "fermi-caba",
                                          "fermi-caba-half",
                                          "fermi-caba-double",
                                          "gt200-elastic",
                                          "gt200-granularity",
                                          "gtx480",
                                          "h100",
                                          "h100-modern",
                                          "v100",
                                          "rtx3070",
                                          "a100",
                                          "rtx4090",
                                          "b200"};
  EXPECT_EQ(names, expected);
}

// A file that stands alone leaves nothing to defaults, which may change. Caches that are not there need no more than their size,
// and caches that are only read no write policies.
TEST_F(Presets, WriteOutEveryField) {
  for (const Machine& machine : presetMachines()) {
    const toml::table file = toml::parse_file(kSource + "/configs/" + machine.name + ".toml");
    if (file.contains("base")) continue;
    for (const Section& section : sections()) {
      if (!applies(section, machine)) continue;
      const bool isCache = section.list == "caches";
      const bool isAbsent = isCache && file.at_path(section.name + ".bytes").value_or(0) == 0;
      const bool isReadOnly = isCache && !std::set<std::string>{"l1d", "l2", "llc"}.contains(section.name);
      for (const Field& field : section.fields) {
        if ((isAbsent && field.name != "bytes") || (isReadOnly && field.name.ends_with("_writes"))) continue;
        EXPECT_TRUE(file.at_path(field.key())) << machine.name << " leaves " << field.key() << " to its default";
      }
    }
  }
}

TEST_F(Presets, OnlyVoltaAndLaterScheduleThreadsIndependently) {
  for (const Machine& machine : presetMachines()) {
    EXPECT_EQ(machine.reconvergence, machine.computeMajor >= 7 ? "independent" : "stack") << machine.name;
  }
}

// Peak bandwidths that the publications print, in GB/s; 2 x clock x bus / 8 as CUDA defines its memory clock.
TEST_F(Presets, HaveThePublishedBandwidth) {
  const std::pair<const char*, double> published[] = {
      {"fermi-esesc", 18.0},   {"fermi-caba", 177.4},       {"fermi-caba-half", 88.7}, {"fermi-caba-double", 354.8},
      {"gt200-elastic", 51.2}, {"gt200-granularity", 68.2}, {"gtx480", 177.4},         {"rtx3070", 448.0},
      {"a100", 1555.2},        {"rtx4090", 1008.0},         {"b200", 8000.0}};
  for (const auto& [name, gigabytes] : published) {
    const Machine machine = loadMachine(name);
    EXPECT_NEAR(2.0 * machine.memoryClockKhz * 1e3 * machine.memoryBusBits / 8 / 1e9, gigabytes, 0.05) << name;
    const Dram& dram = machine.dram;
    EXPECT_NEAR(1e3 * dram.clockKhz * dram.dataRate * dram.busBytes * dram.channels / 1e9, gigabytes, 0.05) << name;
  }
}

TEST_F(Presets, AllButTheFunctionalMachineAreTimed) {
  for (const Machine& machine : presetMachines()) {
    if (machine.name == "tesla-barra") {
      EXPECT_THROW(requireTimed(machine), Error);
    } else {
      EXPECT_NO_THROW(requireTimed(machine)) << machine.name;
    }
  }
}

// Of machines that were made from public figures: lanes for fp32 of an SM, bytes of its shared memory (CUDA C++ Programming Guide),
// megabytes of L2 (NVIDIA's whitepapers; of B200 as measured by Chips and Cheese).
TEST_F(Presets, PublicFigures) {
  struct Figures {
    const char* name;
    u32 lanes, sharedKilobytes, l2Megabytes;
  };
  for (const auto& [name, lanes, sharedKilobytes, l2Megabytes] :
       {Figures{"a100", 64, 164, 40}, Figures{"rtx4090", 128, 100, 72}, Figures{"b200", 128, 228, 126}}) {
    const Machine machine = loadMachine(name);
    EXPECT_EQ(machine.sm.fp32.count * machine.sm.fp32.width, lanes) << name;
    EXPECT_EQ(machine.sharedBytesPerSm, sharedKilobytes * 1024) << name;
    EXPECT_EQ(machine.l2CacheBytes, u64{l2Megabytes} << 20) << name;
    EXPECT_EQ(machine.l2.bytes * machine.partition.slices * machine.dram.channels, machine.l2CacheBytes) << name;
  }
}

u64 setsOf(const Cache& cache) { return cache.bytes / (u64{cache.ways} * cache.lineBytes); }

// Table 3 of the affine vector cache study: the L1 loses as many ways as it loses multiples of 8 KB, and keeps its 64 sets.
TEST_F(Presets, AffineVectorCacheStudy) {
  const std::pair<const char*, u32> ways[] = {{"fermi-avc", 6}, {"fermi-avc-40", 5}, {"fermi-avc-32", 4}, {"fermi-avc-24", 3}};
  for (const auto& [name, expected] : ways) {
    const Machine machine = loadMachine(name);
    EXPECT_EQ(machine.l1d.bytes, expected * u64{8192}) << name;
    EXPECT_EQ(machine.l1d.ways, expected) << name;
    EXPECT_EQ(setsOf(machine.l1d), 64u) << name;
    EXPECT_EQ(machine.l1d.replacement, "tree_plru") << name;
    EXPECT_EQ(machine.l2.bytes, 0u) << name;
    EXPECT_EQ(u64{machine.registersPerSm}, 512u * machine.warpSize) << name;
  }
}

// Table 1 of the tiny cache study.
TEST_F(Presets, TinyCacheStudy) {
  const Machine machine = loadMachine("fermi-esesc");
  EXPECT_EQ(setsOf(machine.l1d), 32u * 1024 / (8 * 128));
  EXPECT_EQ(setsOf(machine.l2), 256u * 1024 / (16 * 128));
  EXPECT_EQ(setsOf(machine.llc), 8u * 1024 * 1024 / (32 * 128));
  EXPECT_EQ(machine.l1d.hitLatency, 18u);
  EXPECT_EQ(machine.l2.hitLatency, 7u);
  EXPECT_EQ(machine.llc.hitLatency, 14u);
  EXPECT_EQ(machine.sm.sharedLatency, 18u);
  EXPECT_EQ(machine.l1d.globalWrites, WritePolicy::writeBack);
  EXPECT_EQ(machine.sm.scheduler, "switch_on_memory");
  const Dram& dram = machine.dram;
  const double nanoseconds = 1e6 * (dram.tRCD + dram.tCL + dram.burstLength / dram.dataRate) / dram.clockKhz;
  EXPECT_NEAR(nanoseconds, 50, 1);
}

// Table 1 of the assist warp study.
TEST_F(Presets, AssistWarpStudy) {
  const Machine machine = loadMachine("fermi-caba");
  EXPECT_EQ(machine.multiprocessors, 15u);
  EXPECT_EQ(machine.network.clockKhz, 1'400'000u);
  EXPECT_EQ(setsOf(machine.l1d), 16u * 1024 / (4 * 128));
  EXPECT_EQ(machine.l2.ways, 16u);
  EXPECT_EQ(machine.l2.bytes * machine.partition.slices * machine.dram.channels, 768u * 1024);
  const Dram& d = machine.dram;
  EXPECT_EQ((std::array{d.tCL, d.tRP, d.tRC, d.tRAS, d.tRCD, d.tRRD, d.tWTR, d.tWR}), (std::array<u32, 8>{12, 12, 40, 28, 12, 6, 5, 12}));
  EXPECT_EQ(d.banks, 16u);
  EXPECT_EQ(d.scheduler, "fr_fcfs");
}

// Tables 5.4 and 6.2 of Gou's thesis.
TEST_F(Presets, ThesisOnMemorySchemes) {
  const Machine elastic = loadMachine("gt200-elastic"), granularity = loadMachine("gt200-granularity");
  EXPECT_EQ(elastic.sm.scheduler, "strict_barrel");
  EXPECT_EQ(elastic.sm.fp32, (Pipes{1, 8}));
  EXPECT_EQ(elastic.network.topology, Topology::crossbar);
  EXPECT_EQ(elastic.network.flitBytes, 32u);
  EXPECT_EQ(elastic.dram.rowBytes, 2u * 2048);
  EXPECT_EQ(granularity.l1d.bytes, 0u);
  EXPECT_EQ((std::array{granularity.l1d.mshrs, granularity.l1d.mergesPerMshr, granularity.l1d.lineBytes}), (std::array<u32, 3>{64, 2, 32}));
  EXPECT_EQ(granularity.sm.coalescing, Coalescing::subWarpBlocks);
  EXPECT_EQ(granularity.sm.loadStore.width, 8u);
  EXPECT_TRUE(granularity.sm.cacheGlobalLoads);
  EXPECT_EQ(granularity.dram.interleaveBytes, 256u);
  const Network& n = granularity.network;
  EXPECT_EQ(n.topology, Topology::butterfly);
  EXPECT_EQ((std::array{n.radix, n.stages, n.flitBytes, n.virtualChannels, n.buffersPerChannel}), (std::array<u32, 5>{2, 5, 16, 2, 8}));
  EXPECT_EQ(n.clockKhz, 602'000u);
  const Dram& d = granularity.dram;
  EXPECT_EQ((std::array{d.tCL, d.tRP, d.tRC, d.tRAS, d.tRCD, d.tRRD, d.requestQueue}), (std::array<u32, 7>{12, 12, 41, 29, 14, 10, 32}));
}

// Public configurations, timings in the order of the table: CCD RRD RCD RAS RP RC CL WL CDLR WR CCDL RTPL.
TEST_F(Presets, PublicTimings) {
  const std::pair<const char*, std::array<u32, 12>> published[] = {{"gtx480", {2, 6, 12, 28, 12, 40, 12, 4, 5, 12, 3, 2}},
                                                                   {"v100", {1, 3, 12, 28, 12, 40, 12, 2, 3, 10, 2, 3}},
                                                                   {"rtx3070", {4, 12, 24, 55, 24, 78, 24, 8, 10, 24, 6, 4}}};
  for (const auto& [name, expected] : published) {
    const Dram d = loadMachine(name).dram;
    EXPECT_EQ((std::array{d.tCCD, d.tRRD, d.tRCD, d.tRAS, d.tRP, d.tRC, d.tCL, d.tWL, d.tWTR, d.tWR, d.tCCDL, d.tRTP}), expected) << name;
  }
}

TEST_F(Presets, AMisspeltNameIsExplained) {
  try {
    loadMachine("gtx48");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.remedy(), "did you mean 'gtx480'?");
  }
  EXPECT_THROW(loadMachine("/nowhere/at/all.toml"), Error);
  EXPECT_THROW(loadMachine(""), Error);
  EXPECT_THROW(loadMachine(configFolder()), Error) << "a folder";
}

TEST_F(Presets, AFolderThatIsMissingIsExplained) {
  setenv("WARPWRIGHT_CONFIGS", "/nowhere", 1);
  EXPECT_EQ(configFolder(), "/nowhere");
  EXPECT_THROW(presetMachines(), Error);
}

TEST(ConfigFolder, IsFoundWithoutTheEnvironment) {
  unsetenv("WARPWRIGHT_CONFIGS");
  EXPECT_FALSE(presetMachines().empty());
}

TEST(MachineReference, IsCurrent) {
  EXPECT_EQ(readFile(kSource + "/docs/machines.md"), machineReference()) << "run: bin/machine-reference > docs/machines.md";
}

}  // namespace
}  // namespace warpwright::config
