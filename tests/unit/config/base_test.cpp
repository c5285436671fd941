// One machine file on top of another.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/error.hpp"
#include "config/machine.hpp"

namespace warpwright::config {
namespace {

class Base : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }

  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / ("base_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(Base, GivesWhatTheFileLeavesOpen) {
  write("lower.toml", "description = \"below\"\n[sm]\nwarps = 64\nblocks = 32\n");
  const Machine machine = loadMachine(write("upper.toml", "base = \"./lower.toml\"\n[sm]\nwarps = 40\n"));
  EXPECT_EQ(machine.warpsPerSm, 40u);
  EXPECT_EQ(machine.blocksPerSm, 32u);
  EXPECT_EQ(machine.name, "upper") << "a name is not inherited";
  EXPECT_EQ(machine.description, "below");
}

TEST_F(Base, ReachesOverSeveralFiles) {
  write("a.toml", "[sm]\nwarps = 20\nblocks = 3\nthreads_per_block = 128\n");
  write("b.toml", "base = \"./a.toml\"\n[sm]\nblocks = 4\n");
  const Machine machine = loadMachine(write("c.toml", "base = \"./b.toml\"\n[sm]\nwarps = 22\n"));
  EXPECT_EQ(machine.warpsPerSm, 22u);
  EXPECT_EQ(machine.blocksPerSm, 4u);
  EXPECT_EQ(machine.threadsPerBlock, 128u);
}

TEST_F(Base, RulesHoldForTheResult) {
  write("lower.toml", "[sm]\nwarps = 48\nthreads_per_block = 1024\n");
  try {
    loadMachine(write("upper.toml", "base = \"./lower.toml\"\n[sm]\nwarps = 8\n"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(),
              "sm.threads_per_block = 1024, sm.warps = 8, sm.warp_size = 32: the largest block must fit on an SM: at most sm.warps x "
              "sm.warp_size threads");
    EXPECT_TRUE(error.where().text().ends_with("upper.toml:3:9")) << error.where().text();
  }
}

TEST_F(Base, ErrorsNameTheFileTheyAreIn) {
  write("lower.toml", "[sm]\nwarp = 48\n");
  try {
    loadMachine(write("upper.toml", "base = \"./lower.toml\"\n"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_TRUE(error.where().text().ends_with("lower.toml:2:1")) << error.where().text();
  }
}

TEST_F(Base, MayNotBeTheFileItself) {
  write("a.toml", "base = \"./b.toml\"\n");
  const std::string b = write("b.toml", "base = \"./a.toml\"\n");
  try {
    loadMachine(b);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "'./b.toml' is the base of itself");
  }
}

TEST_F(Base, MustExist) {
  EXPECT_THROW(loadMachine(write("a.toml", "base = \"./nowhere.toml\"\n")), Error);
  EXPECT_THROW(loadMachine(write("b.toml", "base = \"gtx48\"\n")), Error);
  EXPECT_THROW(loadMachine(write("c.toml", "base = 480\n")), Error);
}

}  // namespace
}  // namespace warpwright::config
