// Faults that are injected into a timed machine: the same at any number of threads, and in the functional one.
#include <gtest/gtest.h>

#include "runtime/device.hpp"
#include "stats/json.hpp"
#include "timed_machine.hpp"

namespace warpwright {
namespace {

constexpr const char* kSums = R"(
.version 7.0
.target sm_20
.address_size 64
.visible .entry sums(.param .u64 out)
{
  .reg .u32 %r<6>;
  .reg .u64 %d<3>;
  .reg .pred %p;
  ld.param.u64 %d0, [out];
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, %ctaid.x;
  mad.lo.u32 %r2, %r1, 128, %r0;
  mul.wide.u32 %d1, %r2, 4;
  add.u64 %d2, %d0, %d1;
  mov.u32 %r3, 0;
  mov.u32 %r4, 0;
again:
  .pragma "nounroll";
  add.u32 %r4, %r4, %r3;
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p, %r3, 20;
  @%p bra again;
  st.global.u32 [%d2], %r4;
  ret;
}
)";
constexpr u32 kBlocks = 24, kThreads = 128;

struct Injected {
  std::string faults;
  std::vector<u32> stored;
};

Injected runWith(const std::string& injection, std::optional<u32> threads, bool skip = true) {
  runtime::Settings settings;
  settings.machine = testing::fermi(4);
  settings.injection = runtime::parseInjection(injection);
  if (threads) {
    settings.timing.emplace();
    settings.timing->threads = *threads;
    settings.timing->skip = skip;
  }
  runtime::Device device(settings);
  const runtime::Module& module = device.loadModule(kSums, "sums.ptx");
  const GlobalAddress out = *device.memory().allocate(kBlocks * kThreads * 4, exec::AllocationKind::device);
  runtime::Launch launch;
  launch.module = &module;
  launch.kernel = &module.loaded->program.functions.at(0);
  launch.grid = {kBlocks, 1, 1};
  launch.block = {kThreads, 1, 1};
  const u64 address = out;
  launch.parameters.resize(8);
  std::memcpy(launch.parameters.data(), &address, 8);
  device.launch(launch);
  const auto* words = reinterpret_cast<const u32*>(exec::GlobalMemory::hostPointer(out));
  return {device.injection()->data()["faults"].dump(), {words, words + kBlocks * kThreads}};
}

constexpr const char* kEverywhere = "rate=0.00005,in=result+register+global,seed=3";

TEST(TimedInjection, IsTheSameAtAnyNumberOfThreads) {
  const Injected one = runWith(kEverywhere, 1);
  EXPECT_GT(one.faults.size(), 1000u);
  for (const u32 threads : {1, 2, 4}) {
    const Injected other = runWith(kEverywhere, threads);
    EXPECT_EQ(other.faults, one.faults) << threads;
    EXPECT_EQ(other.stored, one.stored) << threads;
  }
  const Injected slow = runWith(kEverywhere, 2, false);
  EXPECT_EQ(slow.faults, one.faults);
  EXPECT_EQ(slow.stored, one.stored);
}

// In the loop, and so in no address: the functional machine would stop where the timed one goes on for a while.
TEST(TimedInjection, OfResultsIsThatOfTheFunctionalMachine) {
  const std::string places = "at=1:0:0:result:10+1:3:2:result:25+1:7:1:result:33+1:23:3:result:18";
  const Injected timed = runWith(places, 2), functional = runWith(places, std::nullopt);
  EXPECT_NE(timed.faults.find("1:23:3:result:18"), std::string::npos);
  EXPECT_EQ(timed.faults, functional.faults);
  EXPECT_EQ(timed.stored, functional.stored);
  EXPECT_NE(timed.stored, runWith(places + ",seed=2", std::nullopt).stored);
}

}  // namespace
}  // namespace warpwright
