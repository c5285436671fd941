// What betrays a program with NVIDIA's runtime in it: registered device code, and the name by which that runtime finds the driver. With
// RELEASE it also has functions of the runtime's names, which say of which release it is; they answer that there is no device, as there
// would be without NVIDIA's driver.
#include <cstdio>

__attribute__((section(".nv_fatbin"), used)) static const char deviceCode[16] = {};

static const char* volatile driver = "libcuda.so.1";

#ifdef RELEASE
#define FUNCTION extern "C" __attribute__((noinline, used, visibility("hidden")))

FUNCTION int cudaGetDeviceCount(int* count) {
  *count = -1;
  std::fputs("the program's own runtime is called\n", stderr);
  return 100;
}
FUNCTION int cudaMalloc(void** pointer, std::size_t) {
  *pointer = nullptr;
  std::fputs("the program's own runtime is called\n", stderr);
  return 100;
}
#if RELEASE >= 12
FUNCTION int cudaGetDeviceProperties_v2(void*, int) { return 100; }
#endif
#if RELEASE >= 13
FUNCTION int cudaDeviceGetHostAtomicCapabilities(unsigned int*, const int*, unsigned int, int) { return 100; }
#endif

int main() {
  int count = 0;
  void* pointer = nullptr;
  const int counted = cudaGetDeviceCount(&count), allocated = cudaMalloc(&pointer, 64);
  std::printf("%d devices, %d %d\n", count, counted, allocated);
  return *driver == 'l' && pointer != nullptr ? 0 : 1;
}
#else
int main() { return *driver == 'l' ? 0 : 1; }
#endif
