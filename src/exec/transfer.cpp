#include "exec/transfer.hpp"

#include <bit>
#include <cstring>

namespace warpwright::exec {
namespace {

#define WW_INLINE inline __attribute__((always_inline))

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
  const bool full = mask == firstLanes(kLanes);
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
      for (LaneMask rest = mask; rest; rest &= rest - 1) {
        const u32 l = static_cast<u32>(std::countr_zero(rest));
        put<T, kLanes>(plane, l, read<T>(origin + addresses.lane[l]));
      }
    }
  }
}

template <typename T, u32 kLanes>
WW_INLINE void storeBody(u64 base, const LaneAddresses& addresses, LaneMask mask, u32 elements, u32* planes) {
  if (mask == firstLanes(kLanes) && addresses.consecutive) {
    const u64 to = base + addresses.lane[0];
    if (elements == 1) return storeConsecutive<T, kLanes, 1>(to, planes);
    if (elements == 2) return storeConsecutive<T, kLanes, 2>(to, planes);
    if (elements == 4) return storeConsecutive<T, kLanes, 4>(to, planes);
  }
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    const u32 l = static_cast<u32>(std::countr_zero(rest));
    for (u32 e = 0; e < elements; ++e) {
      const T value = get<T, kLanes>(planes + e * kWords<T> * kLanes, l);
      std::memcpy(reinterpret_cast<void*>(base + e * sizeof(T) + addresses.lane[l]), &value, sizeof(T));
    }
  }
}

// Lanes outside the mask take the first one's address, so that they do not disturb the summary.
template <u32 kLanes>
WW_INLINE void summariseBody(LaneAddresses& a, LaneMask mask, u32 bytes) {
  const u32 first = static_cast<u32>(std::countr_zero(mask)) % kLanes;
  const u64 head = a.lane[first];
  const u64 origin = head - u64{first} * bytes;
  u64 lowest = head, highest = head, any = head, spread = 0, shape = 0;
  if (mask == firstLanes(kLanes)) {
    for (u32 l = 0; l < kLanes; ++l) {
      const u64 address = a.lane[l];
      any |= address;
      spread |= address ^ head;
      shape |= address ^ (origin + u64{l} * bytes);
    }
    if (spread != 0 && shape == 0) {
      highest = a.lane[kLanes - 1];
      if (highest < lowest) shape = 1;
    }
    if (spread != 0 && shape != 0) {
      for (u32 l = 0; l < kLanes; ++l) {
        lowest = a.lane[l] < lowest ? a.lane[l] : lowest;
        highest = a.lane[l] > highest ? a.lane[l] : highest;
      }
    }
  } else {
    for (LaneMask rest = mask; rest; rest &= rest - 1) {
      const u32 l = static_cast<u32>(std::countr_zero(rest));
      const u64 address = a.lane[l];
      any |= address;
      spread |= address ^ head;
      shape |= address ^ (origin + u64{l} * bytes);
      lowest = address < lowest ? address : lowest;
      highest = address > highest ? address : highest;
    }
  }
  a.lowest = lowest;
  a.highest = highest;
  a.anyBits = any;
  a.uniform = spread == 0;
  a.consecutive = shape == 0;
}

template <u32 kLanes>
WW_INLINE void addressBody(const u32* low, const u32* high, u64 offset, bool wrap32, u32 bytes, LaneMask mask, LaneAddresses& a) {
  if (!low) {
    for (u32 l = 0; l < kLanes; ++l) a.lane[l] = offset;
  } else if (high) {
    for (u32 l = 0; l < kLanes; ++l) a.lane[l] = (low[l] | static_cast<u64>(high[l]) << 32) + offset;
  } else if (wrap32) {
    const u32 offset32 = static_cast<u32>(offset);
    for (u32 l = 0; l < kLanes; ++l) a.lane[l] = low[l] + offset32;
  } else {
    for (u32 l = 0; l < kLanes; ++l) a.lane[l] = low[l] + offset;
  }
  summariseBody<kLanes>(a, mask, bytes);
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
WW_LEVEL(Avx512, __attribute__((target("avx2,bmi,avx512f,avx512vl,avx512bw,avx512dq,prefer-vector-width=512"))))
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

void summarise(LaneAddresses& addresses, LaneMask mask, u32 bytes) { summariseBody<kMaxWarpSize>(addresses, mask, bytes); }

}  // namespace warpwright::exec
