// Textures through references: variables of type texture<T, type, mode> at global scope.
#pragma once

#include "warpwright/device/texture_access.h"

namespace warpwright_texture {

// What a fetch returns: T itself, or floats in its place when integers are read normalised.
template <typename T, cudaTextureReadMode mode>
struct Result {
  using Type = T;
};
#define WARPWRIGHT_NORMALIZED(vector, component)          \
  template <>                                             \
  struct Result<component, cudaReadModeNormalizedFloat> { \
    using Type = float;                                   \
  };                                                      \
  template <>                                             \
  struct Result<vector##1, cudaReadModeNormalizedFloat> { \
    using Type = float1;                                  \
  };                                                      \
  template <>                                             \
  struct Result<vector##2, cudaReadModeNormalizedFloat> { \
    using Type = float2;                                  \
  };                                                      \
  template <>                                             \
  struct Result<vector##4, cudaReadModeNormalizedFloat> { \
    using Type = float4;                                  \
  };
WARPWRIGHT_NORMALIZED(char, signed char)
WARPWRIGHT_NORMALIZED(uchar, unsigned char)
WARPWRIGHT_NORMALIZED(short, short)
WARPWRIGHT_NORMALIZED(ushort, unsigned short)
#undef WARPWRIGHT_NORMALIZED
template <>
struct Result<char, cudaReadModeNormalizedFloat> {
  using Type = float;
};

}  // namespace warpwright_texture

#define WARPWRIGHT_TEXTURE(name, fetch, type, parameters, arguments)                                          \
  template <typename T, cudaTextureReadMode mode>                                                             \
  WARPWRIGHT_INLINE typename warpwright_texture::Result<T, mode>::Type name(texture<T, type, mode> reference, \
                                                                            WARPWRIGHT_LIST parameters) {     \
    using Element = warpwright_texture::Element<typename warpwright_texture::Result<T, mode>::Type>;          \
    warpwright_texture::Four<typename Element::Register> v;                                                   \
    warpwright_texture::fetch(v, reference, WARPWRIGHT_LIST arguments);                                       \
    return Element::from(v);                                                                                  \
  }
#define WARPWRIGHT_LIST(...) __VA_ARGS__

WARPWRIGHT_TEXTURE(tex1Dfetch, fetchLinear, cudaTextureType1D, (int x), (x))
WARPWRIGHT_TEXTURE(tex1D, fetch1D, cudaTextureType1D, (float x), (x))
WARPWRIGHT_TEXTURE(tex2D, fetch2D, cudaTextureType2D, (float x, float y), (x, y))
WARPWRIGHT_TEXTURE(tex3D, fetch3D, cudaTextureType3D, (float x, float y, float z), (x, y, z))
WARPWRIGHT_TEXTURE(texCubemap, fetchCube, cudaTextureTypeCubemap, (float x, float y, float z), (x, y, z))
WARPWRIGHT_TEXTURE(tex1DLayered, fetch1DLayered, cudaTextureType1DLayered, (float x, int layer), (x, layer))
WARPWRIGHT_TEXTURE(tex2DLayered, fetch2DLayered, cudaTextureType2DLayered, (float x, float y, int layer), (x, y, layer))

#undef WARPWRIGHT_LIST
#undef WARPWRIGHT_TEXTURE
