#include "copy.hpp"

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <vector>

#include "messages.hpp"

namespace warpwright::cudart {
namespace {

using exec::Allocation;
using exec::AllocationKind;

enum class Location { host, device, either };

GlobalAddress addressOf(const std::byte* pointer) { return exec::GlobalMemory::addressOf(pointer); }

// From the first byte of the box to behind its last one.
u64 spanOf(const Side& side, const Box& box) { return (box.depth - 1) * side.slicePitch + (box.height - 1) * side.pitch + box.width; }

bool onlyOnDevice(const Allocation& allocation) {
  return allocation.kind == AllocationKind::device || allocation.kind == AllocationKind::heap ||
         allocation.kind == AllocationKind::variable;
}

void explain(const char* role, const Side& side, u64 span, const std::string& problem) {
  printError(fmt::format("invalid {} of {} bytes at {:#x}: {}", role, span, u64{addressOf(side.start)}, problem));
}

std::string nearestText(const exec::GlobalMemory& memory, GlobalAddress address) {
  const Allocation* near = memory.nearest(address);
  if (!near) return "no device memory is allocated";
  return fmt::format("the nearest allocation is {} with {} bytes at {:#x}{}", near->label.empty() ? "one" : near->label, near->size,
                     u64{near->address}, near->freed ? " (freed)" : "");
}

bool checkSide(exec::GlobalMemory& memory, const Side& side, const Box& box, Location location, const char* role) {
  const u64 span = spanOf(side, box);
  const GlobalAddress address = addressOf(side.start);
  if (!side.start) {
    explain(role, side, span, "null pointer");
    return false;
  }
  const Allocation* first = memory.find(address, 1);
  if (location == Location::host && first && onlyOnDevice(*first)) {
    explain(role, side, span, "device memory where the direction says host memory");
    return false;
  }
  if (location == Location::device && !first) {
    explain(role, side, span, "not device memory; " + nearestText(memory, address));
    return false;
  }
  if (first && !first->contains(address, span)) {
    explain(role, side, span, fmt::format("runs past the end of {} ({} bytes at {:#x})", first->label, first->size, u64{first->address}));
    return false;
  }
  return true;
}

std::pair<Location, Location> locationsOf(cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return {Location::host, Location::host};
    case cudaMemcpyHostToDevice:
      return {Location::device, Location::host};
    case cudaMemcpyDeviceToHost:
      return {Location::host, Location::device};
    case cudaMemcpyDeviceToDevice:
      return {Location::device, Location::device};
    case cudaMemcpyDefault:
      break;
  }
  return {Location::either, Location::either};
}

// Carries over which bytes of the source were ever written, so that copying does not hide a use of uninitialised memory.
void copyInitialised(exec::GlobalMemory& memory, const std::byte* to, const std::byte* from, u64 count) {
  if (!memory.tracksInitialisation() || !memory.find(addressOf(to), 1)) return;
  const bool tracked = memory.find(addressOf(from), 1) != nullptr;
  if (!tracked || memory.isInitialised(addressOf(from), count)) return memory.markInitialised(addressOf(to), count);
  for (u64 i = 0; i < count; ++i)
    if (memory.isInitialised(addressOf(from) + i, 1)) memory.markInitialised(addressOf(to) + i, 1);
}

template <typename RowFunction>
void forEachRow(const Box& box, RowFunction&& row) {
  for (u64 z = 0; z < box.depth; ++z)
    for (u64 y = 0; y < box.height; ++y) row(y, z);
}

void fillRow(std::byte* row, const Element& element, u64 bytes) {
  if (element.bytes == 1) {
    std::memset(row, static_cast<int>(element.value), bytes);
    return;
  }
  for (u64 at = 0; at < bytes; at += element.bytes) std::memcpy(row + at, &element.value, element.bytes);
}

std::byte* rowOf(const Side& side, u64 y, u64 z) { return side.start + z * side.slicePitch + y * side.pitch; }

void copyRows(exec::GlobalMemory& memory, const Side& to, const Side& from, const Box& box) {
  forEachRow(box, [&](u64 y, u64 z) {
    std::memmove(rowOf(to, y, z), rowOf(from, y, z), box.width);
    copyInitialised(memory, rowOf(to, y, z), rowOf(from, y, z), box.width);
  });
}

// From the host to memory that is the device's alone.
bool isUpload(const exec::GlobalMemory& memory, const Side& to, const Side& from) {
  const Allocation* target = memory.find(addressOf(to.start), 1);
  const Allocation* source = memory.find(addressOf(from.start), 1);
  return target && onlyOnDevice(*target) && !(source && onlyOnDevice(*source));
}

struct Source {
  Side side;
  std::shared_ptr<std::vector<std::byte>> bytes;  // that it points to; null: not its own
};

// A copy of the box's bytes.
Source staged(const Side& from, const Box& box) {
  const auto bytes = std::make_shared<std::vector<std::byte>>(box.bytes());
  const Side side{bytes->data(), box.width, box.width * box.height};
  forEachRow(box, [&](u64 y, u64 z) { std::memcpy(rowOf(side, y, z), rowOf(from, y, z), box.width); });
  return {side, bytes};
}

}  // namespace

