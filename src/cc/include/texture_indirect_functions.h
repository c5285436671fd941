// Textures through objects (cudaTextureObject_t).
#pragma once
#define __TEXTURE_INDIRECT_FUNCTIONS_H__

#include "warpwright/device/texture_access.h"

// T name(texture, …), and the form that writes through a pointer.
#define WARPWRIGHT_TEXTURE(name, fetch, parameters, arguments)                                  \
  template <typename T>                                                                         \
  WARPWRIGHT_INLINE T name(cudaTextureObject_t texture, WARPWRIGHT_LIST parameters) {           \
    warpwright_texture::Four<typename warpwright_texture::Element<T>::Register> v;              \
    warpwright_texture::fetch(v, texture, WARPWRIGHT_LIST arguments);                           \
    return warpwright_texture::Element<T>::from(v);                                             \
  }                                                                                             \
  template <typename T>                                                                         \
  WARPWRIGHT_INLINE void name(T* to, cudaTextureObject_t texture, WARPWRIGHT_LIST parameters) { \
    *to = name<T>(texture, WARPWRIGHT_LIST arguments);                                          \
  }
#define WARPWRIGHT_LIST(...) __VA_ARGS__

WARPWRIGHT_TEXTURE(tex1Dfetch, fetchLinear, (int x), (x))
WARPWRIGHT_TEXTURE(tex1D, fetch1D, (float x), (x))
WARPWRIGHT_TEXTURE(tex2D, fetch2D, (float x, float y), (x, y))
WARPWRIGHT_TEXTURE(tex3D, fetch3D, (float x, float y, float z), (x, y, z))
WARPWRIGHT_TEXTURE(texCubemap, fetchCube, (float x, float y, float z), (x, y, z))
WARPWRIGHT_TEXTURE(tex1DLayered, fetch1DLayered, (float x, int layer), (x, layer))
WARPWRIGHT_TEXTURE(tex2DLayered, fetch2DLayered, (float x, float y, int layer), (x, y, layer))
WARPWRIGHT_TEXTURE(texCubemapLayered, fetchCubeLayered, (float x, float y, float z, int layer), (x, y, z, layer))
WARPWRIGHT_TEXTURE(tex1DLod, level1D, (float x, float level), (x, level))
WARPWRIGHT_TEXTURE(tex2DLod, level2D, (float x, float y, float level), (x, y, level))
WARPWRIGHT_TEXTURE(tex3DLod, level3D, (float x, float y, float z, float level), (x, y, z, level))
WARPWRIGHT_TEXTURE(tex2DLayeredLod, level2DLayered, (float x, float y, int layer, float level), (x, y, layer, level))
WARPWRIGHT_TEXTURE(tex1DLayeredLod, level1DLayered, (float x, int layer, float level), (x, layer, level))
WARPWRIGHT_TEXTURE(tex1DGrad, gradient1D, (float x, float dx, float dy), (x, dx, dy))
WARPWRIGHT_TEXTURE(tex1DLayeredGrad, gradient1DLayered, (float x, int layer, float dx, float dy), (x, layer, dx, dy))
WARPWRIGHT_TEXTURE(tex2DLayeredGrad, gradient2DLayered, (float x, float y, int layer, float2 dx, float2 dy), (x, y, layer, dx, dy))
WARPWRIGHT_TEXTURE(tex3DGrad, gradient3D, (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy))
WARPWRIGHT_TEXTURE(tex2DGrad, gradient2D, (float x, float y, float2 dx, float2 dy), (x, y, dx, dy))

#undef WARPWRIGHT_LIST
#undef WARPWRIGHT_TEXTURE

template <typename T>
WARPWRIGHT_INLINE T tex2Dgather(cudaTextureObject_t texture, float x, float y, int component = 0) {
  using Element = warpwright_texture::Element<T>;
  return Element::from(warpwright_texture::gather2D<typename Element::Register>(texture, x, y, component));
}
