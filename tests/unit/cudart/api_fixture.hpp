// Every test of the API begins with a fresh context on the machine of machine.toml.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

#include "cuda_runtime_api.h"

class ApiTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    setenv("WARPWRIGHT_MACHINE", CUDART_TEST_MACHINE, 1);
    setenv("WARPWRIGHT_QUIET", "1", 1);
  }
  void SetUp() override { ASSERT_EQ(cudaDeviceReset(), cudaSuccess); }
};
