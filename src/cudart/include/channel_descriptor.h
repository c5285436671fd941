// cudaCreateChannelDesc<T>(): the channel format of a scalar or vector type.
#pragma once
#define __CHANNEL_DESCRIPTOR_H__

#include "cuda_runtime_api.h"

#ifdef __cplusplus

namespace warpwright_detail {

template <typename T>
struct ChannelOf {
  static constexpr bool kFloat = false, kSigned = T(-1) < T(0);
};
template <>
struct ChannelOf<float> {
  static constexpr bool kFloat = true, kSigned = true;
};

template <typename T>
inline cudaChannelFormatDesc channels(int count) {
  const int bits = static_cast<int>(sizeof(T)) * 8;
  const cudaChannelFormatKind kind = ChannelOf<T>::kFloat    ? cudaChannelFormatKindFloat
                                     : ChannelOf<T>::kSigned ? cudaChannelFormatKindSigned
                                                             : cudaChannelFormatKindUnsigned;
  return cudaCreateChannelDesc(bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0, kind);
}

}  // namespace warpwright_detail

template <typename T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

#define WARPWRIGHT_CHANNEL(type, component, count)             \
  template <>                                                  \
  inline cudaChannelFormatDesc cudaCreateChannelDesc<type>() { \
    return warpwright_detail::channels<component>(count);      \
  }
#define WARPWRIGHT_CHANNELS(vector, component) \
  WARPWRIGHT_CHANNEL(component, component, 1)  \
  WARPWRIGHT_CHANNEL(vector##1, component, 1)  \
  WARPWRIGHT_CHANNEL(vector##2, component, 2)  \
  WARPWRIGHT_CHANNEL(vector##4, component, 4)
WARPWRIGHT_CHANNEL(char, signed char, 1)
WARPWRIGHT_CHANNELS(char, signed char)
WARPWRIGHT_CHANNELS(uchar, unsigned char)
WARPWRIGHT_CHANNELS(short, short)
WARPWRIGHT_CHANNELS(ushort, unsigned short)
WARPWRIGHT_CHANNELS(int, int)
WARPWRIGHT_CHANNELS(uint, unsigned int)
WARPWRIGHT_CHANNELS(float, float)
#undef WARPWRIGHT_CHANNELS
#undef WARPWRIGHT_CHANNEL

#endif
