// Compilation while the program runs: a template's instantiation by its name, options, and the log of a mistake.
// options: -lnvrtc -lcuda
#include <cuda.h>
#include <nvrtc.h>

#include <string>

#include "check.hpp"

const char* const kSource = R"(
template <typename T>
__global__ void scale(T* data, T factor) {
  data[threadIdx.x] = data[threadIdx.x] * factor + OFFSET;
}
)";

int main() {
  nvrtcProgram program;
  check::that(nvrtcCreateProgram(&program, kSource, "scale.cu", 0, nullptr, nullptr) == NVRTC_SUCCESS, "program");
  check::that(nvrtcAddNameExpression(program, "scale<float>") == NVRTC_SUCCESS, "name expression");
  const char* options[] = {"--gpu-architecture=compute_75", "-DOFFSET=3", "--std=c++17"};
  check::that(nvrtcCompileProgram(program, 3, options) == NVRTC_SUCCESS, "compiles");
  const char* lowered = nullptr;
  check::that(nvrtcGetLoweredName(program, "scale<float>", &lowered) == NVRTC_SUCCESS, "lowered name");
  std::printf("%s\n", lowered);
  size_t bytes = 0;
  nvrtcGetPTXSize(program, &bytes);
  std::string ptx(bytes, '\0');
  check::that(nvrtcGetPTX(program, &ptx[0]) == NVRTC_SUCCESS && ptx.find(".entry") != std::string::npos, "PTX");

  Buffer<float> data(table(32, [](size_t i) { return 1.0f * i; }));
  CUmodule module;
  CUfunction function;
  check::that(cuModuleLoadData(&module, ptx.c_str()) == CUDA_SUCCESS && cuModuleGetFunction(&function, module, lowered) == CUDA_SUCCESS, "module");
  float* pointer = data;
  float factor = 0.5f;
  void* arguments[] = {&pointer, &factor};
  check::that(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_SUCCESS, "launch");
  check::same(data.read(), table(32, [](size_t i) { return 0.5f * i + 3; }), "values");
  nvrtcDestroyProgram(&program);

  nvrtcCreateProgram(&program, "__global__ void broken() { int x = undeclared; }", "broken.cu", 0, nullptr, nullptr);
  check::that(nvrtcCompileProgram(program, 0, nullptr) == NVRTC_ERROR_COMPILATION, "a mistake is refused");
  nvrtcGetProgramLogSize(program, &bytes);
  std::string log(bytes, '\0');
  nvrtcGetProgramLog(program, &log[0]);
  check::that(log.find("undeclared") != std::string::npos && log.find("broken.cu") != std::string::npos, "the log names it");
  nvrtcDestroyProgram(&program);
  return check::finish();
}
