// Tensor maps. They are bytes that any context may use: the layout is that of isa/tensor_map.hpp.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "call.hpp"
#include "isa/tensor_map.hpp"

using namespace warpwright;
using namespace warpwright::cuda;

namespace {

using isa::TensorMap;

constexpr cuuint64_t kMostElements = cuuint64_t{1} << 32;  // of a dimension

// None for the packed types of compute capability 10.0.
std::optional<TensorMap::Element> elementOf(CUtensorMapDataType type) {
  using E = TensorMap::Element;
  constexpr std::array kElements = {E::u8,  E::u16, E::u32,  E::s32,     E::u64,  E::s64,     E::f16,
                                    E::f32, E::f64, E::bf16, E::f32_ftz, E::tf32, E::tf32_ftz};
  const auto number = static_cast<std::size_t>(type);
  return number < kElements.size() ? std::optional(kElements[number]) : std::nullopt;
}

bool isAligned(const void* map) { return reinterpret_cast<uintptr_t>(map) % isa::kTensorMapAlignment == 0; }

template <typename To, typename From>
To enumerator(From value) {
  return static_cast<To>(static_cast<u8>(value));
}

bool fitByte(std::initializer_list<u32> values) {
  return std::all_of(values.begin(), values.end(), [](u32 value) { return value <= 0xff; });
}

struct Extents {
  const cuuint64_t *sizes = nullptr, *strides = nullptr;
  const cuuint32_t *box = nullptr, *steps = nullptr;
};

// False: an array is missing, or has a value that the map has no room for.
bool take(const Extents& given, u32 rank, TensorMap& map) {
  if (rank == 0 || rank > TensorMap::kMostDimensions) return false;
  if (!given.sizes || !given.box || !given.steps || (rank > 1 && !given.strides)) return false;
  map.rank = static_cast<u8>(rank - 1);
  for (u32 i = 0; i < rank; ++i) {
    if (given.sizes[i] == 0 || given.sizes[i] > kMostElements) return false;
    map.globalDim[i] = static_cast<u32>(given.sizes[i]);
    map.boxDim[i] = given.box[i];
    map.elementStride[i] = given.steps[i];
  }
  for (u32 i = 0; i + 1 < rank; ++i) map.globalStride[i] = given.strides[i];
  return true;
}

}  // namespace

CUresult cuTensorMapEncodeTiled(CUtensorMap* tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank, void* globalAddress,
                                const cuuint64_t* globalDim, const cuuint64_t* globalStrides, const cuuint32_t* boxDim,
                                const cuuint32_t* elementStrides, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill) {
  return call(Needs::cuInit, [&](Driver&) {
    const auto element = elementOf(tensorDataType);
    if (!tensorMap || !isAligned(tensorMap) || !element) return CUDA_ERROR_INVALID_VALUE;
    if (!fitByte({static_cast<u32>(interleave), static_cast<u32>(swizzle), static_cast<u32>(l2Promotion), static_cast<u32>(oobFill)}))
      return CUDA_ERROR_INVALID_VALUE;
    TensorMap map;
    map.globalAddress = reinterpret_cast<u64>(globalAddress);
    map.element = *element;
    map.interleave = enumerator<TensorMap::Interleave>(interleave);
    map.swizzle = enumerator<TensorMap::Swizzle>(swizzle);
    map.fill = enumerator<TensorMap::Fill>(oobFill);
    map.promotion = static_cast<u8>(l2Promotion);
    if (!take({globalDim, globalStrides, boxDim, elementStrides}, tensorRank, map)) return CUDA_ERROR_INVALID_VALUE;
    if (!isa::problemOf(map).empty()) return CUDA_ERROR_INVALID_VALUE;
    std::memcpy(tensorMap, &map, sizeof map);
    return CUDA_SUCCESS;
  });
}

CUresult cuTensorMapReplaceAddress(CUtensorMap* tensorMap, void* globalAddress) {
  return call(Needs::cuInit, [&](Driver&) {
    if (!tensorMap || !isAligned(tensorMap)) return CUDA_ERROR_INVALID_VALUE;
    TensorMap map;
    std::memcpy(static_cast<void*>(&map), tensorMap, sizeof map);
    map.globalAddress = reinterpret_cast<u64>(globalAddress);
    if (!isa::problemOf(map).empty()) return CUDA_ERROR_INVALID_VALUE;
    std::memcpy(tensorMap, &map, sizeof map);
    return CUDA_SUCCESS;
  });
}
