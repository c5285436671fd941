// texture<T, type, mode> and surface<void, type>, and the calls that take them. Clang makes the device's side of such a variable an
// opaque handle (.texref, .surfref) and registers the host's.
#pragma once

#include "channel_descriptor.h"
#include "cuda_array_api.h"

#if defined(__cplusplus) && defined(__CUDA__)

template <class T, int type = cudaTextureType1D, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
  texture(int normalized = 0, cudaTextureFilterMode filter = cudaFilterModePoint, cudaTextureAddressMode address = cudaAddressModeClamp)
      : textureReference{} {
    set(normalized, filter, address, cudaCreateChannelDesc<T>());
  }
  texture(int normalized, cudaTextureFilterMode filter, cudaTextureAddressMode address, cudaChannelFormatDesc format) : textureReference{} {
    set(normalized, filter, address, format);
  }

 private:
  void set(int isNormalized, cudaTextureFilterMode filter, cudaTextureAddressMode address, cudaChannelFormatDesc format) {
    normalized = isNormalized;
    filterMode = filter;
    for (auto& dimension : addressMode) dimension = address;
    channelDesc = format;
  }
};

template <typename T, int type = cudaSurfaceType1D>
struct surface;
template <int type>
struct __attribute__((device_builtin_surface_type)) surface<void, type> : public surfaceReference {
  surface() : surfaceReference{} {}
};

template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, type, mode>& reference, const void* pointer,
                                   const cudaChannelFormatDesc& format, size_t size = 0xffffffffu) {
  return ::cudaBindTexture(offset, &reference, pointer, &format, size);
}
template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, type, mode>& reference, const void* pointer,
                                   size_t size = 0xffffffffu) {
  return ::cudaBindTexture(offset, &reference, pointer, &reference.channelDesc, size);
}
template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, type, mode>& reference, const void* pointer,
                                     const cudaChannelFormatDesc& format, size_t width, size_t height, size_t pitch) {
  return ::cudaBindTexture2D(offset, &reference, pointer, &format, width, height, pitch);
}
template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, type, mode>& reference, const void* pointer, size_t width,
                                     size_t height, size_t pitch) {
  return ::cudaBindTexture2D(offset, &reference, pointer, &reference.channelDesc, width, height, pitch);
}
template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const texture<T, type, mode>& reference, cudaArray_const_t array,
                                          const cudaChannelFormatDesc& format) {
  return ::cudaBindTextureToArray(&reference, array, &format);
}
template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const texture<T, type, mode>& reference, cudaArray_const_t array) {
  return ::cudaBindTextureToArray(&reference, array, &reference.channelDesc);
}
template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaUnbindTexture(const texture<T, type, mode>& reference) {
  return ::cudaUnbindTexture(&reference);
}
template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const texture<T, type, mode>& reference) {
  return ::cudaGetTextureAlignmentOffset(offset, &reference);
}
template <class T, int type>
inline cudaError_t cudaBindSurfaceToArray(const surface<T, type>& reference, cudaArray_const_t array) {
  cudaChannelFormatDesc format;
  const cudaError_t status = ::cudaGetChannelDesc(&format, array);
  return status == cudaSuccess ? ::cudaBindSurfaceToArray(&reference, array, &format) : status;
}

#endif
