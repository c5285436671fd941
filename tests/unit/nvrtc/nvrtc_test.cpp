// Compilation at run time, and what comes out of it on the device.
#include "nvrtc.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "cuda.h"

namespace {

class Program {
 public:
  explicit Program(const char* source, std::vector<const char*> headers = {}, std::vector<const char*> names = {}) {
    EXPECT_EQ(nvrtcCreateProgram(&handle, source, "test.cu", static_cast<int>(headers.size()), headers.data(), names.data()),
              NVRTC_SUCCESS);
  }
  ~Program() { EXPECT_EQ(nvrtcDestroyProgram(&handle), NVRTC_SUCCESS); }

  nvrtcResult compile(std::vector<const char*> options = {}) {
    return nvrtcCompileProgram(handle, static_cast<int>(options.size()), options.data());
  }
  std::string log() {
    size_t size = 0;
    EXPECT_EQ(nvrtcGetProgramLogSize(handle, &size), NVRTC_SUCCESS);
    std::string text(size, 'x');
    EXPECT_EQ(nvrtcGetProgramLog(handle, text.data()), NVRTC_SUCCESS);
    text.pop_back();
    return text;
  }
  std::string ptx() {
    size_t size = 0;
    EXPECT_EQ(nvrtcGetPTXSize(handle, &size), NVRTC_SUCCESS);
    std::string text(size, 'x');
    EXPECT_EQ(nvrtcGetPTX(handle, text.data()), NVRTC_SUCCESS);
    EXPECT_EQ(text.back(), '\0');
    text.pop_back();
    return text;
  }

  nvrtcProgram handle = nullptr;
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Nvrtc, SaxpyFromTextToResult) {
  setenv("WARPWRIGHT_MACHINE", CUDART_TEST_MACHINE, 1);
  setenv("WARPWRIGHT_QUIET", "1", 1);
  Program program(
      "#include \"axpy.h\"\n"
      "template <typename T> __global__ void saxpy(T a, const T* x, T* y, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = axpy(a, x[i], y[i]) + SHIFT;\n}\n",
      {"template <typename T> __device__ T axpy(T a, T x, T y) { return a * x + y; }\n"}, {"axpy.h"});
  ASSERT_EQ(nvrtcAddNameExpression(program.handle, "saxpy<float>"), NVRTC_SUCCESS);
  ASSERT_EQ(program.compile({"--gpu-architecture=compute_70", "-DSHIFT=1", "--std=c++17"}), NVRTC_SUCCESS) << program.log();
  const char* name = nullptr;
  ASSERT_EQ(nvrtcGetLoweredName(program.handle, "saxpy<float>", &name), NVRTC_SUCCESS);
  EXPECT_STREQ(name, "_Z5saxpyIfEvT_PKS0_PS0_i");

  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxCreate(&context, 0, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleLoadData(&module, program.ptx().c_str()), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleGetFunction(&function, module, name), CUDA_SUCCESS);
  constexpr int kCount = 100;
  std::vector<float> x(kCount), y(kCount);
  for (int i = 0; i < kCount; ++i) x[i] = static_cast<float>(i), y[i] = 10.0f;
  CUdeviceptr dx = 0, dy = 0;
  ASSERT_EQ(cuMemAlloc(&dx, kCount * 4), CUDA_SUCCESS);
  ASSERT_EQ(cuMemAlloc(&dy, kCount * 4), CUDA_SUCCESS);
  ASSERT_EQ(cuMemcpyHtoD(dx, x.data(), kCount * 4), CUDA_SUCCESS);
  ASSERT_EQ(cuMemcpyHtoD(dy, y.data(), kCount * 4), CUDA_SUCCESS);
  float a = 2.0f;
  int n = kCount;
  void* arguments[] = {&a, &dx, &dy, &n};
  ASSERT_EQ(cuLaunchKernel(function, 4, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cuMemcpyDtoH(y.data(), dy, kCount * 4), CUDA_SUCCESS);
  for (int i = 0; i < kCount; ++i) EXPECT_EQ(y[i], 2.0f * static_cast<float>(i) + 11.0f);
  EXPECT_EQ(cuCtxDestroy(context), CUDA_SUCCESS);
}

TEST(Nvrtc, ErrorsLandInTheLogUnderTheProgramsName) {
  Program program("__global__ void k() {\n  undeclared = 1;\n}\n");
  EXPECT_EQ(program.compile(), NVRTC_ERROR_COMPILATION);
  EXPECT_TRUE(contains(program.log(), "test.cu:2")) << program.log();
  size_t size = 0;
  EXPECT_EQ(nvrtcGetPTXSize(program.handle, &size), NVRTC_ERROR_INVALID_PROGRAM);
}

TEST(Nvrtc, UnknownOptionsNameTheNearest) {
  Program program("__global__ void k() {}\n");
  EXPECT_EQ(program.compile({"--gpu-architectur=compute_70"}), NVRTC_ERROR_INVALID_OPTION);
  EXPECT_TRUE(contains(program.log(), "--gpu-architecture")) << program.log();
}

TEST(Nvrtc, WrongUse) {
  nvrtcProgram program = nullptr;
  EXPECT_EQ(nvrtcCreateProgram(&program, nullptr, nullptr, 0, nullptr, nullptr), NVRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(nvrtcCompileProgram(nullptr, 0, nullptr), NVRTC_ERROR_INVALID_PROGRAM);
  const char* name = nullptr;
  Program good("__constant__ int table[4];\n__global__ void k(int* out) { *out = table[1]; }\n");
  EXPECT_EQ(nvrtcGetLoweredName(good.handle, "k", &name), NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
  ASSERT_EQ(nvrtcAddNameExpression(good.handle, "&table"), NVRTC_SUCCESS);
  ASSERT_EQ(good.compile(), NVRTC_SUCCESS) << good.log();
  EXPECT_EQ(nvrtcAddNameExpression(good.handle, "k"), NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
  ASSERT_EQ(nvrtcGetLoweredName(good.handle, "&table", &name), NVRTC_SUCCESS);
  EXPECT_STREQ(name, "table");
  EXPECT_EQ(nvrtcGetLoweredName(good.handle, "other", &name), NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
}

}  // namespace
