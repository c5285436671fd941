// Copies and fills between host and device: every form of cudaMemcpy and cudaMemset comes down to one box of rows.
#pragma once

#include "context.hpp"

namespace warpwright::cudart {

// Rows of `width` bytes, `height` of them in each of `depth` slices.
struct Box {
  u64 width = 0, height = 1, depth = 1;
  u64 bytes() const { return width * height * depth; }
};

// One side of a copy: where the box's first byte is, and the distances in bytes between its rows and its slices.
struct Side {
  std::byte* start = nullptr;
  u64 pitch = 0;
  u64 slicePitch = 0;
};

enum class HostWaits { no, yes };

// Checks both sides against the direction, copies, and issues the work to the stream in simulated time.
cudaError_t copyBox(Context& context, const Side& to, const Side& from, const Box& box, cudaMemcpyKind kind, cudaStream_t stream,
                    HostWaits waits);
cudaError_t copyBytes(Context& context, void* to, const void* from, u64 count, cudaMemcpyKind kind, cudaStream_t stream, HostWaits waits);
// One element of a fill: the low bytes of `value`.
struct Element {
  u32 value = 0, bytes = 1;  // 1, 2 or 4 bytes; box.width is a multiple of them
};
cudaError_t fillElements(Context& context, const Side& to, const Element& element, const Box& box, cudaStream_t stream);
cudaError_t fillBox(Context& context, const Side& to, int value, const Box& box, cudaStream_t stream);

}  // namespace warpwright::cudart
