// The simulated GPUs of the process: of one machine, each with a memory, code, textures and a profile of its own. Pinned, registered and
// managed memory is within the reach of all of them; kernels do not reach what else another device's memory holds.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "current_device.hpp"
#include "runtime/device.hpp"
#include "runtime/environment.hpp"

namespace warpwright::cudart {

class Devices {
 public:
  // Makes as many as the environment asks for. Throws Error for settings that cannot be met.
  void make(const runtime::Environment& environment, u32 addressBits);
  bool empty() const { return devices_.empty(); }
  u32 count() const { return static_cast<u32>(devices_.size()); }
  bool has(int ordinal) const { return ordinal >= 0 && static_cast<u32>(ordinal) < count(); }
  runtime::Device& at(u32 ordinal) { return *devices_.at(ordinal); }
  runtime::Device& current() { return at(CurrentDevice::ordinal()); }
  std::span<const std::unique_ptr<runtime::Device>> all() const { return devices_; }

  bool haveWaiting() const;

  // The device in whose memory the address lies; the current one for all other addresses.
  u32 ordinalOf(GlobalAddress address) const;
  runtime::Device& holderOf(GlobalAddress address) { return at(ordinalOf(address)); }

  // The live allocation that contains the range, whichever device has it, or null.
  const exec::Allocation* find(GlobalAddress address, u64 bytes);
  // In the memory of the current device, or nullopt when that is exhausted. What the host may touch, too, is within reach of every device.
  std::optional<GlobalAddress> allocate(u64 bytes, exec::AllocationKind kind);
  void free(GlobalAddress address);
  // Makes host memory accessible to all devices. False when it overlaps something that one of them has.
  bool registerHost(void* pointer, u64 bytes);
  bool unregisterHost(void* pointer);
  // Frees all memory and code of the current device.
  void reset();

 private:
  // Of managed memory of the current device: what the others reach it by.
  void share(GlobalAddress address, u64 bytes);
  void unshare(GlobalAddress address);

  std::vector<std::unique_ptr<runtime::Device>> devices_;
};

}  // namespace warpwright::cudart
