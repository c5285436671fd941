#include "exec/direct_access.hpp"

#include <immintrin.h>

#include <cstring>

namespace warpwright::exec {
namespace {

#define WW_AVX512 __attribute__((target("avx2,bmi,avx512f,avx512vl,avx512bw,avx512dq")))
#define WW_AVX512_INLINE WW_AVX512 inline __attribute__((always_inline))

constexpr u32 kHalfWarp = 16;  // lanes, and 32-bit words of a vector register
constexpr u64 kWord = 4;       // bytes
// Neighbouring warps read on from where this one does: that far ahead (four warps' worth of words) bytes are asked for.
constexpr u64 kPrefetchDistance = 512;
constexpr u64 kAddressLimit32 = u64{1} << 32;

enum class HalfShape : u8 { consecutive, uniform, scattered };

// Where half a warp goes. Scattered lanes have their host addresses in `lanes`.
struct HalfLocation {
  HalfShape shape = HalfShape::uniform;
  u64 host = 0;  // of the first lane
  __m512i lanes[2];
};

WW_AVX512_INLINE __m512i wide(__m256i low, __m256i high) {
  return _mm512_or_si512(_mm512_cvtepu32_epi64(low), _mm512_slli_epi64(_mm512_cvtepu32_epi64(high), 32));
}

WW_AVX512_INLINE bool inReach(const Reach& reach, u64 address, u64 bytes) {
  return bytes <= reach.bytes && address - reach.begin <= reach.bytes - bytes;
}

WW_AVX512_INLINE bool locateScattered(const DirectAddress& address, const Reach& reach, __m512i low, __m512i high, HalfLocation& half) {
  if (reach.bytes < kWord) return false;
  __m512i sums[2];
  if (address.wrap32) {
    const __m512i wrapped = _mm512_add_epi32(low, _mm512_set1_epi32(static_cast<int>(address.offset)));
    sums[0] = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(wrapped));
    sums[1] = _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(wrapped, 1));
  } else {
    const __m512i offset = _mm512_set1_epi64(static_cast<long long>(address.offset));
    sums[0] = _mm512_add_epi64(wide(_mm512_castsi512_si256(low), _mm512_castsi512_si256(high)), offset);
    sums[1] = _mm512_add_epi64(wide(_mm512_extracti64x4_epi64(low, 1), _mm512_extracti64x4_epi64(high, 1)), offset);
  }
  const __m512i begin = _mm512_set1_epi64(static_cast<long long>(reach.begin));
  const __m512i last = _mm512_set1_epi64(static_cast<long long>(reach.bytes - kWord));
  const __m512i misaligned = _mm512_set1_epi64(kWord - 1);
  const __m512i base = _mm512_set1_epi64(static_cast<long long>(reach.base));
  u32 bad = 0;
  for (u32 part = 0; part < 2; ++part) {
    bad |= _mm512_cmpgt_epu64_mask(_mm512_sub_epi64(sums[part], begin), last);
    bad |= _mm512_test_epi64_mask(sums[part], misaligned);
    half.lanes[part] = _mm512_add_epi64(sums[part], base);
  }
  half.shape = HalfShape::scattered;
  return bad == 0;
}

// Where so many bytes from the address `registers`, whose low word is firstLow, lie; 0 when they are misaligned or out of reach.
WW_AVX512_INLINE u64 locateRun(const DirectAddress& address, const Reach& reach, u64 firstLow, u64 registers, u64 bytes) {
  u64 sum = registers + address.offset;
  if (address.wrap32) sum = static_cast<u32>(sum);
  // A carry out of the low words between the lanes would make them no neighbours.
  if (firstLow + bytes > kAddressLimit32 || (address.wrap32 && sum + bytes > kAddressLimit32)) return 0;
  if (sum % kWord != 0 || !inReach(reach, sum, bytes)) return 0;
  return reach.base + sum;
}

