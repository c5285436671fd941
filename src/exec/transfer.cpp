#include "exec/transfer.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace warpwright::exec {
namespace {

#define WW_INLINE inline __attribute__((always_inline))
#define WW_INLINE_LAMBDA __attribute__((always_inline))

// The register word(s) of a loaded element: 8 and 16 bits are widened according to sign.
template <typename T>
WW_INLINE u32 lowWord(T value) {
  if constexpr (std::is_signed_v<T>) return static_cast<u32>(static_cast<s32>(value));
  return static_cast<u32>(value);
}

template <typename T>
WW_INLINE T read(u64 address) {
  T value;
  std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof(T));
  return value;
}

template <typename T, u32 kLanes>
WW_INLINE void put(u32* plane, u32 lane, T value) {
  plane[lane] = lowWord(value);
  if constexpr (sizeof(T) == 8) plane[kLanes + lane] = static_cast<u32>(value >> 32);
}

template <typename T, u32 kLanes>
WW_INLINE T get(const u32* plane, u32 lane) {
  if constexpr (sizeof(T) == 8) return plane[lane] | static_cast<u64>(plane[kLanes + lane]) << 32;
  return static_cast<T>(plane[lane]);
}

template <typename T>
constexpr u32 kWords = sizeof(T) == 8 ? 2 : 1;

template <typename T, u32 kLanes, u32 kElements>
WW_INLINE void loadConsecutive(u64 from, u32* __restrict planes) {
  for (u32 l = 0; l < kLanes; ++l) {
    for (u32 e = 0; e < kElements; ++e) put<T, kLanes>(planes + e * kWords<T> * kLanes, l, read<T>(from + (l * kElements + e) * sizeof(T)));
  }
}

template <typename T, u32 kLanes, u32 kElements>
WW_INLINE void storeConsecutive(u64 to, const u32* __restrict planes) {
  for (u32 l = 0; l < kLanes; ++l) {
    for (u32 e = 0; e < kElements; ++e) {
      const T value = get<T, kLanes>(planes + e * kWords<T> * kLanes, l);
      std::memcpy(reinterpret_cast<void*>(to + (l * kElements + e) * sizeof(T)), &value, sizeof(T));
    }
  }
}

template <typename T, u32 kLanes>
WW_INLINE void loadBody(u64 base, const LaneAddresses& addresses, LaneMask mask, u32 elements, u32* planes) {
  const bool full = mask == LaneMask::first(kLanes);
  if (full && addresses.consecutive) {
    const u64 from = base + addresses.lane[0];
    if (elements == 1) return loadConsecutive<T, kLanes, 1>(from, planes);
    if (elements == 2) return loadConsecutive<T, kLanes, 2>(from, planes);
    if (elements == 4) return loadConsecutive<T, kLanes, 4>(from, planes);
  }
  for (u32 e = 0; e < elements; ++e) {
    u32* __restrict plane = planes + e * kWords<T> * kLanes;
    const u64 origin = base + e * sizeof(T);
    if (full && addresses.uniform) {
      const T value = read<T>(origin + addresses.lane[0]);
      for (u32 l = 0; l < kLanes; ++l) put<T, kLanes>(plane, l, value);
    } else if (full) {
      for (u32 l = 0; l < kLanes; ++l) put<T, kLanes>(plane, l, read<T>(origin + addresses.lane[l]));
    } else {
      for (const u32 l : mask) {
        put<T, kLanes>(plane, l, read<T>(origin + addresses.lane[l]));
      }
    }
  }
}

template <typename T, u32 kLanes>
WW_INLINE void storeElement(u64 base, const LaneAddresses& addresses, u32 element, u32 lane, const u32* planes) {
  const T value = get<T, kLanes>(planes + element * kWords<T> * kLanes, lane);
  std::memcpy(reinterpret_cast<void*>(base + element * sizeof(T) + addresses.lane[lane]), &value, sizeof(T));
}

