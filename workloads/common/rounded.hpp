// Arithmetic of which every operation is rounded by itself: no compiler may fuse two, so that a reference on the host gets the same bits as
// a kernel. For what decides, not for what merely adds up.
#pragma once

namespace workloads {

#ifdef __CUDA_ARCH__
#define ROUNDED(onDevice, onHost) return onDevice
#else
#define ROUNDED(onDevice, onHost)      \
  const volatile float value = onHost; \
  return value
#endif

__host__ __device__ inline float times(float a, float b) { ROUNDED(__fmul_rn(a, b), a * b); }
__host__ __device__ inline float plus(float a, float b) { ROUNDED(__fadd_rn(a, b), a + b); }
__host__ __device__ inline float minus(float a, float b) { ROUNDED(__fsub_rn(a, b), a - b); }
__host__ __device__ inline float over(float a, float b) { ROUNDED(__fdiv_rn(a, b), a / b); }

#undef ROUNDED

}  // namespace workloads
