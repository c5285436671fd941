// Accesses to shared memory that name the layout of the array (docs/bank-maps.md): of structures that are read whole, and by a field of
// many of them, in one kernel. On a machine with sm.memory.bank_map = "per_access" both are free of conflicts; on others, and on real ones,
// the layout means nothing.
#pragma once

#include <cstdint>

namespace warpwright {

// The stride family of an array of such structures: trailing zeros of their size in words.
template <class Structure>
__host__ __device__ constexpr unsigned layoutOf() {
  static_assert(sizeof(Structure) % 4 == 0, "structures are of whole words");
  unsigned family = 0;
  for (std::size_t words = sizeof(Structure) / 4; words % 2 == 0; words /= 2) ++family;
  return family;
}

// A word at an address of shared memory, in the layout of a family.
template <unsigned Family>
__device__ inline std::uint32_t loadShared(const void* word) {
  std::uint32_t value;
  asm volatile("{\n\t.pragma \"shared_layout %2\";\n\tld.shared.u32 %0, [%1];\n\t}"
               : "=r"(value)
               : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(word))), "n"(Family)
               : "memory");
  return value;
}

template <unsigned Family>
__device__ inline void storeShared(void* word, std::uint32_t value) {
  asm volatile("{\n\t.pragma \"shared_layout %2\";\n\tst.shared.u32 [%0], %1;\n\t}"
               :
               : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(word))), "r"(value), "n"(Family)
               : "memory");
}

}  // namespace warpwright