template <typename T, u32 kLanes>
WW_INLINE void storeBody(u64 base, const LaneAddresses& addresses, LaneMask mask, u32 elements, u32* planes) {
  if (mask == LaneMask::first(kLanes) && addresses.consecutive) {
    const u64 to = base + addresses.lane[0];
    if (elements == 1) return storeConsecutive<T, kLanes, 1>(to, planes);
    if (elements == 2) return storeConsecutive<T, kLanes, 2>(to, planes);
    if (elements == 4) return storeConsecutive<T, kLanes, 4>(to, planes);
  }
  if (mask == LaneMask::first(kLanes) && elements == 1) {
    for (u32 l = 0; l < kLanes; ++l) storeElement<T, kLanes>(base, addresses, 0, l, planes);
    return;
  }
  for (const u32 l : mask) {
    for (u32 e = 0; e < elements; ++e) storeElement<T, kLanes>(base, addresses, e, l, planes);
  }
}

// What all addresses have in common, gathered in the pass that computes them.
struct Shape {
  u64 head, step, expected;  // address of the first lane; bytes of the access; address of the next lane if consecutive
  u64 any = 0, spread = 0, skew = 0;
  WW_INLINE void add(u64 address, u64 lane) {
    any |= address;
    spread |= address ^ head;
    skew |= address ^ (expected + lane * step);
  }
};

template <u32 kLanes, typename Address>
WW_INLINE void summariseFull(LaneAddresses& a, u32 bytes, Address address) {
  Shape shape{address(0), bytes, address(0)};
  for (u64 l = 0; l < kLanes; ++l) {
    const u64 value = address(l);
    a.lane[l] = value;
    shape.add(value, l);
  }
  const u64 last = a.lane[kLanes - 1];
  a.anyBits = shape.any;
  a.uniform = shape.spread == 0;
  a.consecutive = shape.skew == 0;
  a.lowest = shape.head;
  a.highest = last;
  if (a.uniform || (a.consecutive && last > shape.head)) return;
  a.consecutive = false;
  // The smallest aligned power of two that holds all addresses is found without comparing them.
  const u64 differing = ~u64{0} >> std::countl_zero(shape.spread);
  a.lowest = shape.head & ~differing;
  a.highest = shape.head | differing;
}

template <u32 kLanes>
WW_INLINE void summarisePart(LaneAddresses& a, LaneMask mask, u32 bytes) {
  const u32 first = mask.least() % kLanes;
  const u64 head = a.lane[first];
  Shape shape{head, bytes, head - u64{first} * bytes};
  a.lowest = a.highest = head;
  for (const LaneId lane : mask) {
    const u32 l = lane % kLanes;
    const u64 address = a.lane[l];
    shape.add(address, l);
    a.lowest = address < a.lowest ? address : a.lowest;
    a.highest = address > a.highest ? address : a.highest;
  }
  a.anyBits = shape.any;
  a.uniform = shape.spread == 0;
  a.consecutive = shape.skew == 0;
}

template <u32 kLanes, typename Address>
WW_INLINE void summarise(LaneAddresses& a, LaneMask mask, u32 bytes, Address address) {
  if (mask == LaneMask::first(kLanes)) return summariseFull<kLanes>(a, bytes, address);
  for (u32 l = 0; l < kLanes; ++l) a.lane[l] = address(l);
  summarisePart<kLanes>(a, mask, bytes);
}

template <u32 kLanes>
WW_INLINE void addressBody(const u32* low, const u32* high, u64 offset, bool wrap32, u32 bytes, LaneMask mask, LaneAddresses& a) {
  if (!low) return summarise<kLanes>(a, mask, bytes, [=](u64) WW_INLINE_LAMBDA { return offset; });
  if (high)
    return summarise<kLanes>(a, mask, bytes, [=](u64 l) WW_INLINE_LAMBDA { return (low[l] | static_cast<u64>(high[l]) << 32) + offset; });
  if (wrap32) return summarise<kLanes>(a, mask, bytes, [=](u64 l) WW_INLINE_LAMBDA { return u64{low[l] + static_cast<u32>(offset)}; });
  return summarise<kLanes>(a, mask, bytes, [=](u64 l) WW_INLINE_LAMBDA { return low[l] + offset; });
}

// One entry point per host level; the bodies are inlined into it and compiled for its instruction set.
#define WW_LEVEL(Name, attributes)                                                                                                         \
  struct Name {                                                                                                                            \
    template <typename T, u32 kLanes>                                                                                                      \
    attributes static void load(u64 base, const LaneAddresses& addresses, LaneMask mask, u32 elements, u32* planes) {                      \
      loadBody<T, kLanes>(base, addresses, mask, elements, planes);                                                                        \
    }                                                                                                                                      \
    template <typename T, u32 kLanes>                                                                                                      \
    attributes static void store(u64 base, const LaneAddresses& addresses, LaneMask mask, u32 elements, u32* planes) {                     \
      storeBody<T, kLanes>(base, addresses, mask, elements, planes);                                                                       \
    }                                                                                                                                      \
    template <u32 kLanes>                                                                                                                  \
    attributes static void address(const u32* low, const u32* high, u64 offset, bool wrap32, u32 bytes, LaneMask mask, LaneAddresses& a) { \
      addressBody<kLanes>(low, high, offset, wrap32, bytes, mask, a);                                                                      \
    }                                                                                                                                      \
  };
