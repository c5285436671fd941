#include "copy.hpp"

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <vector>

#include "messages.hpp"
#include "operation.hpp"

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

bool checkSide(Context& context, const Side& side, const Box& box, Location location, const char* role) {
  const u64 span = spanOf(side, box);
  const GlobalAddress address = addressOf(side.start);
  if (!side.start) {
    explain(role, side, span, "null pointer");
    return false;
  }
  const Allocation* first = context.devices().find(address, 1);
  if (location == Location::host && first && onlyOnDevice(*first)) {
    explain(role, side, span, "device memory where the direction says host memory");
    return false;
  }
  if (location == Location::device && !first) {
    explain(role, side, span, "not device memory; " + nearestText(context.devices().holderOf(address).memory(), address));
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
void copyInitialised(Devices& devices, const std::byte* to, const std::byte* from, u64 count) {
  exec::GlobalMemory& target = devices.holderOf(addressOf(to)).memory();
  if (!target.tracksInitialisation() || !target.find(addressOf(to), 1)) return;
  const exec::GlobalMemory& source = devices.holderOf(addressOf(from)).memory();
  const bool tracked = source.find(addressOf(from), 1) != nullptr;
  if (!tracked || source.isInitialised(addressOf(from), count)) return target.markInitialised(addressOf(to), count);
  for (u64 i = 0; i < count; ++i)
    if (source.isInitialised(addressOf(from) + i, 1)) target.markInitialised(addressOf(to) + i, 1);
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

void copyRows(Devices& devices, const Side& to, const Side& from, const Box& box) {
  forEachRow(box, [&](u64 y, u64 z) {
    std::memmove(rowOf(to, y, z), rowOf(from, y, z), box.width);
    copyInitialised(devices, rowOf(to, y, z), rowOf(from, y, z), box.width);
  });
}

// From the host, or another device, to memory that is the device's alone.
bool isUpload(Devices& devices, const Side& to, const Side& from) {
  const GlobalAddress target = addressOf(to.start), source = addressOf(from.start);
  const Allocation* const written = devices.find(target, 1);
  if (!written || !onlyOnDevice(*written)) return false;
  const Allocation* const read = devices.find(source, 1);
  return !(read && onlyOnDevice(*read)) || devices.ordinalOf(source) != devices.ordinalOf(target);
}

// From memory that is the device's alone to the host's.
bool isDownload(Devices& devices, const Side& to, const Side& from) {
  const Allocation* const written = devices.find(addressOf(to.start), 1);
  const Allocation* const read = devices.find(addressOf(from.start), 1);
  return !(written && onlyOnDevice(*written)) && read && onlyOnDevice(*read);
}

// The same copy from bytes of its own, which hold what the source holds now.
struct Staged {
  Copy copy;
  std::shared_ptr<std::vector<std::byte>> bytes;
};

Staged staged(const Copy& copy) {
  const Box& box = copy.box;
  const auto bytes = std::make_shared<std::vector<std::byte>>(box.bytes());
  Staged result{copy, bytes};
  result.copy.from = {bytes->data(), box.width, box.width * box.height};
  forEachRow(box, [&](u64 y, u64 z) { std::memcpy(rowOf(result.copy.from, y, z), rowOf(copy.from, y, z), box.width); });
  return result;
}

// Memory of the program's own, which the device cannot reach.
bool isPageable(Context& context, const Side& side) { return !context.devices().find(addressOf(side.start), 1); }

Start startOfNow(Context& context, const Copy& copy) {
  if (!context.defersWork() || !isPageable(context, copy.from) || isPageable(context, copy.to)) return startOf(context, copy);
  const Staged own = staged(copy);
  return [start = startOf(context, own.copy), bytes = own.bytes](const WorkPointer& work) { start(work); };
}

}  // namespace

cudaError_t check(Context& context, const Copy& copy) {
  if (copy.kind < cudaMemcpyHostToHost || copy.kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (copy.box.bytes() == 0) return cudaSuccess;
  const auto [to, from] = locationsOf(copy.kind);
  const bool right = checkSide(context, copy.to, copy.box, to, "destination") && checkSide(context, copy.from, copy.box, from, "source");
  return right ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t check(Context& context, const Fill& fill) {
  if (fill.box.bytes() == 0) return cudaSuccess;
  return checkSide(context, fill.to, fill.box, Location::device, "destination") ? cudaSuccess : cudaErrorInvalidValue;
}

Start startOf(Context& context, const Copy& copy) {
  Devices& devices = context.devices();
  const Box box = copy.box;
  runtime::Device& device = devices.holderOf(addressOf(copy.to.start));
  const bool uploads = isUpload(devices, copy.to, copy.from), downloads = isDownload(devices, copy.to, copy.from);
  runtime::Device& source = devices.holderOf(addressOf(copy.from.start));
  return context.taking(device.copyNanoseconds(box.bytes()),
                        [&devices, &device, &source, to = copy.to, from = copy.from, box, uploads, downloads] {
                          copyRows(devices, to, from, box);
                          if (downloads) forEachRow(box, [&](u64 y, u64 z) { source.copiedToHost(rowOf(to, y, z), box.width); });
                          if (uploads) forEachRow(box, [&](u64 y, u64 z) { device.copiedFromHost(addressOf(rowOf(to, y, z)), box.width); });
                        });
}

Start startOf(Context& context, const Fill& fill) {
  runtime::Device& device = context.devices().holderOf(addressOf(fill.to.start));
  return context.taking(device.copyNanoseconds(fill.box.bytes()), [&memory = device.memory(), fill] {
    forEachRow(fill.box, [&](u64 y, u64 z) {
      fillRow(rowOf(fill.to, y, z), fill.element, fill.box.width);
      memory.markInitialised(addressOf(rowOf(fill.to, y, z)), fill.box.width);
    });
  });
}

cudaError_t copyBox(Context& context, const Copy& copy, cudaStream_t handle, HostWaits waits) {
  const Target target = targetOf(context, handle, waits == HostWaits::yes ? Purpose::wait : Purpose::issue);
  if (target.status != cudaSuccess) return target.status;
  if (const cudaError_t status = check(context, copy); status != cudaSuccess || copy.box.bytes() == 0) return status;
  if (target.stream->capture) return capture(context, *target.stream, copy);
  const WorkPointer copied = context.issue(*target.stream, startOfNow(context, copy));
  // Copies to memory that is not pinned end before the call does.
  if (waits == HostWaits::yes || isPageable(context, copy.to)) context.waitFor(copied);
  return context.sticky;
}

cudaError_t copyBytes(Context& context, void* to, const void* from, u64 count, cudaMemcpyKind kind, cudaStream_t stream, HostWaits waits) {
  return copyBox(context, {linear(to), linear(from), {count}, kind}, stream, waits);
}

cudaError_t fillBox(Context& context, const Fill& fill, cudaStream_t handle) {
  const Target target = targetOf(context, handle, Purpose::issue);
  if (target.status != cudaSuccess) return target.status;
  if (const cudaError_t status = check(context, fill); status != cudaSuccess || fill.box.bytes() == 0) return status;
  if (target.stream->capture) return capture(context, *target.stream, fill);
  context.issue(*target.stream, startOf(context, fill));
  return cudaSuccess;
}

Side linear(const void* pointer, u64 pitch, u64 slicePitch) {
  return {static_cast<std::byte*>(const_cast<void*>(pointer)), pitch, slicePitch};
}

}  // namespace warpwright::cudart