WW_AVX512_INLINE bool locateHalf(const DirectAddress& address, const Reach& reach, u32 first, HalfLocation& half) {
  const u32* lowWords = address.low + first;
  const u64 firstLow = lowWords[0];
  const __m512i low = _mm512_loadu_si512(lowWords);
  const __m512i steps = _mm512_sub_epi32(low, _mm512_set1_epi32(static_cast<int>(firstLow)));
  const __m512i neighbours = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60);
  const bool uniform = _mm512_test_epi32_mask(steps, steps) == 0;
  const bool consecutive = _mm512_cmpneq_epi32_mask(steps, neighbours) == 0;
  __m512i high = _mm512_setzero_si512();
  u64 sum = firstLow;
  bool regular = uniform | consecutive;
  if (address.high) {
    const u32* highWords = address.high + first;
    high = _mm512_loadu_si512(highWords);
    regular &= _mm512_cmpneq_epi32_mask(high, _mm512_set1_epi32(static_cast<int>(highWords[0]))) == 0;
    sum |= u64{highWords[0]} << 32;
  }
  if (!regular) return locateScattered(address, reach, low, high, half);
  half.shape = uniform ? HalfShape::uniform : HalfShape::consecutive;
  half.host = locateRun(address, reach, firstLow, sum, uniform ? kWord : kHalfWarp * kWord);
  return half.host != 0;
}

WW_AVX512_INLINE bool locate(const DirectAddress& address, const Reach& reach, HalfLocation (&halves)[2]) {
  if (address.low) return locateHalf(address, reach, 0, halves[0]) && locateHalf(address, reach, kHalfWarp, halves[1]);
  if (address.offset % kWord != 0 || !inReach(reach, address.offset, kWord)) return false;
  for (HalfLocation& half : halves) {
    half.shape = HalfShape::uniform;
    half.host = reach.base + address.offset;
  }
  return true;
}

WW_AVX512_INLINE __m512i loadHalf(const HalfLocation& half) {
  if (half.shape == HalfShape::consecutive) {
    _mm_prefetch(reinterpret_cast<const char*>(half.host + kPrefetchDistance), _MM_HINT_T0);
    return _mm512_loadu_si512(reinterpret_cast<const void*>(half.host));
  }
  if (half.shape == HalfShape::uniform) {
    u32 value;
    std::memcpy(&value, reinterpret_cast<const void*>(half.host), sizeof value);
    return _mm512_set1_epi32(static_cast<int>(value));
  }
  const __m256i low = _mm512_i64gather_epi32(half.lanes[0], nullptr, 1);
  const __m256i high = _mm512_i64gather_epi32(half.lanes[1], nullptr, 1);
  return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

// Lanes that write the same word do so in order: the highest wins.
WW_AVX512_INLINE void storeHalf(const HalfLocation& half, const u32* words) {
  const __m512i values = _mm512_loadu_si512(words);
  if (half.shape == HalfShape::consecutive) {
    _mm512_storeu_si512(reinterpret_cast<void*>(half.host), values);
  } else if (half.shape == HalfShape::uniform) {
    std::memcpy(reinterpret_cast<void*>(half.host), words + kHalfWarp - 1, sizeof(u32));
  } else {
    _mm512_i64scatter_epi32(nullptr, half.lanes[0], _mm512_castsi512_si256(values), 1);
    _mm512_i64scatter_epi32(nullptr, half.lanes[1], _mm512_extracti64x4_epi64(values, 1), 1);
  }
}

// Where the words lie when the lanes of the whole warp have neighbouring addresses, all within reach; 0 otherwise.
WW_AVX512_INLINE u64 locateRow(const DirectAddress& address, const Reach& reach) {
  if (!address.low) return 0;
  const u64 firstLow = address.low[0];
  const __m512i base = _mm512_set1_epi32(static_cast<int>(firstLow));
  const __m512i steps = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60);
  const __m512i expected = _mm512_add_epi32(base, steps);
  const __m512i expectedNext = _mm512_add_epi32(expected, _mm512_set1_epi32(kHalfWarp * kWord));
  u32 different = _mm512_cmpneq_epi32_mask(_mm512_loadu_si512(address.low), expected) |
                  _mm512_cmpneq_epi32_mask(_mm512_loadu_si512(address.low + kHalfWarp), expectedNext);
  u64 sum = firstLow;
  if (address.high) {
    const __m512i high = _mm512_set1_epi32(static_cast<int>(address.high[0]));
    different |= _mm512_cmpneq_epi32_mask(_mm512_loadu_si512(address.high), high) |
                 _mm512_cmpneq_epi32_mask(_mm512_loadu_si512(address.high + kHalfWarp), high);
    sum |= u64{address.high[0]} << 32;
  }
  if (different != 0) return 0;
  return locateRun(address, reach, firstLow, sum, 2 * kHalfWarp * kWord);
}

