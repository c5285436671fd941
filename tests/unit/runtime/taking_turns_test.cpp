// Functional launches that wait for what other launches or the host do.
#include <gtest/gtest.h>

#include <cstring>

#include "profile/profile.hpp"
#include "runtime/device.hpp"
#include "stats/json.hpp"

namespace warpwright::runtime {
namespace {

// count: raises *word from every number n = first + 2i below `last` to n + 1, once it is n. spin: waits for *word, counting its rounds.
constexpr const char* kTurnKernels = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry count(.param .u64 word, .param .u32 first, .param .u32 last)
{
  .reg .u32 %r<4>;
  .reg .u64 %d<1>;
  .reg .pred %p<1>;
  ld.param.u64 %d0, [word];
  ld.param.u32 %r0, [first];
  ld.param.u32 %r1, [last];
next:
  setp.ge.u32 %p0, %r0, %r1;
  @%p0 ret;
again:
  ld.volatile.global.u32 %r2, [%d0];
  setp.ne.u32 %p0, %r2, %r0;
  @%p0 bra again;
  add.u32 %r3, %r0, 1;
  st.volatile.global.u32 [%d0], %r3;
  add.u32 %r0, %r0, 2;
  bra next;
}
.visible .entry spin(.param .u64 word, .param .u32 value, .param .u32 unused)
{
  .reg .u32 %r<3>;
  .reg .u64 %d<1>;
  .reg .pred %p<1>;
  ld.param.u64 %d0, [word];
  ld.param.u32 %r0, [value];
  mov.u32 %r1, 0;
again:
  add.u32 %r1, %r1, 1;
  ld.volatile.global.u32 %r2, [%d0];
  setp.ne.u32 %p0, %r2, %r0;
  @%p0 bra again;
  st.global.u32 [%d0+4], %r1;
  ret;
}
)";

class TakingTurns : public ::testing::Test {
 protected:
  void SetUp() override {
    Settings settings;
    settings.machine = config::loadMachine("v100", {});
    device_.emplace(settings);
    module_ = &device_->loadModule(kTurnKernels, "kernels.ptx");
    word_ = device_->memory().allocate(8, exec::AllocationKind::managed).value();
    setWord(0);
  }
  u32 word(u32 index = 0) const {
    return reinterpret_cast<const volatile u32*>(exec::GlobalMemory::hostPointer(GlobalAddress(word_)))[index];
  }
  void setWord(u32 value) { std::memcpy(exec::GlobalMemory::hostPointer(GlobalAddress(word_)), &value, sizeof value); }
  void submit(const char* kernel, u32 first, u32 last = 0) {
    Launch launch;
    launch.module = module_;
    launch.kernel = module_->loaded->program.findFunction(kernel);
    launch.grid = launch.block = {1, 1, 1};
    launch.parameters.resize(launch.kernel->parameterBytes);
    std::memcpy(launch.parameters.data(), &word_, sizeof word_);
    std::memcpy(launch.parameters.data() + 8, &first, sizeof first);
    std::memcpy(launch.parameters.data() + 12, &last, sizeof last);
    device_->announce(launch);
    device_->submit(launch, [this](const LaunchOutcome& outcome) { outcomes_.push_back(outcome); });
  }

  std::optional<Device> device_;
  const Module* module_ = nullptr;
  u64 word_ = 0;
  std::vector<LaunchOutcome> outcomes_;
};

TEST_F(TakingTurns, TwoThatAnswerEachOtherEnd) {
  submit("count", 0, 100);
  submit("count", 1, 100);
  device_->run();
  ASSERT_EQ(outcomes_.size(), 2u);
  for (const LaunchOutcome& outcome : outcomes_) EXPECT_EQ(outcome.status, exec::LaunchStatus::completed) << outcome.message;
  EXPECT_EQ(word(), 100u);
  EXPECT_FALSE(device_->hasWaiting());
}

TEST_F(TakingTurns, OneThatWaitsGoesOnWhenItsWordIsThere) {
  for (const char* kernel : {"count", "spin"}) {
    submit(kernel, 5, 6);
    device_->run();
    EXPECT_TRUE(device_->hasWaiting());
    EXPECT_TRUE(outcomes_.empty());
    device_->run();
    EXPECT_TRUE(device_->hasWaiting());
    setWord(5);
    device_->run();
    EXPECT_FALSE(device_->hasWaiting());
    ASSERT_EQ(outcomes_.size(), 1u);
    EXPECT_EQ(outcomes_[0].status, exec::LaunchStatus::completed);
    outcomes_.clear();
    setWord(0);
  }
}

TEST_F(TakingTurns, ALaterOneEndsBesideOneThatWaits) {
  submit("spin", 1);
  device_->run();
  submit("count", 0, 1);
  device_->run();
  ASSERT_EQ(outcomes_.size(), 2u);
  EXPECT_EQ(word(), 1u);
  EXPECT_GT(word(1), 0u);
}

TEST_F(TakingTurns, WhatNobodyHelpsHangs) {
  submit("count", 5, 6);
  submit("count", 7, 8);
  device_->run();
  EXPECT_TRUE(outcomes_.empty());
  device_->runPatiently();
  EXPECT_TRUE(outcomes_.empty());
  device_->endWaiting();
  ASSERT_EQ(outcomes_.size(), 2u);
  for (const LaunchOutcome& outcome : outcomes_) {
    EXPECT_EQ(outcome.status, exec::LaunchStatus::hang);
    EXPECT_NE(outcome.message.find("kernel 'count' hangs"), std::string::npos) << outcome.message;
  }
  EXPECT_FALSE(device_->hasWaiting());
}

TEST_F(TakingTurns, WhatIsAbandonedIsForgottenAndCounted) {
  submit("count", 5, 6);
  device_->run();
  device_->abandon();
  EXPECT_FALSE(device_->hasWaiting());
  EXPECT_TRUE(outcomes_.empty());
  EXPECT_FALSE(device_->profile().empty());
}

}  // namespace
}  // namespace warpwright::runtime
