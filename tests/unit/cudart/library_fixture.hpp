// Kernels that tests launch without a compiler's start-up code: a library of PTX, found by name.
#pragma once

#include <string>

#include "api_fixture.hpp"

// The PTX of one module with these entries.
inline std::string moduleOf(const std::string& entries) { return ".version 7.0\n.target sm_70\n.address_size 64\n" + entries; }

class LibraryTest : public ApiTest {
 protected:
  void TearDown() override {
    // An error of a kernel would be everything's answer from here on.
    cudaDeviceReset();
    if (!library) return;
    EXPECT_EQ(cudaLibraryUnload(library), cudaSuccess);
  }
  cudaError_t load(const std::string& ptx) { return cudaLibraryLoadData(&library, ptx.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0); }
  cudaKernel_t kernel(const char* name) {
    cudaKernel_t found = nullptr;
    EXPECT_EQ(cudaLibraryGetKernel(&found, library, name), cudaSuccess) << name;
    return found;
  }
  static cudaError_t launch(cudaKernel_t kernel, dim3 grid, dim3 block, size_t sharedBytes = 0, cudaStream_t stream = nullptr) {
    return cudaLaunchKernel(static_cast<const void*>(kernel), grid, block, nullptr, sharedBytes, stream);
  }

  cudaLibrary_t library = nullptr;
};