WW_AVX512 bool loadWords(const DirectAddress& address, const Reach& reach, u32* plane) {
  if (const u64 row = locateRow(address, reach)) {
    const auto* words = reinterpret_cast<const char*>(row);
    _mm_prefetch(words + kPrefetchDistance, _MM_HINT_T0);
    _mm_prefetch(words + kPrefetchDistance + kHalfWarp * kWord, _MM_HINT_T0);
    _mm512_storeu_si512(plane, _mm512_loadu_si512(words));
    _mm512_storeu_si512(plane + kHalfWarp, _mm512_loadu_si512(words + kHalfWarp * kWord));
    return true;
  }
  HalfLocation halves[2];
  if (!locate(address, reach, halves)) return false;
  const __m512i first = loadHalf(halves[0]);
  const __m512i second = loadHalf(halves[1]);
  _mm512_storeu_si512(plane, first);
  _mm512_storeu_si512(plane + kHalfWarp, second);
  return true;
}

// Vectors that are the same for all lanes of a half, as when a tile is read along its rows.
template <u32 kElements>
WW_AVX512 bool loadVectors(const DirectAddress& address, const Reach& reach, u32* plane) {
  constexpr u64 kRest = (kElements - 1) * kWord;
  if (reach.bytes < kRest) return false;
  HalfLocation halves[2];
  if (!locate(address, {reach.begin, reach.bytes - kRest, reach.base}, halves)) return false;
  for (const HalfLocation& half : halves)
    if (half.shape != HalfShape::uniform || (half.host - reach.base) % (kElements * kWord) != 0) return false;
  u32 words[2][kElements];
  for (u32 half = 0; half < 2; ++half) std::memcpy(words[half], reinterpret_cast<const void*>(halves[half].host), sizeof words[half]);
  for (u32 element = 0; element < kElements; ++element)
    for (u32 half = 0; half < 2; ++half)
      _mm512_storeu_si512(plane + 2 * kHalfWarp * element + kHalfWarp * half, _mm512_set1_epi32(static_cast<int>(words[half][element])));
  return true;
}

WW_AVX512 bool storeWords(const DirectAddress& address, const Reach& reach, u32* plane) {
  if (const u64 row = locateRow(address, reach)) {
    auto* words = reinterpret_cast<char*>(row);
    _mm512_storeu_si512(words, _mm512_loadu_si512(plane));
    _mm512_storeu_si512(words + kHalfWarp * kWord, _mm512_loadu_si512(plane + kHalfWarp));
    return true;
  }
  HalfLocation halves[2];
  if (!locate(address, reach, halves)) return false;
  storeHalf(halves[0], plane);
  storeHalf(halves[1], plane + kHalfWarp);
  return true;
}

bool served(isa::DataType type, u32 lanes, HostLevel level) {
  return isa::sizeOf(type) == kWord && lanes == 2 * kHalfWarp && level == HostLevel::avx512;
}

#undef WW_AVX512_INLINE
#undef WW_AVX512

}  // namespace

DirectFunction directLoad(isa::DataType type, u32 elements, u32 lanes, HostLevel level) {
  if (!served(type, lanes, level)) return nullptr;
  return elements == 1 ? loadWords : elements == 2 ? loadVectors<2> : loadVectors<4>;
}

DirectFunction directStore(isa::DataType type, u32 lanes, HostLevel level) { return served(type, lanes, level) ? storeWords : nullptr; }

}  // namespace warpwright::exec
