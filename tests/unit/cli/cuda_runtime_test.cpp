// Which runtime a program asks for, read off programs that the build makes (runtimes/).
#include "cli/cuda_runtime.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/file.hpp"

namespace {

using namespace warpwright;
using cli::CudaUse;

cli::CudaRuntime runtimeOf(const std::string& program) {
  const std::string file = CUDA_RUNTIME_PROGRAMS + program;
  const std::string bytes = readFile(file);
  return cli::cudaRuntimeOf(bytes, file);
}

TEST(CudaRuntime, SharedLibrariesByTheirNames) {
  for (const char* library : {"libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13"}) {
    const auto runtime = runtimeOf(std::string("asks-for-") + library);
    EXPECT_EQ(runtime.use, CudaUse::shared) << library;
    EXPECT_EQ(runtime.library, library);
  }
  EXPECT_EQ(runtimeOf("asks-for-libcudart.so.10.2").use, CudaUse::otherVersion);
  EXPECT_EQ(runtimeOf("asks-for-libcudart.so.10.2").library, "libcudart.so.10.2");
  EXPECT_EQ(runtimeOf("asks-for-libwarpwright_cudart.so").use, CudaUse::own);
  EXPECT_EQ(runtimeOf("asks-for-libcuda.so.1").use, CudaUse::driver);
}

TEST(CudaRuntime, TheStaticOneByWhatItBringsAlong) {
  EXPECT_EQ(runtimeOf("static-runtime").use, CudaUse::hiddenRuntime);
  EXPECT_EQ(runtimeOf("static-runtime").library, "");
}

TEST(CudaRuntime, TheReleaseOfAStaticOneByItsFunctions) {
  const std::pair<const char*, const char*> releases[] = {
      {"11", "libcudart.so.11.0"}, {"12", "libcudart.so.12"}, {"13", "libcudart.so.13"}};
  for (const auto& [release, library] : releases) {
    const auto runtime = runtimeOf(std::string("static-runtime-") + release);
    EXPECT_EQ(runtime.use, CudaUse::staticRuntime) << release;
    EXPECT_EQ(runtime.library, library);
  }
}

TEST(CudaRuntime, NoneAtAll) {
  const std::string shell = readFile("/bin/sh");
  EXPECT_EQ(cli::cudaRuntimeOf(shell, "sh").use, CudaUse::none);
}

TEST(CudaRuntime, DamagedFiles) {
  EXPECT_THROW(cli::cudaRuntimeOf("no ELF file", "notes.txt"), Error);
  std::string bytes = readFile(CUDA_RUNTIME_PROGRAMS "static-runtime");
  bytes.resize(bytes.size() / 2);
  EXPECT_THROW(cli::cudaRuntimeOf(bytes, "cut"), Error);
}

TEST(CudaRuntime, AStandInThatIsNotThere) { EXPECT_EQ(cli::dropInFolder("libcudart.so.9.9"), ""); }

}  // namespace
