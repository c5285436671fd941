// Barriers, fences, time and traps.
#pragma once

WARPWRIGHT_DEVICE __attribute__((convergent)) void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
WARPWRIGHT_DEVICE __attribute__((convergent)) int __syncthreads_count(int predicate) { return __nvvm_bar0_popc(predicate); }
WARPWRIGHT_DEVICE __attribute__((convergent)) int __syncthreads_and(int predicate) { return __nvvm_bar0_and(predicate); }
WARPWRIGHT_DEVICE __attribute__((convergent)) int __syncthreads_or(int predicate) { return __nvvm_bar0_or(predicate); }
// __syncthreads itself is a builtin of clang.

WARPWRIGHT_DEVICE __attribute__((convergent)) void __barrier_sync(unsigned id) { __nvvm_barrier_sync(id); }
WARPWRIGHT_DEVICE __attribute__((convergent)) void __barrier_sync_count(unsigned id, unsigned threads) {
  __nvvm_barrier_sync_cnt(id, threads);
}

WARPWRIGHT_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
WARPWRIGHT_DEVICE void __threadfence() { __nvvm_membar_gl(); }
WARPWRIGHT_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }

WARPWRIGHT_DEVICE void __nanosleep(unsigned nanoseconds) { asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds)); }
WARPWRIGHT_DEVICE void __trap() { asm volatile("trap;"); }
WARPWRIGHT_DEVICE void __brkpt() { asm volatile("brkpt;"); }
WARPWRIGHT_DEVICE void __prof_trigger(int) {}
#define __assume(condition) __builtin_assume(condition)
