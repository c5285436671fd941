// Barriers in shared memory that threads arrive at and wait for at different times: mbarrier of PTX (sm_80).
#pragma once
#define _CUDA_AWBARRIER_PRIMITIVES_H_

#include <stdint.h>

#include "cuda_pipeline.h"

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

#ifdef __CUDA__

// What CUDA promises; PTX allows 2^20 - 1.
static __inline__ uint32_t __mbarrier_maximum_count() { return (1u << 14) - 1; }

WARPWRIGHT_DEVICE void __mbarrier_init(__mbarrier_t* barrier, uint32_t expected) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"((unsigned)__cvta_generic_to_shared(barrier)), "r"(expected) : "memory");
}
WARPWRIGHT_DEVICE void __mbarrier_inval(__mbarrier_t* barrier) {
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"((unsigned)__cvta_generic_to_shared(barrier)) : "memory");
}

#define WARPWRIGHT_ARRIVE(name, instruction)                                                                                       \
  WARPWRIGHT_DEVICE __mbarrier_token_t name(__mbarrier_t* barrier) {                                                               \
    __mbarrier_token_t token;                                                                                                      \
    asm volatile(instruction ".shared.b64 %0, [%1];" : "=l"(token) : "r"((unsigned)__cvta_generic_to_shared(barrier)) : "memory"); \
    return token;                                                                                                                  \
  }
WARPWRIGHT_ARRIVE(__mbarrier_arrive, "mbarrier.arrive")
WARPWRIGHT_ARRIVE(__mbarrier_arrive_and_drop, "mbarrier.arrive_drop")
#undef WARPWRIGHT_ARRIVE

// Whether the phase that the token, or the parity, names is over.
#define WARPWRIGHT_TEST(name, instruction, Phase, Operand, constraint)                          \
  WARPWRIGHT_DEVICE bool name(__mbarrier_t* barrier, Phase phase) {                             \
    unsigned over;                                                                              \
    asm volatile("{.reg .pred p; " instruction " p, [%1], %2; selp.u32 %0, 1, 0, p;}"           \
                 : "=r"(over)                                                                   \
                 : "r"((unsigned)__cvta_generic_to_shared(barrier)), constraint((Operand)phase) \
                 : "memory");                                                                   \
    return over != 0;                                                                           \
  }
WARPWRIGHT_TEST(__mbarrier_test_wait, "mbarrier.test_wait.shared.b64", __mbarrier_token_t, uint64_t, "l")
WARPWRIGHT_TEST(__mbarrier_test_wait_parity, "mbarrier.test_wait.parity.shared.b64", bool, unsigned, "r")
#undef WARPWRIGHT_TEST

WARPWRIGHT_DEVICE uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
  uint32_t count;
  asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
  return count;
}

// The thread's copies so far count as an arrival once they have landed.
WARPWRIGHT_DEVICE void __pipeline_arrive_on(__mbarrier_t* barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"((unsigned)__cvta_generic_to_shared(barrier)) : "memory");
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
// As above, and may wait for up to so many nanoseconds.
#define WARPWRIGHT_TRY(name, instruction, Phase, Operand, constraint)                                             \
  WARPWRIGHT_DEVICE bool name(__mbarrier_t* barrier, Phase phase, uint32_t nanoseconds) {                         \
    unsigned over;                                                                                                \
    asm volatile("{.reg .pred p; " instruction " p, [%1], %2, %3; selp.u32 %0, 1, 0, p;}"                         \
                 : "=r"(over)                                                                                     \
                 : "r"((unsigned)__cvta_generic_to_shared(barrier)), constraint((Operand)phase), "r"(nanoseconds) \
                 : "memory");                                                                                     \
    return over != 0;                                                                                             \
  }
WARPWRIGHT_TRY(__mbarrier_try_wait, "mbarrier.try_wait.shared.b64", __mbarrier_token_t, uint64_t, "l")
WARPWRIGHT_TRY(__mbarrier_try_wait_parity, "mbarrier.try_wait.parity.shared.b64", bool, unsigned, "r")
#undef WARPWRIGHT_TRY
#endif

#endif  // __CUDA__
