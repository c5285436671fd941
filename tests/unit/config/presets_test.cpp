#include <gtest/gtest.h>
#include <toml++/toml.h>

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

class Presets : public testing::Test {
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
  const std::set<std::string> expected = {"tesla-barra",       "fermi-avc", "fermi-esesc", "fermi-caba", "gt200-elastic",
                                          "gt200-granularity", "gtx480",    "v100",        "rtx3070"};
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
  const std::pair<const char*, double> published[] = {{"fermi-esesc", 18.0},       {"fermi-caba", 177.4}, {"gt200-elastic", 51.2},
                                                      {"gt200-granularity", 68.2}, {"gtx480", 177.4},     {"rtx3070", 448.0}};
  for (const auto& [name, gigabytes] : published) {
    const Machine machine = loadMachine(name);
    EXPECT_NEAR(2.0 * machine.memoryClockKhz * 1e3 * machine.memoryBusBits / 8 / 1e9, gigabytes, 0.05) << name;
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
  EXPECT_THROW(loadMachine("../configs"), Error);
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
