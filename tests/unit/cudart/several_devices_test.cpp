// A program with two devices (programs/devices.cu), run as users run it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command_result.hpp"

namespace {

class SeveralDevices : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("warpwright_devices_test_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  nlohmann::json read(const std::string& name) const { return nlohmann::json::parse(std::ifstream(file(name))); }

  std::filesystem::path folder_;
};

TEST_F(SeveralDevices, HaveMemoryVariablesStreamsAndResetsOfTheirOwn) {
  const Result result = run(kCommand + "run --quiet --devices 2 " DEVICES);
  EXPECT_EQ(result.output, "0 failures\n") << result.errors;
  EXPECT_EQ(result.status, 0);
}

TEST_F(SeveralDevices, AreTimedEach) {
  const std::string options = "run -m gtx480 --devices 2 --json " + file("out.json") + " --csv " + file("out.csv") + " ";
  const Result result = run(kCommand + options + DEVICES);
  EXPECT_EQ(result.output, "0 failures\n") << result.errors;
  EXPECT_TRUE(contains(result.errors, "== device 0")) << result.errors;
  EXPECT_TRUE(contains(result.errors, "== device 1")) << result.errors;
  for (const char* name : {"out.json", "out.device1.json"}) EXPECT_TRUE(contains(read(name).dump(), "\"cycles\"")) << name;
  EXPECT_TRUE(std::filesystem::exists(file("out.device1.csv")));
}

TEST_F(SeveralDevices, GiveTheSameTimesWithAnyNumberOfThreads) {
  run(kCommand + "run --quiet -m gtx480 --devices 2 --csv " + file("one.csv") + " " DEVICES " streams");
  run(kCommand + "run --quiet -m gtx480 --devices 2 --threads 3 --csv " + file("three.csv") + " " DEVICES " streams");
  const auto text = [&](const std::string& name) {
    std::ostringstream all;
    all << std::ifstream(file(name)).rdbuf();
    return all.str();
  };
  EXPECT_FALSE(text("one.csv").empty());
  for (const std::string device : {"", ".device1"}) EXPECT_TRUE(text("one" + device + ".csv") == text("three" + device + ".csv")) << device;
}

TEST_F(SeveralDevices, DoNotReachEachOthersMemoryFromKernels) {
  const Result result = run(kCommand + "run --quiet --devices 2 " DEVICES " foreign");
  EXPECT_EQ(result.status, 3) << result.errors;
  EXPECT_TRUE(contains(result.errors, "device 0: kernel 'add(")) << result.errors;
  EXPECT_TRUE(contains(result.errors, "in the memory of another device")) << result.errors;
  EXPECT_TRUE(contains(result.errors, "cudaMemcpyPeer")) << result.errors;
}

TEST_F(SeveralDevices, AreRefusedWhereTheyCannotBe) {
  EXPECT_EQ(run(kCommand + "run --devices 17 " DEVICES).status, 2);
  EXPECT_EQ(run(kCommand + "run --devices 2 -m gtx480 --checkpoint " + file("a.ckpt") + " " DEVICES).status, 2);
  const Result result = run("WARPWRIGHT_DEVICES=two " DEVICES);
  EXPECT_NE(result.status, 0);
  EXPECT_TRUE(contains(result.errors, "WARPWRIGHT_DEVICES")) << result.errors;
}

}  // namespace
