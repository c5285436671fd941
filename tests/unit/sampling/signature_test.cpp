#include "sampling/signature.hpp"

#include <gtest/gtest.h>

namespace warpwright::sampling {
namespace {

// Three instructions; so many warps execute each.
Signature launch(u64 first, u64 second, u64 third) {
  Signature signature;
  signature.kernel = "kernel";
  signature[Amount::blocks] = 100;
  signature[Amount::warpInstructions] = first + second + third;
  signature[Amount::threadInstructions] = 32 * (first + second + third);
  const u64 counts[] = {first, second, third};
  for (u32 pc = 0; pc < 3; ++pc)
    if (counts[pc] != 0) signature.executed.push_back({Pc(pc), counts[pc]});
  return signature;
}

TEST(Signature, LaunchesThatDoTheSameDoNotDiffer) {
  EXPECT_EQ(difference(launch(10, 20, 30), launch(10, 20, 30)), 0);
  EXPECT_EQ(difference(launch(0, 0, 0), launch(0, 0, 0)), 0);
}

TEST(Signature, CodeDiffersByTheShareOfOtherInstructions) {
  // Of 100 instructions 10 are others.
  EXPECT_DOUBLE_EQ(difference(launch(50, 50, 0), launch(50, 40, 10)), 0.1);
  EXPECT_DOUBLE_EQ(difference(launch(50, 40, 10), launch(50, 50, 0)), 0.1);
  EXPECT_DOUBLE_EQ(difference(launch(100, 0, 0), launch(0, 0, 100)), 1);
  EXPECT_DOUBLE_EQ(difference(launch(0, 0, 0), launch(0, 0, 100)), 1);
}

TEST(Signature, AmountsDifferByTheirShare) {
  EXPECT_DOUBLE_EQ(difference(launch(100, 0, 0), launch(80, 0, 0)), 0.2);
  Signature one = launch(1000, 0, 0), other = one;
  other[Amount::lines] = 400;
  one[Amount::lines] = 300;
  EXPECT_DOUBLE_EQ(difference(one, other), 0.25);
  other[Amount::blocks] = 50;
  EXPECT_DOUBLE_EQ(difference(one, other), 0.5);
}

TEST(Signature, WhatIsRareMattersAsLittleAsItIs) {
  Signature one = launch(1000, 0, 0), other = one;
  other[Amount::atomicSteps] = 1;
  EXPECT_DOUBLE_EQ(difference(one, other), 0.1);
  one[Amount::atomicSteps] = 2;
  EXPECT_DOUBLE_EQ(difference(one, other), 0.1);
  other[Amount::atomicSteps] = 20;
  EXPECT_DOUBLE_EQ(difference(one, other), 0.9);
}

TEST(Signature, OtherBlocksAreOfAnotherKind) {
  const Signature one = launch(10, 20, 30);
  for (const auto change : {+[](Signature& each) { each.kernel = "other"; }, +[](Signature& each) { each.module = "other"; },
                            +[](Signature& each) {
                              each.block = {64, 1, 1};
                            },
                            +[](Signature& each) { each.dynamicSharedBytes = 4; }, +[](Signature& each) { each.cooperative = true; },
                            +[](Signature& each) { each.cachePreference = exec::CachePreference::l1; }}) {
    Signature other = one;
    change(other);
    EXPECT_EQ(difference(one, other), 1);
  }
}

TEST(Signature, IsMadeOfWhatWasCounted) {
  exec::LoadedProgram program;
  program.program.sourceName = "app.ptx";
  isa::Function kernel;
  kernel.name = "kernel";
  auto launch = std::make_shared<exec::Launch>();
  launch->program = &program;
  launch->kernel = &kernel;
  launch->grid = {3, 2, 1};
  launch->block = {64, 1, 1};
  launch->dynamicSharedBytes = 16;
  exec::LaunchRequest request;
  request.launch = launch;
  exec::LaunchResult result;
  result.warpInstructions = 70;
  result.threadInstructions = 2000;
  result.counts = {{40, 0, 0}, {0, 0, 0}, {30, 0, 0}};
  profile::Counters use;
  use.global.loads.sectors = 5;
  use.global.atomics.sectors = 2;
  use.textures.sectors = 1;
  use.shared.stores.passes = 9;
  use.atomics.steps = 4;
  const Signature signature = signatureOf(request, result, use, 11);
  EXPECT_EQ(signature.kernel, "kernel");
  EXPECT_EQ(signature.module, "app.ptx");
  EXPECT_EQ(signature.block, (Dim3{64, 1, 1}));
  EXPECT_EQ(signature.dynamicSharedBytes, 16u);
  EXPECT_EQ(signature.amounts, (std::array<u64, kAmounts>{6, 70, 2000, 8, 11, 9, 4}));
  ASSERT_EQ(signature.executed.size(), 2u);
  EXPECT_EQ(signature.executed[1].pc, 2u);
  EXPECT_EQ(signature.executed[1].warps, 30u);
}

}  // namespace
}  // namespace warpwright::sampling
