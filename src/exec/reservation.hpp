// Reserved ranges of the host's address space: pages appear when they are first touched, and read as zero. Addresses are the host's, in
// plain numbers: whoever reserves knows what lies there, global memory or private.
#pragma once

#include <utility>

#include "base/types.hpp"

namespace warpwright::exec {

// A page of the host.
inline constexpr u64 kHostPage = 4096;

class Reservation {
 public:
  Reservation() = default;
  Reservation(Reservation&& other) noexcept : address_(std::exchange(other.address_, 0)), bytes_(std::exchange(other.bytes_, 0)) {}
  Reservation& operator=(Reservation&& other) noexcept;
  ~Reservation() { release(); }

  // Throws Error when the host refuses.
  static Reservation anywhere(u64 bytes);
  // Empty when the range is taken.
  static Reservation at(u64 address, u64 bytes);

  u64 address() const { return address_; }
  u64 bytes() const { return bytes_; }
  explicit operator bool() const { return bytes_ != 0; }

  // Gives the whole pages inside the range back; they read as zero afterwards.
  void discard(u64 address, u64 bytes);

 private:
  Reservation(u64 address, u64 bytes) : address_(address), bytes_(bytes) {}
  void release();
  u64 address_ = 0, bytes_ = 0;
};

// The device heap: `capacity` bytes plus room for red zones, narrow or wide, at the same address in every run where the host allows it.
// With 32-bit addresses it lies between isa::kLowestGlobal and 4 GiB and may be smaller than asked for. Throws Error when there is no room.
Reservation reserveDeviceRegion(u32 addressBits, u64 capacity, bool wideGaps = false);

}  // namespace warpwright::exec
