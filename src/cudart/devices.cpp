#include "devices.hpp"

#include <algorithm>

namespace warpwright::cudart {

using exec::AllocationKind;
using exec::GlobalMemory;

void Devices::make(const runtime::Environment& environment, u32 addressBits) {
  std::vector<std::unique_ptr<runtime::Device>> made;
  for (u32 ordinal = 0; ordinal < environment.devices; ++ordinal)
    made.push_back(std::make_unique<runtime::Device>(runtime::settingsFrom(runtime::ofDevice(environment, ordinal), addressBits)));
  devices_ = std::move(made);
  for (const auto& device : devices_)
    for (const auto& other : devices_)
      if (other != device) device->memory().addOther(other->memory());
}

bool Devices::haveWaiting() const {
  return std::ranges::any_of(devices_, [](const auto& device) { return device->hasWaiting(); });
}

u32 Devices::ordinalOf(GlobalAddress address) const {
  const auto holds = [&](const auto& device) { return device->memory().holds(address, 1); };
  const auto found = std::ranges::find_if(devices_, holds);
  return found == devices_.end() ? CurrentDevice::ordinal() : static_cast<u32>(found - devices_.begin());
}

const exec::Allocation* Devices::find(GlobalAddress address, u64 bytes) { return holderOf(address).memory().find(address, bytes); }

std::optional<GlobalAddress> Devices::allocate(u64 bytes, AllocationKind kind) {
  GlobalMemory& memory = current().memory();
  const auto address = memory.allocate(bytes, kind);
  if (!address || kind == AllocationKind::device) return address;
  // What the host may write without a call cannot be tracked.
  memory.markInitialised(*address, bytes);
  share(*address, bytes);
  return address;
}

void Devices::free(GlobalAddress address) {
  holderOf(address).memory().free(address);
  unshare(address);
}

void Devices::share(GlobalAddress address, u64 bytes) {
  const runtime::Device& holder = holderOf(address);
  for (const auto& device : devices_)
    if (device.get() != &holder) device->memory().registerHost(GlobalMemory::hostPointer(address), bytes, "memory of another device");
}

void Devices::unshare(GlobalAddress address) {
  for (const auto& device : devices_) device->memory().unregisterHost(GlobalMemory::hostPointer(address));
}

bool Devices::registerHost(void* pointer, u64 bytes) {
  for (u32 ordinal = 0; ordinal < count(); ++ordinal) {
    if (at(ordinal).memory().registerHost(pointer, bytes)) continue;
    while (ordinal-- > 0) at(ordinal).memory().unregisterHost(pointer);
    return false;
  }
  return true;
}

bool Devices::unregisterHost(void* pointer) {
  bool any = false;
  for (const auto& device : devices_) any |= device->memory().unregisterHost(pointer);
  return any;
}

void Devices::reset() {
  for (const exec::Allocation& allocation : current().memory().live())
    if (allocation.kind != AllocationKind::host) unshare(allocation.address);
  current().reset();
}

}  // namespace warpwright::cudart
