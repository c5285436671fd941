// CUDA arrays: allocation, questions, copies.
#include <algorithm>
#include <limits>

#include "arrays.hpp"
#include "cuda_runtime_api.h"

using namespace warpwright;
using namespace warpwright::cudart;

namespace {

// What the API calls a height of 0 is one row, a depth of 0 one slice.
u64 atLeastOne(u64 size) { return size == 0 ? 1 : size; }

bool isShape(const cudaExtent& extent, unsigned int flags) {
  const bool layered = flags & cudaArrayLayered, cube = flags & cudaArrayCubemap;
  if (extent.width == 0) return false;
  if (cube) return extent.width == extent.height && extent.depth % 6 == 0 && extent.depth != 0 && (layered || extent.depth == 6);
  if (layered) return extent.depth != 0;
  return extent.depth == 0 || extent.height != 0;
}

bool fitsMemory(u64 rowBytes, u64 height, u64 slices, u64 capacity) {
  return rowBytes <= capacity && height <= capacity / rowBytes && slices <= capacity / rowBytes / height;
}

cudaError_t allocateArray(cudaArray_t* result, const cudaChannelFormatDesc* channels, const cudaExtent& extent, unsigned int flags) {
  return callOutsideCapture([&](Context& context) {
    if (!result || !channels) return cudaErrorInvalidValue;
    constexpr unsigned int kKnown = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;
    if ((flags & ~kKnown) != 0 || !isShape(extent, flags)) return cudaErrorInvalidValue;
    const auto format = formatOf(*channels);
    if (!format) return cudaErrorInvalidChannelDescriptor;
    const u64 most = std::numeric_limits<u32>::max();
    if (extent.width > most || extent.height > most || extent.depth > most) return cudaErrorInvalidValue;
    runtime::Array array;
    array.width = extent.width;
    array.height = extent.height;
    array.depth = extent.depth;
    array.flags = flags;
    array.image.format = *format;
    array.image.width = static_cast<u32>(extent.width);
    array.image.height = static_cast<u32>(atLeastOne(extent.height));
    array.image.slices = static_cast<u32>(atLeastOne(extent.depth));
    array.image.layered = (flags & cudaArrayLayered) != 0;
    array.image.cube = (flags & cudaArrayCubemap) != 0;
    auto& memory = context.memory();
    if (!fitsMemory(extent.width * format->bytes(), array.image.height, array.image.slices, memory.capacity()))
      return cudaErrorMemoryAllocation;
    runtime::Array* const made = context.device().arrays().create(memory, array);
    if (!made) return cudaErrorMemoryAllocation;
    memory.markInitialised(made->image.address, made->image.bytes());
    *result = reinterpret_cast<cudaArray_t>(made);
    return cudaSuccess;
  });
}

// A copy within the device does not hold up the host.
HostWaits waitsFor(cudaMemcpyKind kind) { return kind == cudaMemcpyDeviceToDevice ? HostWaits::no : HostWaits::yes; }

enum class Direction { toArray, fromArray };

cudaError_t copyRows(Context& context, Direction direction, cudaArray_const_t arrayHandle, u64 column, u64 row, const void* memory,
                     u64 pitch, const Box& box, cudaMemcpyKind kind, cudaStream_t stream, HostWaits waits) {
  const runtime::Array* const array = arrayOf(context, arrayHandle);
  if (!array) return cudaErrorInvalidResourceHandle;
  if (box.height > 1 && box.width > pitch) return cudaErrorInvalidPitchValue;
  const auto inside = sideOf(*array, column, row, 0, box);
  if (!inside) return cudaErrorInvalidValue;
  const Side outside = linear(memory, pitch);
  const Copy copy = direction == Direction::toArray ? Copy{*inside, outside, box, kind} : Copy{outside, *inside, box, kind};
  return copyBox(context, copy, stream, waits);
}

// `count` bytes in the order of the rows: the rest of the first row, whole rows, the beginning of a last one.
cudaError_t copyRun(Direction direction, cudaArray_const_t handle, u64 column, u64 row, const void* memory, u64 count, cudaMemcpyKind kind,
                    cudaStream_t stream, HostWaits waits) {
  return call([&](Context& context) {
    const runtime::Array* const array = arrayOf(context, handle);
    if (!array) return cudaErrorInvalidResourceHandle;
    const u64 rowBytes = u64{array->image.width} * array->image.format.bytes();
    if (column > rowBytes) return cudaErrorInvalidValue;
    const auto* from = static_cast<const std::byte*>(memory);
    while (count > 0) {
      const bool whole = column == 0 && count >= rowBytes;
      const Box box{whole ? rowBytes : std::min(count, rowBytes - column), whole ? count / rowBytes : 1};
      const cudaError_t status = copyRows(context, direction, handle, column, row, from, rowBytes, box, kind, stream, waits);
      if (status != cudaSuccess) return status;
      count -= box.bytes();
      from += box.bytes();
      row += box.height;
      column = 0;
    }
    return cudaSuccess;
  });
}

cudaError_t copyPlane(Direction direction, cudaArray_const_t array, u64 column, u64 row, const void* memory, u64 pitch, u64 width,
                      u64 height, cudaMemcpyKind kind, cudaStream_t stream, HostWaits waits) {
  return call([&](Context& context) {
    return copyRows(context, direction, array, column, row, memory, pitch, {width, height}, kind, stream, waits);
  });
}

}  // namespace

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width, size_t height, unsigned int flags) {
  return allocateArray(array, format, {width, height, 0}, flags);
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent, unsigned int flags) {
  return allocateArray(array, format, extent, flags);
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return callWhenDone([&](Context& context) {
    if (!array) return cudaSuccess;
    const auto isFreed = [&](const auto& device) { return device->arrays().free(device->memory(), array); };
    return std::ranges::any_of(context.devices().all(), isFreed) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned int* flags, cudaArray_t handle) {
  return call([&](Context& context) {
    const runtime::Array* const array = arrayOf(context, handle);
    if (!array) return cudaErrorInvalidResourceHandle;
    if (format) *format = channelsOf(array->image.format);
    if (extent) *extent = {array->width, array->height, array->depth};
    if (flags) *flags = array->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t handle) {
  return call([&](Context& context) {
    const runtime::Array* const array = arrayOf(context, handle);
    if (!array) return cudaErrorInvalidResourceHandle;
    if (!format) return cudaErrorInvalidValue;
    *format = channelsOf(array->image.format);
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t column, size_t row, const void* from, size_t count, cudaMemcpyKind kind) {
  return copyRun(Direction::toArray, to, column, row, from, count, kind, nullptr, waitsFor(kind));
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t column, size_t row, const void* from, size_t count, cudaMemcpyKind kind,
                                   cudaStream_t stream) {
  return copyRun(Direction::toArray, to, column, row, from, count, kind, stream, HostWaits::no);
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t column, size_t row, size_t count, cudaMemcpyKind kind) {
  return copyRun(Direction::fromArray, from, column, row, to, count, kind, nullptr, waitsFor(kind));
}

cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t column, size_t row, size_t count, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  return copyRun(Direction::fromArray, from, column, row, to, count, kind, stream, HostWaits::no);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t column, size_t row, const void* from, size_t pitch, size_t width, size_t height,
                                cudaMemcpyKind kind) {
  return copyPlane(Direction::toArray, to, column, row, from, pitch, width, height, kind, nullptr, waitsFor(kind));
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t column, size_t row, const void* from, size_t pitch, size_t width, size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return copyPlane(Direction::toArray, to, column, row, from, pitch, width, height, kind, stream, HostWaits::no);
}

cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t column, size_t row, size_t width, size_t height,
                                  cudaMemcpyKind kind) {
  return copyPlane(Direction::fromArray, from, column, row, to, pitch, width, height, kind, nullptr, waitsFor(kind));
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t column, size_t row, size_t width,
                                       size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copyPlane(Direction::fromArray, from, column, row, to, pitch, width, height, kind, stream, HostWaits::no);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t toColumn, size_t toRow, cudaArray_const_t from, size_t fromColumn,
                                     size_t fromRow, size_t width, size_t height, cudaMemcpyKind kind) {
  return call([&](Context& context) {
    const runtime::Array* const target = arrayOf(context, to);
    const runtime::Array* const source = arrayOf(context, from);
    if (!target || !source) return cudaErrorInvalidResourceHandle;
    const Box box{width, height};
    const auto toSide = sideOf(*target, toColumn, toRow, 0, box), fromSide = sideOf(*source, fromColumn, fromRow, 0, box);
    if (!toSide || !fromSide) return cudaErrorInvalidValue;
    return copyBox(context, {*toSide, *fromSide, box, kind}, nullptr, HostWaits::no);
  });
}
