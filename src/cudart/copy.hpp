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

// One element of a fill: the low bytes of `value`.
struct Element {
  u32 value = 0, bytes = 1;  // 1, 2 or 4 bytes; box.width is a multiple of them
};

struct Copy {
  Side to, from;
  Box box;
  cudaMemcpyKind kind = cudaMemcpyDefault;
  std::optional<cudaMemcpy3DParms> given{};  // how a program described it that made a node of a graph of it
};

struct Fill {
  Side to;
  Element element;
  Box box;
};

// What forbids it, which is printed: the direction, or memory that is not there. Copies and fills of no bytes are allowed.
cudaError_t check(Context& context, const Copy& copy);
cudaError_t check(Context& context, const Fill& fill);

// The work of what has been checked. From memory of the program's own it copies what is there when it begins.
Start startOf(Context& context, const Copy& copy);
Start startOf(Context& context, const Fill& fill);

// Checks both sides against the direction, copies, and issues the work to the stream in simulated time.
cudaError_t copyBox(Context& context, const Copy& copy, cudaStream_t stream, HostWaits waits);
cudaError_t copyBytes(Context& context, void* to, const void* from, u64 count, cudaMemcpyKind kind, cudaStream_t stream, HostWaits waits);
cudaError_t fillBox(Context& context, const Fill& fill, cudaStream_t stream);

Side linear(const void* pointer, u64 pitch = 0, u64 slicePitch = 0);
Side pitched(const cudaPitchedPtr& pointer, const cudaPos& position);
// Whether the box at that position lies within the rows and, where there are several slices, the slices of the memory.
bool fits(const cudaPitchedPtr& pointer, const cudaPos& position, const cudaExtent& extent);
// The copy that these parameters describe, into `copy`.
cudaError_t describe(Context& context, const cudaMemcpy3DParms& parameters, Copy& copy);

// The bytes of a registered variable from `offset` on.
struct SymbolBytes {
  cudaError_t status = cudaSuccess;
  void* start = nullptr;  // null unless they are all there
};
SymbolBytes bytesOf(Context& context, const void* symbol, u64 count, u64 offset);

}  // namespace warpwright::cudart
