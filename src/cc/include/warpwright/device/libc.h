// The C library on the device: printf, malloc, free, assert, memcpy, memset, clock.
#pragma once

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern "C" {
// The system calls of the PTX interoperability guide; the machine implements them.
__device__ int vprintf(const char*, const char*);
__device__ void* malloc(size_t) __attribute__((nothrow, malloc));
__device__ void free(void*) __attribute__((nothrow));
__device__ void __assertfail(const char* message, const char* file, unsigned line, const char* function, size_t charSize);

// What the host's assert() calls.
__attribute__((nodebug)) __device__ static inline void __assert_fail(const char* message, const char* file, unsigned line,
                                                                     const char* function) {
  __assertfail(message, file, line, function, sizeof(char));
}

// clang turns calls of this into vprintf.
__device__ int printf(const char*, ...);
}

WARPWRIGHT_DEVICE void* memcpy(void* to, const void* from, size_t bytes) { return __builtin_memcpy(to, from, bytes); }
WARPWRIGHT_DEVICE void* memmove(void* to, const void* from, size_t bytes) { return __builtin_memmove(to, from, bytes); }
WARPWRIGHT_DEVICE void* memset(void* to, int value, size_t bytes) { return __builtin_memset(to, value, bytes); }

namespace std {
__device__ static inline void* malloc(size_t bytes) { return ::malloc(bytes); }
__device__ static inline void free(void* memory) { ::free(memory); }
}  // namespace std

WARPWRIGHT_DEVICE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
WARPWRIGHT_DEVICE clock_t clock() { return __nvvm_read_ptx_sreg_clock(); }
WARPWRIGHT_DEVICE unsigned long long __globaltimer() {
  unsigned long long nanoseconds;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
  return nanoseconds;
}
