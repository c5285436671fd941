// Programs that NVIDIA's compiler builds. Skipped where there is none.
#include <gtest/gtest.h>

#include <cstdlib>

#include "command_result.hpp"

namespace {

namespace fs = std::filesystem;

// The one that NVCC names, the one in PATH, or that of the customary place; empty where there is none.
std::string findNvcc() {
  const char* const named = std::getenv("NVCC");
  for (const std::string& candidate : {std::string(named ? named : ""), std::string("nvcc"), std::string("/usr/local/cuda/bin/nvcc")})
    if (!candidate.empty() && run(candidate + " --version").status == 0) return candidate;
  return {};
}

constexpr const char* kSource = R"(
#include <cstdio>
__global__ void triple(int* data) { data[threadIdx.x] *= 3; }
int main() {
  int host[32], *device = nullptr;
  for (int i = 0; i < 32; ++i) host[i] = i;
  cudaMalloc((void**)&device, sizeof host);
  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  triple<<<1, 32>>>(device);
  const int status = cudaGetLastError();
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", status, host[31]);
}
)";

class NvccProgram : public ::testing::Test {
 protected:
  void SetUp() override {
    static const std::string found = findNvcc();
    if (found.empty()) GTEST_SKIP() << "there is no nvcc";
    nvcc = found;
    folder = fs::temp_directory_path() / ("warpwright_nvcc_test_" + std::to_string(getpid()));
    fs::create_directories(folder);
    std::ofstream(folder / "app.cu") << kSource;
  }
  void TearDown() override {
    if (!folder.empty()) fs::remove_all(folder);
  }
  // Builds the program with these options, then runs it.
  Result buildAndRun(const std::string& options) {
    const std::string app = (folder / "app").string();
    const Result built = run(nvcc + " " + options + " -o " + app + " " + app + ".cu");
    EXPECT_EQ(built.status, 0) << built.output << built.errors;
    return run(kCommand + "run " + app);
  }

  std::string nvcc;
  fs::path folder;
};

TEST_F(NvccProgram, BothKindsOfLaunchStub) {
  EXPECT_EQ(buildAndRun("-cudart shared -arch=sm_75").output, "0 93\n");
  EXPECT_EQ(buildAndRun("-cudart shared -arch=sm_75 -Xcompiler -D__NV_LEGACY_LAUNCH").output, "0 93\n");
  EXPECT_EQ(buildAndRun("-cudart shared -arch=sm_75 -default-stream per-thread").output, "0 93\n");
}

// cudaErrorNoKernelImageForDevice is 209.
TEST_F(NvccProgram, MachineCodeWithoutPtx) {
  const Result result = buildAndRun("-cudart shared -gencode arch=compute_75,code=sm_75");
  EXPECT_EQ(result.output, "209 31\n");
  EXPECT_TRUE(contains(result.errors, "machine code for sm_75 without PTX")) << result.errors;
  EXPECT_TRUE(contains(result.errors, "-gencode arch=compute_75,code=compute_75 or -arch=sm_75")) << result.errors;
}

// As nvcc builds by default.
TEST_F(NvccProgram, TheStaticRuntimeIsReplaced) {
  for (const char* const options : {"-arch=sm_75", "-O3 -arch=sm_75 -rdc=true", "-arch=sm_75 -Xcompiler -no-pie -Xlinker -no-pie"}) {
    const Result result = buildAndRun(options);
    EXPECT_EQ(result.output, "0 93\n") << options << result.errors;
    EXPECT_EQ(result.status, 0) << options;
    EXPECT_TRUE(contains(result.errors, "Warpwright's takes its place")) << result.errors;
  }
}

TEST_F(NvccProgram, AStrippedStaticRuntimeIsRefused) {
  const Result result = buildAndRun("-arch=sm_75 -Xlinker -s");
  EXPECT_EQ(result.status, 126);
  EXPECT_TRUE(contains(result.errors, "NVIDIA's CUDA runtime linked into it")) << result.errors;
  EXPECT_TRUE(contains(result.errors, "-cudart shared")) << result.errors;
}

}  // namespace
