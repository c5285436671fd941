// Runs files of the conformance suite through a CUDA driver, a GPU's or the simulator's, and prints a line of JSON a file: what the
// driver said, and the bytes of each output column.
//
// usage: conformance FILE.ptx...
#include <cuda.h>

#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conformance/test_file.hpp"

namespace {

using namespace warpwright;
using conformance::Column;
using conformance::TestFile;

constexpr int kUntouched = 0xa5;  // the byte that fills the output buffer before the launch

struct DriverError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void check(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  const char* name = nullptr;
  cuGetErrorName(result, &name);
  throw DriverError(std::string(what) + ": " + (name != nullptr ? name : std::to_string(result)));
}

class Context {
 public:
  Context() {
    check(cuDeviceGet(&device_, 0), "cuDeviceGet");
    check(cuDevicePrimaryCtxRetain(&context_, device_), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context_), "cuCtxSetCurrent");
  }
  ~Context() { cuDevicePrimaryCtxRelease(device_); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

 private:
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
};

class Buffer {
 public:
  explicit Buffer(const std::vector<u8>& bytes) : size_(bytes.size()) {
    check(cuMemAlloc(&address_, std::max<size_t>(size_, 1)), "cuMemAlloc");
    if (size_ != 0) check(cuMemcpyHtoD(address_, bytes.data(), size_), "cuMemcpyHtoD");
  }
  ~Buffer() { cuMemFree(address_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  std::vector<u8> bytes() const {
    std::vector<u8> bytes(size_);
    if (size_ != 0) check(cuMemcpyDtoH(bytes.data(), address_, size_), "cuMemcpyDtoH");
    return bytes;
  }
  void* parameter() { return &address_; }

 private:
  CUdeviceptr address_ = 0;
  size_t size_;
};

std::vector<u8> bytesOf(const Column& column) {
  std::vector<u8> bytes(column.size * column.values.size());
  for (size_t i = 0; i < column.values.size(); ++i) std::memcpy(&bytes[i * column.size], &column.values[i].bits, column.size);
  return bytes;
}

std::vector<u8> inputOf(const TestFile& file) {
  std::vector<u8> bytes(conformance::bufferBytes(file.inputs));
  for (const Column& column : file.inputs) {
    const std::vector<u8> part = bytesOf(column);
    std::copy(part.begin(), part.end(), bytes.begin() + static_cast<std::ptrdiff_t>(column.offset));
  }
  return bytes;
}

std::string hexadecimal(const u8* bytes, size_t count) {
  std::string text;
  char digits[3];
  for (size_t i = 0; i < count; ++i) {
    std::snprintf(digits, sizeof digits, "%02x", bytes[i]);
    text += digits;
  }
  return text;
}

// The module stays loaded where this throws: the context goes with it.
nlohmann::json run(const TestFile& file) {
  char log[2048] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  CUmodule module = nullptr;
  if (cuModuleLoadDataEx(&module, file.ptx.c_str(), 2, options, values) != CUDA_SUCCESS) return {{"refused", log}};
  CUfunction kernel = nullptr;
  check(cuModuleGetFunction(&kernel, module, "k"), "cuModuleGetFunction");
  Buffer out(std::vector<u8>(conformance::bufferBytes(file.outputs), kUntouched)), in(inputOf(file));
  std::vector<std::vector<u8>> others;
  for (const Column& column : file.parameters) others.push_back(bytesOf(column));
  std::vector<void*> parameters{out.parameter(), in.parameter()};
  for (auto& other : others) parameters.push_back(other.data());
  check(cuLaunchKernel(kernel, file.grid, 1, 1, file.threads, 1, 1, file.sharedBytes, nullptr, parameters.data(), nullptr),
        "cuLaunchKernel");
  check(cuCtxSynchronize(), "cuCtxSynchronize");
  const std::vector<u8> bytes = out.bytes();
  nlohmann::json columns = nlohmann::json::array();
  for (const Column& column : file.outputs) columns.push_back(hexadecimal(&bytes[column.offset], column.size * column.values.size()));
  cuModuleUnload(module);
  return {{"outputs", columns}};
}

// A fault ends the process: the driver accepts nothing behind it.
bool report(const std::string& path) {
  const TestFile file = conformance::readTestFile(path);
  nlohmann::json line;
  bool usable = true;
  try {
    line = run(file);
  } catch (const DriverError& error) {
    line = {{"failed", error.what()}};
    usable = false;
  }
  line["file"] = file.name;
  std::printf("\n%s\n", line.dump().c_str());
  std::fflush(stdout);
  return usable;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    check(cuInit(0), "cuInit");
    const Context context;
    for (int i = 1; i < argc; ++i)
      if (!report(argv[i])) return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "conformance: %s\n", error.what());
    return 2;
  }
  return 0;
}
