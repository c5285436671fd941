// Loads whose result is the place of the next one: one kind for each way through the memory system; and rings of such places.
#pragma once

#include <vector>

#include "measure.cuh"

namespace micro {

using Address = unsigned long long;

// Through the first-level data cache, and beside it.
struct CachedLoad {
  using Place = Address;
  __device__ void step(Place& place) const { asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(place) : : "memory"); }
};
struct L2Load {
  using Place = Address;
  __device__ void step(Place& place) const { asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(place) : : "memory"); }
};
// The place is an address of the constant window.
struct ConstantLoad {
  using Place = Address;
  __device__ void step(Place& place) const { asm volatile("ld.const.u64 %0, [%0];" : "+l"(place) : : "memory"); }
};
// The place is the index of a texel.
struct TextureLoad {
  using Place = int;
  cudaTextureObject_t texture;
  __device__ void step(Place& place) const { place = tex1Dfetch<int>(texture, place); }
};

// Device memory that begins at a multiple of its alignment.
class AlignedMemory {
 public:
  AlignedMemory(size_t bytes, size_t alignment) : memory_(bytes + alignment) {
    start_ = (reinterpret_cast<Address>(memory_.data()) + alignment - 1) / alignment * alignment;
  }
  Address start() const { return start_; }

 private:
  workloads::DeviceArray<char> memory_;
  Address start_;
};

// Element i, `stride` bytes behind the one before, holds the place of element i + 1, the last one that of the first: `first`, and `step`
// more for each element.
template <class Word>
void linkRing(Address memory, size_t elements, size_t stride, Word first, Word step) {
  std::vector<Word> next(elements);
  for (size_t i = 0; i < elements; ++i) next[i] = first + static_cast<Word>((i + 1) % elements) * step;
  WORKLOAD_CHECK(
      cudaMemcpy2D(reinterpret_cast<void*>(memory), stride, next.data(), sizeof(Word), sizeof(Word), elements, cudaMemcpyHostToDevice));
}

// --- what holds rings for each kind of load: memory of `bytes`, linked anew for each ring

template <class Load>
class GlobalArea {
 public:
  explicit GlobalArea(size_t bytes) : memory_(bytes, kAlignment) {}
  Load load() const { return {}; }
  Address link(size_t elements, size_t stride) const {
    linkRing<Address>(memory_.start(), elements, stride, memory_.start(), stride);
    return memory_.start();
  }

 private:
  // Caches that hash their sets share a piece of their size evenly when it begins at a multiple of its size.
  static constexpr size_t kAlignment = size_t{1} << 20;
  AlignedMemory memory_;
};

constexpr size_t kConstantBytes = 32 * 1024;
__constant__ Address constantTable[kConstantBytes / sizeof(Address)];

__global__ void findConstantTable(Address* result) { asm("cvta.to.const.u64 %0, %1;" : "=l"(*result) : "l"(constantTable)); }

class ConstantArea {
 public:
  explicit ConstantArea(size_t) {
    workloads::DeviceArray<Address> found(1);
    findConstantTable<<<1, 1>>>(found.data());
    start_ = valueOf(found);
  }
  ConstantLoad load() const { return {}; }
  Address link(size_t elements, size_t stride) const {
    void* table = nullptr;
    WORKLOAD_CHECK(cudaGetSymbolAddress(&table, constantTable));
    linkRing<Address>(reinterpret_cast<Address>(table), elements, stride, start_, stride);
    return start_;
  }

 private:
  Address start_ = 0;
};

class TextureArea {
 public:
  explicit TextureArea(size_t bytes) : memory_(bytes, kAlignment) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = reinterpret_cast<void*>(memory_.start());
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = bytes;
    cudaTextureDesc description{};
    description.readMode = cudaReadModeElementType;
    WORKLOAD_CHECK(cudaCreateTextureObject(&texture_, &resource, &description, nullptr));
  }
  ~TextureArea() { cudaDestroyTextureObject(texture_); }
  TextureArea(const TextureArea&) = delete;
  TextureArea& operator=(const TextureArea&) = delete;

  TextureLoad load() const { return {texture_}; }
  int link(size_t elements, size_t stride) const {
    linkRing<int>(memory_.start(), elements, stride, 0, static_cast<int>(stride / sizeof(int)));
    return 0;
  }

 private:
  static constexpr size_t kAlignment = size_t{1} << 20;
  AlignedMemory memory_;
  cudaTextureObject_t texture_ = 0;
};

}  // namespace micro