WW_LEVEL(Portable, )
WW_LEVEL(Avx2, __attribute__((target("avx2,bmi"))))
#define WW_AVX512 "avx2,bmi,avx512f,avx512vl,avx512bw,avx512dq"
#ifdef __clang__
WW_LEVEL(Avx512, __attribute__((target(WW_AVX512))))
#else
WW_LEVEL(Avx512, __attribute__((target(WW_AVX512 ",prefer-vector-width=512"))))
#endif
#undef WW_AVX512
#undef WW_LEVEL

template <typename Level, u32 kLanes>
TransferFunction chooseLoad(isa::DataType type) {
  using isa::DataType;
  switch (type) {
    case DataType::u8:
      return Level::template load<u8, kLanes>;
    case DataType::s8:
      return Level::template load<s8, kLanes>;
    case DataType::u16:
    case DataType::f16:
    case DataType::bf16:
      return Level::template load<u16, kLanes>;
    case DataType::s16:
      return Level::template load<s16, kLanes>;
    case DataType::u32:
    case DataType::s32:
    case DataType::f32:
      return Level::template load<u32, kLanes>;
    case DataType::u64:
    case DataType::s64:
    case DataType::f64:
      return Level::template load<u64, kLanes>;
    default:
      return nullptr;
  }
}

template <typename Level, u32 kLanes>
TransferFunction chooseStore(isa::DataType type) {
  switch (isa::sizeOf(type)) {
    case 1:
      return Level::template store<u8, kLanes>;
    case 2:
      return Level::template store<u16, kLanes>;
    case 4:
      return Level::template store<u32, kLanes>;
    case 8:
      return Level::template store<u64, kLanes>;
    default:
      return nullptr;
  }
}

}  // namespace

AddressFunction addressFunction(u32 lanes, HostLevel level) {
  const bool wide = lanes == 64;
  switch (level) {
    case HostLevel::avx512:
      return wide ? Avx512::address<64> : Avx512::address<32>;
    case HostLevel::avx2:
      return wide ? Avx2::address<64> : Avx2::address<32>;
    default:
      return wide ? Portable::address<64> : Portable::address<32>;
  }
}

TransferFunction loadFunction(isa::DataType type, u32 lanes, HostLevel level) {
  const bool wide = lanes == 64;
  switch (level) {
    case HostLevel::avx512:
      return wide ? chooseLoad<Avx512, 64>(type) : chooseLoad<Avx512, 32>(type);
    case HostLevel::avx2:
      return wide ? chooseLoad<Avx2, 64>(type) : chooseLoad<Avx2, 32>(type);
    default:
      return wide ? chooseLoad<Portable, 64>(type) : chooseLoad<Portable, 32>(type);
  }
}

TransferFunction storeFunction(isa::DataType type, u32 lanes, HostLevel level) {
  const bool wide = lanes == 64;
  switch (level) {
    case HostLevel::avx512:
      return wide ? chooseStore<Avx512, 64>(type) : chooseStore<Avx512, 32>(type);
    case HostLevel::avx2:
      return wide ? chooseStore<Avx2, 64>(type) : chooseStore<Avx2, 32>(type);
    default:
      return wide ? chooseStore<Portable, 64>(type) : chooseStore<Portable, 32>(type);
  }
}

void tighten(LaneAddresses& addresses, LaneMask mask) {
  addresses.lowest = ~u64{0};
  addresses.highest = 0;
  for (const LaneId lane : mask) {
    const u64 address = addresses.lane[lane];
    addresses.lowest = std::min(addresses.lowest, address);
    addresses.highest = std::max(addresses.highest, address);
  }
}

void summarise(LaneAddresses& addresses, LaneMask mask, u32 bytes) { summarisePart<kMaxWarpSize>(addresses, mask, bytes); }

}  // namespace warpwright::exec
