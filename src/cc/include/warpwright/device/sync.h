// Barriers, fences, time and traps.
//
// What orders memory is inline PTX that clobbers memory: an optimiser may move no access across it. Of the intrinsics that clang has for
// the same instructions, clang 14 believes that they leave variables alone which are internal to the module (__shared__, static).
#pragma once

#define WARPWRIGHT_BARRIER WARPWRIGHT_DEVICE __attribute__((convergent))

WARPWRIGHT_BARRIER void __warpwright_syncthreads() { asm volatile("bar.sync 0;" ::: "memory"); }
// clang has a builtin of this name, which cannot be defined anew.
#define __syncthreads() __warpwright_syncthreads()

WARPWRIGHT_BARRIER void __syncwarp(unsigned mask = 0xffffffffu) { asm volatile("bar.warp.sync %0;" ::"ri"(mask) : "memory"); }

WARPWRIGHT_BARRIER int __syncthreads_count(WARPWRIGHT_MAYBE_UNDEFINED int predicate) {
  int count;
  asm volatile("{.reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 0, p;}" : "=r"(count) : "r"(predicate) : "memory");
  return count;
}
#define WARPWRIGHT_SYNC_VOTE(name, operation)                                                                         \
  WARPWRIGHT_BARRIER int name(WARPWRIGHT_MAYBE_UNDEFINED int predicate) {                                             \
    int holds;                                                                                                        \
    asm volatile("{.reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red." operation ".pred q, 0, p; selp.s32 %0, 1, 0, q;}" \
                 : "=r"(holds)                                                                                        \
                 : "r"(predicate)                                                                                     \
                 : "memory");                                                                                         \
    return holds;                                                                                                     \
  }
WARPWRIGHT_SYNC_VOTE(__syncthreads_and, "and")
WARPWRIGHT_SYNC_VOTE(__syncthreads_or, "or")
#undef WARPWRIGHT_SYNC_VOTE

WARPWRIGHT_BARRIER void __barrier_sync(unsigned id) { asm volatile("barrier.sync %0;" ::"ri"(id) : "memory"); }
WARPWRIGHT_BARRIER void __barrier_sync_count(unsigned id, unsigned threads) {
  asm volatile("barrier.sync %0, %1;" ::"ri"(id), "ri"(threads) : "memory");
}
#undef WARPWRIGHT_BARRIER

WARPWRIGHT_DEVICE void __threadfence_block() { asm volatile("membar.cta;" ::: "memory"); }
WARPWRIGHT_DEVICE void __threadfence() { asm volatile("membar.gl;" ::: "memory"); }
WARPWRIGHT_DEVICE void __threadfence_system() { asm volatile("membar.sys;" ::: "memory"); }

WARPWRIGHT_DEVICE void __nanosleep(unsigned nanoseconds) { asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds)); }
WARPWRIGHT_DEVICE void __trap() { asm volatile("trap;"); }
WARPWRIGHT_DEVICE void __brkpt() { asm volatile("brkpt;"); }
WARPWRIGHT_DEVICE void __prof_trigger(int) {}
#define __assume(condition) __builtin_assume(condition)