cudaError_t copyBox(Context& context, const Side& to, const Side& from, const Box& box, cudaMemcpyKind kind, cudaStream_t stream,
                    HostWaits waits) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  Stream* const target = context.streams.find(stream);
  if (!target) return cudaErrorInvalidResourceHandle;
  if (box.bytes() == 0) return cudaSuccess;
  auto& memory = context.memory();
  const auto [toLocation, fromLocation] = locationsOf(kind);
  if (!checkSide(memory, to, box, toLocation, "destination") || !checkSide(memory, from, box, fromLocation, "source"))
    return cudaErrorInvalidValue;

  // Copies to memory that is not pinned end before the call does; from such memory, what it holds now is what is copied.
  const bool toPageable = !memory.find(addressOf(to.start), 1), fromPageable = !memory.find(addressOf(from.start), 1);
  const Source source = context.defersWork() && fromPageable && !toPageable ? staged(from, box) : Source{from, nullptr};
  const bool uploads = isUpload(memory, to, from);
  runtime::Device& device = context.device();
  const WorkPointer copied = context.issue(*target, device.copyNanoseconds(box.bytes()), [&memory, &device, to, source, box, uploads] {
    copyRows(memory, to, source.side, box);
    if (uploads) forEachRow(box, [&](u64 y, u64 z) { device.copiedFromHost(addressOf(rowOf(to, y, z)), box.width); });
  });
  if (waits == HostWaits::yes || toPageable) context.waitFor(copied);
  return context.sticky;
}

cudaError_t copyBytes(Context& context, void* to, const void* from, u64 count, cudaMemcpyKind kind, cudaStream_t stream, HostWaits waits) {
  const Side target{static_cast<std::byte*>(to)};
  const Side source{static_cast<std::byte*>(const_cast<void*>(from))};
  return copyBox(context, target, source, {count}, kind, stream, waits);
}

cudaError_t fillElements(Context& context, const Side& to, const Element& element, const Box& box, cudaStream_t stream) {
  Stream* const target = context.streams.find(stream);
  if (!target) return cudaErrorInvalidResourceHandle;
  if (box.bytes() == 0) return cudaSuccess;
  auto& memory = context.memory();
  if (!checkSide(memory, to, box, Location::device, "destination")) return cudaErrorInvalidValue;
  context.issue(*target, context.device().copyNanoseconds(box.bytes()), [&memory, to, element, box] {
    forEachRow(box, [&](u64 y, u64 z) {
      fillRow(rowOf(to, y, z), element, box.width);
      memory.markInitialised(addressOf(rowOf(to, y, z)), box.width);
    });
  });
  return cudaSuccess;
}

cudaError_t fillBox(Context& context, const Side& to, int value, const Box& box, cudaStream_t stream) {
  return fillElements(context, to, {static_cast<u32>(value), 1}, box, stream);
}

}  // namespace warpwright::cudart
