// Every test of the driver API begins with cuInit and a context of its own on the first of two devices, machines of the runtime's tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

#include "cuda.h"

// scale: out[i] = factor * i for the threads of one block. fault: a store near address 0.
inline constexpr char kPtx[] = R"(
.version 7.0
.target sm_70
.address_size 64
.global .align 4 .u32 counter = 7;
.const .align 4 .b8 table[8];
.visible .entry scale(.param .u64 out, .param .u32 factor)
{
  .reg .u32 %r<4>;
  .reg .u64 %d<4>;
  ld.param.u64 %d0, [out];
  ld.param.u32 %r0, [factor];
  mov.u32 %r1, %tid.x;
  mul.lo.u32 %r2, %r1, %r0;
  mul.wide.u32 %d1, %r1, 4;
  add.u64 %d2, %d0, %d1;
  st.global.u32 [%d2], %r2;
  ret;
}
.visible .entry fault()
{
  .reg .u64 %d<1>;
  mov.u64 %d0, 4096;
  st.global.u32 [%d0], 1;
  ret;
}
)";

class DriverTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    setenv("WARPWRIGHT_MACHINE", CUDART_TEST_MACHINE, 1);
    setenv("WARPWRIGHT_QUIET", "1", 1);
    setenv("WARPWRIGHT_DEVICES", "2", 1);
    ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
  }
  void SetUp() override { ASSERT_EQ(cuCtxCreate(&context_, 0, 0), CUDA_SUCCESS); }
  void TearDown() override {
    if (!context_) return;
    EXPECT_EQ(cuCtxDestroy(context_), CUDA_SUCCESS);
  }

  CUcontext context_ = nullptr;
};
