// Asynchronous copies from global to shared memory as functions: cp.async of PTX.
#pragma once
#define _CUDA_PIPELINE_H_

#include "cuda_runtime.h"

#ifdef __CUDA__

#define WARPWRIGHT_PIPELINE __attribute__((device, nodebug)) inline

// Copies 4, 8 or 16 bytes, of which the last `zfill` become zeros. Both addresses are aligned to the size. The data may be read once the
// thread has waited for the copy's batch.
WARPWRIGHT_PIPELINE void __pipeline_memcpy_async(void* shared, const void* global, size_t size, size_t zfill = 0) {
  const unsigned to = (unsigned)(size_t)(__attribute__((address_space(3))) void*)shared;
  const size_t from = (size_t)(__attribute__((address_space(1))) const void*)global;
  const unsigned bytes = (unsigned)(size - zfill);
#ifdef __LP64__
#define WARPWRIGHT_SOURCE "l"(from)
#else
#define WARPWRIGHT_SOURCE "r"(from)
#endif
  if (size == 4)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), WARPWRIGHT_SOURCE, "r"(bytes) : "memory");
  else if (size == 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), WARPWRIGHT_SOURCE, "r"(bytes) : "memory");
  else if (size == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), WARPWRIGHT_SOURCE, "r"(bytes) : "memory");
  else
    __trap();
#undef WARPWRIGHT_SOURCE
}

// Ends the thread's current batch of copies.
WARPWRIGHT_PIPELINE void __pipeline_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// Waits for all batches of the thread but the last `prior`; counts above 7 wait as for 7.
WARPWRIGHT_PIPELINE void __pipeline_wait_prior(size_t prior) {
#define WARPWRIGHT_WAIT(n)                                    \
  case n:                                                     \
    asm volatile("cp.async.wait_group " #n ";" ::: "memory"); \
    return;
  switch (prior) {
    WARPWRIGHT_WAIT(0)
    WARPWRIGHT_WAIT(1)
    WARPWRIGHT_WAIT(2)
    WARPWRIGHT_WAIT(3)
    WARPWRIGHT_WAIT(4)
    WARPWRIGHT_WAIT(5)
    WARPWRIGHT_WAIT(6)
    default:
      asm volatile("cp.async.wait_group 7;" ::: "memory");
  }
#undef WARPWRIGHT_WAIT
}

#undef WARPWRIGHT_PIPELINE

#endif  // __CUDA__
