// Writes when each kernel of a CUDA program began and ended on the GPU, as CUPTI records it: a row a launch, in the order of launching.
//
//   CUDA_INJECTION64_PATH=./libkernel_times.so KERNEL_TIMES=times.csv ./app
//
// The CUDA driver loads the library and calls InitializeInjection.
#include <cupti.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

struct Launch {
  unsigned correlation;  // counts the program's calls
  std::string name, grid, block;
  unsigned long long begin, end;  // nanoseconds
};

std::vector<Launch> launches;

void check(CUptiResult result, const char* what) {
  if (result == CUPTI_SUCCESS) return;
  const char* text = nullptr;
  cuptiGetResultString(result, &text);
  std::fprintf(stderr, "kernel_times: %s: %s\n", what, text);
  std::exit(1);
}

void CUPTIAPI giveBuffer(uint8_t** buffer, size_t* size, size_t* mostRecords) {
  constexpr size_t kBytes = 1 << 20, kAlignment = 8;
  *buffer = static_cast<uint8_t*>(std::aligned_alloc(kAlignment, kBytes));
  *size = kBytes;
  *mostRecords = 0;  // as many as fit
}

std::string triple(int x, int y, int z) { return std::to_string(x) + "x" + std::to_string(y) + "x" + std::to_string(z); }

void CUPTIAPI takeBuffer(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t valid) {
  CUpti_Activity* record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
    const auto& kernel = *reinterpret_cast<const CUpti_ActivityKernel10*>(record);
    launches.push_back({kernel.correlationId, kernel.name, triple(kernel.gridX, kernel.gridY, kernel.gridZ),
                        triple(kernel.blockX, kernel.blockY, kernel.blockZ), kernel.start, kernel.end});
  }
  std::free(buffer);
}

void writeTimes() {
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  std::sort(launches.begin(), launches.end(), [](const Launch& a, const Launch& b) { return a.correlation < b.correlation; });
  const char* path = std::getenv("KERNEL_TIMES");
  std::FILE* file = std::fopen(path != nullptr ? path : "kernel-times.csv", "w");
  if (file == nullptr) {
    std::perror("kernel_times");
    return;
  }
  std::fprintf(file, "launch,kernel,grid,block,nanoseconds\n");
  int number = 0;
  for (const Launch& launch : launches)
    std::fprintf(file, "%d,%s,%s,%s,%llu\n", ++number, launch.name.c_str(), launch.grid.c_str(), launch.block.c_str(),
                 launch.end - launch.begin);
  std::fclose(file);
}

}  // namespace

extern "C" int InitializeInjection() {
  check(cuptiActivityRegisterCallbacks(giveBuffer, takeBuffer), "buffers");
  check(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), "records of kernels");
  std::atexit(writeTimes);
  return 1;
}
