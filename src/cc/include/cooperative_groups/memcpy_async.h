// Copies from global to shared memory by all threads of a group: cp.async from sm_80 on, loads and stores before it.
#pragma once
#define _COOPERATIVE_GROUPS_MEMCPY_ASYNC

#include "../cooperative_groups.h"
#include "../cuda_pipeline.h"

#ifdef __CUDA__

namespace cooperative_groups {

#define WARPWRIGHT_GROUP __attribute__((device, nodebug)) inline

namespace details {

// Whether `size` bytes, a power of two, divide both addresses and the length.
WARPWRIGHT_GROUP bool isMultiple(const void* to, const void* from, size_t bytes, size_t size) {
  return (((size_t)to | (size_t)from | bytes) & (size - 1)) == 0;
}

WARPWRIGHT_GROUP bool isGlobalToShared(const void* to, const void* from) { return __isShared(to) && __isGlobal(from); }

// Thread `rank` of `threads` copies every `threads`-th piece of `size` bytes.
WARPWRIGHT_GROUP void copyAsync(unsigned rank, unsigned threads, char* to, const char* from, size_t bytes, size_t size) {
  for (size_t at = rank * size; at < bytes; at += threads * size) __pipeline_memcpy_async(to + at, from + at, size);
}

WARPWRIGHT_GROUP void copyNow(unsigned rank, unsigned threads, char* to, const char* from, size_t bytes) {
  for (size_t at = rank; at < bytes; at += threads) to[at] = from[at];
}

}  // namespace details

// Copies `bytes` with all threads of the group. The data may be read after wait(). Each call is a batch of its own.
template <typename Group>
WARPWRIGHT_GROUP void memcpy_async(const Group& group, void* to, const void* from, size_t bytes) {
  const unsigned rank = (unsigned)group.thread_rank(), threads = (unsigned)group.size();
#if __CUDA_ARCH__ >= 800
  if (details::isGlobalToShared(to, from) && details::isMultiple(to, from, bytes, 4)) {
    const size_t size = details::isMultiple(to, from, bytes, 16) ? 16 : details::isMultiple(to, from, bytes, 8) ? 8 : 4;
    details::copyAsync(rank, threads, (char*)to, (const char*)from, bytes, size);
    __pipeline_commit();
    return;
  }
#endif
  details::copyNow(rank, threads, (char*)to, (const char*)from, bytes);
#if __CUDA_ARCH__ >= 800
  __pipeline_commit();
#endif
}

// Copies as many elements as both sides have.
template <typename Group, typename T>
WARPWRIGHT_GROUP void memcpy_async(const Group& group, T* to, size_t toCount, const T* from, size_t fromCount) {
  memcpy_async(group, (void*)to, (const void*)from, (toCount < fromCount ? toCount : fromCount) * sizeof(T));
}

// Waits for all batches of the group but the last `stages`, then for its threads.
template <unsigned stages, typename Group>
WARPWRIGHT_GROUP void wait_prior(const Group& group) {
#if __CUDA_ARCH__ >= 800
  __pipeline_wait_prior(stages);
#endif
  group.sync();
}

template <typename Group>
WARPWRIGHT_GROUP void wait(const Group& group) {
  wait_prior<0>(group);
}

#undef WARPWRIGHT_GROUP

}  // namespace cooperative_groups

#endif  // __CUDA__
