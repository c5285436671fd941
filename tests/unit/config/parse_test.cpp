#include <gtest/gtest.h>

#include <string>

#include "base/error.hpp"
#include "config/fields.hpp"
#include "config/machine.hpp"

namespace warpwright::config {
namespace {

Error errorOf(const std::string& toml) {
  try {
    parseMachine(toml, "m.toml");
  } catch (const Error& error) {
    return error;
  }
  return Error("no error");
}

TEST(ParseMachine, AnEmptyFileIsTheDefaultMachine) {
  Machine expected;
  expected.name = "tiny";
  EXPECT_EQ(parseMachine("", "folder/tiny.toml"), expected);
}

TEST(ParseMachine, ReadsEveryKindOfField) {
  const Machine machine = parseMachine(
      "name = \"mine\"\n[chip]\nmultiprocessors = 15\nglobal_memory_bytes = 34_359_738_368\n[sm]\nreconvergence = \"stack\"\n", "m.toml");
  EXPECT_EQ(machine.name, "mine");
  EXPECT_EQ(machine.multiprocessors, 15u);
  EXPECT_EQ(machine.globalMemoryBytes, u64{32} << 30);
  EXPECT_EQ(machine.reconvergence, "stack");
  EXPECT_EQ(machine.warpSize, 32u);
}

TEST(ParseMachine, NamesTheNearestKeyAndThePosition) {
  const Error error = errorOf("[sm]\n\nwarpsize = 32\n");
  EXPECT_EQ(error.where().text(), "m.toml:3:1");
  EXPECT_EQ(error.message(), "unknown key 'sm.warpsize'");
  EXPECT_EQ(error.remedy(), "did you mean 'sm.warp_size'?");
}

TEST(ParseMachine, RejectsUnknownSections) {
  EXPECT_EQ(errorOf("[sn]\nwarps = 1\n").where().text(), "m.toml:1:2");
  EXPECT_EQ(errorOf("sm = 3\n").message(), "'sm' is a section");
}

TEST(ParseMachine, RejectsValuesOutOfRange) {
  EXPECT_EQ(errorOf("[sm]\nwarp_size = 128\n").message(), "sm.warp_size = 128 is out of range: 4 to 64, a power of two");
  EXPECT_EQ(errorOf("[sm]\nwarp_size = 128\n").where().text(), "m.toml:2:13");
  EXPECT_EQ(errorOf("[sm]\nwarp_size = -4\n").message(), "sm.warp_size = -4 is out of range: 4 to 64, a power of two");
  EXPECT_EQ(errorOf("[chip]\nmultiprocessors = 4294967297\n").message(), "chip.multiprocessors = 4294967297 is out of range: 1 to 4096");
  EXPECT_NE(errorOf("[sm]\nreconvergence = \"none\"\n").message().find("`independent` or `stack`"), std::string::npos);
}

TEST(ParseMachine, WarpSizesArePowersOfTwoFrom4To64) {
  for (u32 size = 0; size <= 130; ++size) {
    const bool good = size == 4 || size == 8 || size == 16 || size == 32 || size == 64;
    const std::string toml = "[sm]\nthreads_per_block = 64\nwarp_size = " + std::to_string(size) + "\n";
    EXPECT_EQ(errorOf(toml).message() == "no error", good) << size;
  }
}

TEST(ParseMachine, RejectsWrongTypes) {
  EXPECT_EQ(errorOf("[sm]\nwarps = \"many\"\n").message(), "sm.warps must be an integer");
  EXPECT_EQ(errorOf("[sm]\nwarps = 4.0\n").message(), "sm.warps must be an integer");
  EXPECT_EQ(errorOf("[sm]\nreconvergence = 1\n").message(), "sm.reconvergence must be a string");
}

TEST(ParseMachine, ChecksFieldsAgainstEachOther) {
  const Error error = errorOf("[sm]\nwarps = 8\nthreads_per_block = 512\n");
  EXPECT_EQ(error.where().text(), "m.toml:3:21");
  EXPECT_NE(error.message().find("sm.warps x sm.warp_size"), std::string::npos);
  EXPECT_NE(errorOf("[sm]\nshared_bytes = 1024\n").message(), "no error");
  EXPECT_NE(errorOf("[sm]\nregisters = 32769\n").message(), "no error");
}

TEST(ParseMachine, RejectsMalformedText) {
  EXPECT_EQ(errorOf("[sm\nwarps = 8\n").where().line, 1u);
  EXPECT_EQ(errorOf("[sm]\nwarps = 8\nwarps = 9\n").where().line, 3u);
}

TEST(ToToml, IsReadBackUnchanged) {
  Machine machine;
  machine.name = "a \"quoted\" name\\";
  machine.description = "tab\there";
  machine.warpSize = 64;
  machine.globalMemoryBytes = u64{1} << 40;
  machine.reconvergence = "stack";
  EXPECT_EQ(parseMachine(toToml(machine), "other.toml"), machine);
}

TEST(Validate, AcceptsTheDefaultsAndNothingOutOfRange) {
  Machine machine;
  EXPECT_NO_THROW(validate(machine));
  machine.warpSize = 12;
  EXPECT_THROW(validate(machine), Error);
}

}  // namespace
}  // namespace warpwright::config
