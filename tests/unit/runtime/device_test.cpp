// The device end to end on hand-written PTX.
#include "runtime/device.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "base/error.hpp"
#include "machines/timing_profile.hpp"
#include "profile/profile.hpp"

namespace warpwright::runtime {
namespace {

// out[i] = i * factor, for every thread i of the grid.
constexpr const char* kScale = R"(
.version 7.0
.target sm_70
.address_size 64
.global .align 4 .u32 launches = 5;
.visible .entry scale(.param .u64 out, .param .u32 factor)
{
  .reg .u32 %r<6>;
  .reg .u64 %d<4>;
  ld.param.u64 %d0, [out];
  ld.param.u32 %r0, [factor];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.lo.u32 %r5, %r4, %r0;
  mul.wide.u32 %d1, %r4, 4;
  add.u64 %d2, %d0, %d1;
  st.global.u32 [%d2], %r5;
  ret;
}
)";

config::Machine machine() {
  config::Machine m;
  m.name = "small";
  m.multiprocessors = 2;
  m.schedulersPerSm = 1;
  m.coreClockKhz = 500'000;
  m.memoryClockKhz = 1'000'000;
  m.memoryBusBits = 64;
  m.globalMemoryBytes = u64{1} << 24;
  return m;
}

class DeviceTest : public ::testing::Test {
 protected:
  DeviceTest() : device({machine()}) {}

  Launch scaleLaunch(u64 out, u32 factor, u32 blocks, u32 threads) {
    const Module& module = device.loadModule(kScale, "scale.ptx");
    Launch launch;
    launch.module = &module;
    launch.kernel = module.loaded->program.findFunction("scale");
    launch.grid = {blocks, 1, 1};
    launch.block = {threads, 1, 1};
    launch.parameters.resize(launch.kernel->parameterBytes);
    std::memcpy(launch.parameters.data(), &out, sizeof out);
    std::memcpy(launch.parameters.data() + launch.kernel->parameters[1].offset, &factor, sizeof factor);
    return launch;
  }

  Device device;
};

TEST_F(DeviceTest, RunsAKernel) {
  const u64 out = device.memory().allocate(256 * sizeof(u32), exec::AllocationKind::device).value();
  const Launch launch = scaleLaunch(out, 3, 4, 64);
  const auto result = device.launch(launch);
  ASSERT_EQ(result.status, exec::LaunchStatus::completed) << result.message;
  const auto* values = reinterpret_cast<const u32*>(exec::GlobalMemory::hostPointer(GlobalAddress(out)));
  for (u32 i = 0; i < 256; ++i) ASSERT_EQ(values[i], 3 * i);
  EXPECT_EQ(result.blocksDone, 4u);
  EXPECT_FALSE(device.profile().empty());
  // 2 SMs with one scheduler each at 500 MHz: 2 ns a cycle, two warp instructions a cycle.
  EXPECT_EQ(result.nanoseconds, result.warpInstructions / 2 * 2);
}

TEST_F(DeviceTest, ReportsAnAccessOutOfBounds) {
  const u64 out = device.memory().allocate(100 * sizeof(u32), exec::AllocationKind::device).value();
  const auto result = device.launch(scaleLaunch(out, 3, 4, 64));
  EXPECT_EQ(result.status, exec::LaunchStatus::illegalAddress);
  EXPECT_NE(result.message.find("scale"), std::string::npos);
}

TEST_F(DeviceTest, RefusesALaunchThatCannotBe) {
  Launch launch = scaleLaunch(0, 1, 1, 1);
  launch.block = {2048, 1, 1};
  EXPECT_THROW(device.launch(launch), Error);
}

TEST_F(DeviceTest, RefusesCodeOfAnotherAddressWidth) {
  const std::string narrow = ".version 7.0\n.target sm_70\n.address_size 32\n";
  EXPECT_THROW(device.loadModule(narrow, "narrow.ptx"), Error);
}

TEST_F(DeviceTest, PlacesVariablesWhereTheHostHasThem) {
  alignas(8) u32 host = 7;
  device.memory().registerHost(&host, sizeof host, "launches");
  const Module& module = device.loadModule(kScale, "scale.ptx", {{"launches", reinterpret_cast<u64>(&host)}});
  EXPECT_EQ(module.loaded->variableAddresses.at(0), reinterpret_cast<u64>(&host));
  EXPECT_EQ(host, 7u);
}

TEST_F(DeviceTest, BoundsRegistersByTheMarker) {
  const Module& module = device.loadModule(std::string("// warpwright: maxrregcount=32\n") + kScale, "scale.ptx");
  EXPECT_LE(module.loaded->program.findFunction("scale")->registers, 32u);
}

// 64 bits twice per cycle of a 1 GHz memory clock: 16 bytes a nanosecond.
TEST_F(DeviceTest, CopiesAtTheFullRateOfTheBus) { EXPECT_EQ(device.copyNanoseconds(16'000'000), 1'000'000u); }

TEST_F(DeviceTest, ResetFreesEverything) {
  scaleLaunch(0, 1, 1, 1);
  ASSERT_TRUE(device.memory().allocate(4096, exec::AllocationKind::device));
  device.reset();
  EXPECT_EQ(device.memory().used(), 0u);
  EXPECT_TRUE(device.memory().live().empty());
}

}  // namespace
}  // namespace warpwright::runtime
