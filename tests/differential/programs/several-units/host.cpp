#include <cuda_runtime.h>

const char* describe() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count == 1 ? "the host file sees one device" : "no device";
}
