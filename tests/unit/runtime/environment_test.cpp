#include "runtime/environment.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.hpp"

namespace warpwright::runtime {
namespace {

class EnvironmentTest : public ::testing::Test {
 protected:
  void SetUp() override { clear(); }
  void TearDown() override { clear(); }
  static void clear() {
    for (const auto& variable : kVariables) unsetenv(variable.name);
  }
  static void set(const EnvironmentVariable& variable, const char* value) { setenv(variable.name, value, 1); }
};

TEST_F(EnvironmentTest, Defaults) {
  const Environment environment = readEnvironment();
  EXPECT_EQ(environment.machine, "v100");
  EXPECT_FALSE(environment.checks.races || environment.checks.uninitialised);
  EXPECT_FALSE(environment.checks.synchronisation || environment.checks.neighbours);
  EXPECT_EQ(environment.checks.onFault, exec::OnFault::stop);
  EXPECT_EQ(environment.addressBits, std::nullopt);
  EXPECT_FALSE(environment.report.quiet || environment.report.lines);
}

TEST_F(EnvironmentTest, EveryVariable) {
  set(kMachineVariable, "gtx480");
  set(kSetVariable, "sm.warps=32;name=\"a=b\";");
  set(kJsonVariable, "out.json");
  set(kLinesVariable, "1");
  set(kQuietVariable, "1");
  set(kCheckVariable, "races,uninitialised");
  set(kOnFaultVariable, "warn");
  set(kAddressBitsVariable, "32");
  set(kDumpVariable, "dump");
  set(kMaxRegistersVariable, "24");
  set(kSpillFirstVariable, "affine");
  const Environment environment = readEnvironment();
  EXPECT_EQ(environment.machine, "gtx480");
  EXPECT_EQ(environment.overrides, (std::vector<std::string>{"sm.warps=32", "name=\"a=b\""}));
  EXPECT_EQ(environment.report.jsonFile, "out.json");
  EXPECT_TRUE(environment.report.lines && environment.report.quiet);
  EXPECT_TRUE(environment.checks.races && environment.checks.uninitialised);
  EXPECT_FALSE(environment.checks.synchronisation || environment.checks.neighbours);
  EXPECT_EQ(environment.checks.onFault, exec::OnFault::warn);
  EXPECT_EQ(environment.addressBits, 32u);
  EXPECT_EQ(environment.dumpFolder, "dump");
  EXPECT_EQ(environment.maxRegisters, 24u);
  EXPECT_EQ(environment.spillPolicy, compiler::SpillPolicy::affineFirst);
}

TEST_F(EnvironmentTest, RefusesOtherValues) {
  set(kAddressBitsVariable, "48");
  EXPECT_THROW(readEnvironment(), Error);
  clear();
  set(kQuietVariable, "yes");
  EXPECT_THROW(readEnvironment(), Error);
  for (const char* number : {"0", "-1", "12x", "many"}) {
    clear();
    set(kMaxRegistersVariable, number);
    EXPECT_THROW(readEnvironment(), Error) << number;
  }
  clear();
  set(kSpillFirstVariable, "none");
  EXPECT_THROW(readEnvironment(), Error);
  clear();
  set(kOnFaultVariable, "ignore");
  EXPECT_THROW(readEnvironment(), Error);
}

// Programs that run on their own have no command line that would show whose value it was.
TEST_F(EnvironmentTest, WhatIsRefusedIsNamed) {
  u32 refused = 0;
  for (const EnvironmentVariable& variable : kVariables) {
    clear();
    set(kTimedVariable, "1");
    set(kPcHistogramVariable, "2:5");
    set(variable, "?!");
    try {
      readEnvironment();
    } catch (const Error& error) {
      ++refused;
      EXPECT_TRUE(error.message().starts_with(std::string(variable.name) + "=?!")) << error.message();
      EXPECT_FALSE(error.remedy().empty()) << variable.name;
    }
  }
  EXPECT_GT(refused, 20u) << "the others take any text";
}

TEST_F(EnvironmentTest, ErrorsOfSamples) {
  EXPECT_EQ(readEnvironment().sampleError, std::nullopt);
  set(kSampleVariable, "2.5%");
  EXPECT_DOUBLE_EQ(readEnvironment().sampleError.value(), 0.025);
  for (const char* text : {"3", "%", "0%", "-1%", "101%", "x%", "1 %", "nan%"}) EXPECT_THROW(parseSampleError(text), Error) << text;
}

// They would be made of a launch that runs twice.
TEST_F(EnvironmentTest, SamplesHaveNoChecksAndNoFaults) {
  set(kMachineVariable, "gtx480");
  set(kTimedVariable, "1");
  set(kSampleVariable, "3%");
  set(kQuietVariable, "1");
  const Settings settings = settingsFrom(readEnvironment(), 64);
  EXPECT_DOUBLE_EQ(settings.sampleError.value(), 0.03);
  EXPECT_TRUE(settings.profile) << "launches are compared by it";
  set(kCheckVariable, "races");
  EXPECT_THROW(settingsFrom(readEnvironment(), 64), Error);
  set(kCheckVariable, "none");
  set(kInjectVariable, "seed=1,rate=1e-6,in=result");
  EXPECT_THROW(settingsFrom(readEnvironment(), 64), Error);
  set(kTimedVariable, "0");
  set(kInjectVariable, "");
  set(kCheckVariable, "races");
  EXPECT_NO_THROW(settingsFrom(readEnvironment(), 64));
}

TEST_F(EnvironmentTest, PcHistograms) {
  EXPECT_FALSE(readEnvironment().pcHistogram);
  set(kPcHistogramVariable, "2:5");
  ASSERT_TRUE(readEnvironment().pcHistogram);
  EXPECT_EQ(readEnvironment().pcHistogram->interval, 128u);
  set(kPcIntervalVariable, "64");
  const machines::PcHistogramSettings settings = *readEnvironment().pcHistogram;
  EXPECT_EQ(settings.sm, 2u);
  EXPECT_EQ(settings.block, 5u);
  EXPECT_EQ(settings.interval, 64u);
  set(kPcIntervalVariable, "0");
  EXPECT_THROW(readEnvironment(), Error);
  clear();
  set(kPcHistogramVariable, "all");
  EXPECT_THROW(readEnvironment(), Error);
  clear();
  set(kPcHistogramVariable, "80");
  EXPECT_THROW(settingsFrom(readEnvironment(), 64), Error) << "the V100 has 80 SMs, from 0 on";
}

TEST_F(EnvironmentTest, AllIsEveryCheck) {
  const exec::Checks checks = parseChecks("none,all");
  EXPECT_TRUE(checks.races && checks.uninitialised && checks.synchronisation && checks.neighbours);
  EXPECT_TRUE(parseChecks("synchronization").synchronisation);
}

TEST_F(EnvironmentTest, NamesTheNearestCheck) {
  try {
    parseChecks("race");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("races"), std::string::npos);
  }
}

}  // namespace
}  // namespace warpwright::runtime
