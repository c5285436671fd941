// `warpwright inject` and `--inject` as a user calls them.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/file.hpp"
#include "cli/inject/vulnerability.hpp"
#include "stats/json.hpp"

namespace warpwright::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSquares = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry squares(.param .u64 out)
{
  .reg .u32 %r<5>;
  .reg .u64 %d<3>;
  ld.param.u64 %d0, [out];
  mov.u32 %r0, %tid.x;
  mov.u32 %r3, %ctaid.x;
  mad.lo.u32 %r4, %r3, 64, %r0;
  mul.lo.u32 %r1, %r4, %r4;
  and.b32 %r2, %r1, 255;
  mul.wide.u32 %d1, %r4, 4;
  add.u64 %d2, %d0, %d1;
  st.global.u32 [%d2], %r2;
  ret;
}
)";
constexpr u32 kSquareLine = 12, kLowByteLine = 13;

class InjectCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    writeFile((folder_ / "squares.ptx").string(), kSquares);
  }
  void TearDown() override { fs::remove_all(folder_); }

  int run(const std::string& arguments) {
    const std::string command = "cd " + folder_.string() + " && env -u WARPWRIGHT_MACHINE " WARPWRIGHT_BINARY_DIR "/bin/warpwright " +
                                arguments + " >out.txt 2>err.txt";
    const int status = std::system(command.c_str());
    out = readFile((folder_ / "out.txt").string());
    err = readFile((folder_ / "err.txt").string());
    return WEXITSTATUS(status);
  }
  stats::Json json() const { return stats::Json::parse(readFile((folder_ / "faults.json").string())); }

  const fs::path folder_ = fs::temp_directory_path() / ("warpwright_inject_test_" + std::to_string(getpid()));
  std::string out, err;
};

constexpr const char* kCampaign = "inject -q --runs 60 -j 2 --json faults.json squares.ptx --grid 40 --block 64 --arg buf:u32:2560";

TEST_F(InjectCommand, TellsWhatCameOfEachFault) {
  ASSERT_EQ(run(kCampaign), 0) << err;
  const stats::Json data = json();
  EXPECT_EQ(data["faults"].size(), 60u);
  u64 sum = 0;
  for (const char* outcome : kFaultOutcomeNames) sum += data["all"][outcome].get<u64>();
  EXPECT_EQ(sum, 60u);
  u64 squares = 0, masked = 0, crashing = 0;
  for (const stats::Json& fault : data["faults"]) {
    const bool isSquare = fault["line"] == kSquareLine, isHigh = fault["bit"].get<u32>() >= 8;
    squares += isSquare;
    // Of the square only the low byte is stored.
    if (isSquare) EXPECT_EQ(fault["outcome"], isHigh ? "masked" : "silent") << fault;
    if (fault["line"] == kLowByteLine) EXPECT_EQ(fault["outcome"], "silent") << fault;
    masked += fault["outcome"] == "masked";
    crashing += fault["outcome"] == "crashing";
  }
  EXPECT_GT(squares, 2u);
  EXPECT_GT(masked, 2u);
  EXPECT_GT(crashing, 2u) << "of the address";
}

TEST_F(InjectCommand, GivesTheSameEachTime) {
  ASSERT_EQ(run(kCampaign), 0) << err;
  const stats::Json first = json();
  ASSERT_EQ(run(kCampaign), 0) << err;
  EXPECT_EQ(json(), first);
}

TEST_F(InjectCommand, ReadsItsPlacesBack) {
  ASSERT_EQ(run(kCampaign), 0) << err;
  const std::string at = json()["faults"][0]["at"].get<std::string>();
  run("kernel -q --inject at=" + at + " --json run.json squares.ptx --grid 40 --block 64 --arg buf:u32:2560");
  const stats::Json one = stats::Json::parse(readFile((folder_ / "run.json").string()));
  EXPECT_EQ(one["injection"]["faults"].size(), 1u);
  EXPECT_EQ(one["injection"]["faults"][0]["where"], json()["faults"][0]["where"]);
}

TEST_F(InjectCommand, RefusesWhatMakesNoSense) {
  EXPECT_EQ(run("inject --in results squares.ptx"), 1);
  EXPECT_NE(err.find("did you mean 'result'?"), std::string::npos) << err;
  EXPECT_NE(run("kernel --inject rate=2 squares.ptx --grid 40 --block 64 --arg buf:u32:2560"), 0);
  EXPECT_NE(err.find("from 0 to 1"), std::string::npos) << err;
  EXPECT_EQ(run("inject --runs 100000 squares.ptx --grid 40 --block 64 --arg buf:u32:2560"), 1);
  EXPECT_NE(err.find("there are places for"), std::string::npos) << err;
  EXPECT_EQ(run("inject"), 2);
}

TEST(Vulnerability, LeavesTimesOutOfOutputs) {
  EXPECT_EQ(withoutTimes("kernels: 54.596 ms\nsum: 12\n"), withoutTimes("kernels: 3 ms\nsum: 12\n"));
  EXPECT_NE(withoutTimes("sum: 12\n"), withoutTimes("sum: 13\n"));
}

}  // namespace
}  // namespace warpwright::cli
