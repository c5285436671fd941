// A checkpoint restores launches to the same bits, without the program that made them.
#include "runtime/replay.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "machines/timing_profile.hpp"
#include "profile/profile.hpp"
#include "stats/json.hpp"

namespace warpwright::runtime {
namespace {

// data[i] = data[i] * factor, and steps counts the launches.
constexpr const char* kStep = R"(
.version 7.0
.target sm_20
.address_size 64
.const .align 4 .u32 factor = 3;
.global .align 4 .u32 steps = 0;
.visible .entry step(.param .u64 data)
{
  .reg .u32 %r<8>;
  .reg .u64 %d<4>;
  .reg .pred %p;
  ld.param.u64 %d0, [data];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  mul.wide.u32 %d1, %r3, 4;
  add.u64 %d2, %d0, %d1;
  ld.global.u32 %r4, [%d2];
  ld.const.u32 %r5, [factor];
  mul.lo.u32 %r4, %r4, %r5;
  st.global.u32 [%d2], %r4;
  setp.ne.u32 %p, %r3, 0;
  @%p ret;
  ld.global.u32 %r6, [steps];
  add.u32 %r6, %r6, 1;
  st.global.u32 [steps], %r6;
  ret;
}
)";

constexpr u32 kBlocks = 12, kReplayThreads = 64, kCount = kBlocks * kReplayThreads;

class ReplayTest : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(file); }

  Settings settings() const {
    Settings settings;
    settings.machine = config::loadMachine("gtx480", std::vector<std::string>{"chip.multiprocessors=2"});
    settings.timing.emplace();
    return settings;
  }

  static std::string timingOf(Device& device) {
    stats::Json kernels{{"kernels", {{{"name", "step"}, {"module", "step.ptx"}}}}};
    device.timing().addTo(kernels, device.profile());
    return kernels.dump(1);
  }

  static std::vector<u32> valuesAt(u64 address) {
    const auto* values = reinterpret_cast<const u32*>(exec::GlobalMemory::hostPointer(GlobalAddress(address)));
    return {values, values + kCount};
  }

  // Three launches; the host changes the data and the constant before the last, and frees and allocates in between.
  void record(Settings settings) {
    settings.checkpointFile = file;
    Device device(settings);
    exec::GlobalMemory& memory = device.memory();
    const u64 unused = memory.allocate(1000, exec::AllocationKind::device).value();
    const Module& module = device.loadModule(kStep, "step.ptx");
    data = memory.allocate(kCount * sizeof(u32), exec::AllocationKind::device).value();
    auto* values = reinterpret_cast<u32*>(exec::GlobalMemory::hostPointer(GlobalAddress(data)));
    for (u32 i = 0; i < kCount; ++i) values[i] = i;
    Launch launch;
    launch.module = &module;
    launch.kernel = module.loaded->program.findFunction("step");
    launch.grid = {kBlocks, 1, 1};
    launch.block = {kReplayThreads, 1, 1};
    launch.parameters.resize(launch.kernel->parameterBytes);
    std::memcpy(launch.parameters.data(), &data, sizeof data);
    for (u32 i = 0; i < 3; ++i) {
      if (i == 2) {
        values[5] = 1000;
        *reinterpret_cast<u32*>(exec::GlobalMemory::hostPointer(module.loaded->constantBase)) = 7;
        memory.free(GlobalAddress(unused));
        memory.allocate(5000, exec::AllocationKind::managed);
      }
      ASSERT_EQ(device.launch(launch).status, exec::LaunchStatus::completed);
      expected.push_back(valuesAt(data));
    }
    timing = timingOf(device);
  }

  std::string replayed(const Settings& settings) {
    Replay replay(file);
    Device device(settings);
    for (const std::vector<u32>& values : expected) {
      const auto outcome = replay.next(device);
      EXPECT_TRUE(outcome && outcome->status == exec::LaunchStatus::completed);
      EXPECT_EQ(valuesAt(data), values);
    }
    EXPECT_FALSE(replay.next(device).has_value());
    return timingOf(device);
  }

  const std::string file = (std::filesystem::temp_directory_path() / "warpwright-replay-test.checkpoint").string();
  u64 data = 0;
  std::vector<std::vector<u32>> expected;  // what each launch leaves
  std::string timing;
};

TEST_F(ReplayTest, GivesTheSameBits) {
  ASSERT_NO_FATAL_FAILURE(record(settings()));
  EXPECT_EQ(expected[2][5], 1000u * 7);
  const Replay replay(file);
  EXPECT_TRUE(replay.isTimed());
  EXPECT_EQ(config::toToml(replay.machine()), config::toToml(settings().machine));
  EXPECT_EQ(replayed(settings()), timing);
}

TEST_F(ReplayTest, ARecordOfTheFunctionalMachineCanBeTimed) {
  ASSERT_NO_FATAL_FAILURE(record(settings()));
  const std::string timed = timing;
  expected.clear();
  Settings functional = settings();
  functional.timing.reset();
  ASSERT_NO_FATAL_FAILURE(record(functional));
  EXPECT_FALSE(Replay(file).isTimed());
  EXPECT_EQ(replayed(settings()), timed);
}

TEST_F(ReplayTest, BeginsWhereTimeBegins) {
  Settings later = settings();
  later.functionalUntil = "step#3";
  ASSERT_NO_FATAL_FAILURE(record(later));
  expected.erase(expected.begin(), expected.begin() + 2);
  EXPECT_EQ(replayed(settings()), timing);
}

TEST_F(ReplayTest, RefusesWhatIsNoCheckpoint) {
  EXPECT_THROW(Replay("/nonexistent/file"), Error);
  std::ofstream(file) << "something else";
  EXPECT_THROW(Replay{file}, Error);
  ASSERT_NO_FATAL_FAILURE(record(settings()));
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 10);
  EXPECT_THROW(replayed(settings()), Error);
}

}  // namespace
}  // namespace warpwright::runtime
