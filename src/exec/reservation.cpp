#include "exec/reservation.hpp"

#include <sys/mman.h>

#include <algorithm>

#include "base/error.hpp"
#include "isa/address_space.hpp"

namespace warpwright::exec {
namespace {

#if defined(__SANITIZE_THREAD__)
#define WARPWRIGHT_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WARPWRIGHT_THREAD_SANITIZER 1
#endif
#endif

#ifdef WARPWRIGHT_THREAD_SANITIZER
// ThreadSanitizer keeps its records in the middle of the address space and leaves programs what lies below 512 GiB.
constexpr u64 kHeapAddress = 0x0010'0000'0000, kHeapStep = 0x0010'0000'0000;
constexpr u32 kHeapCandidates = 7;
#else
constexpr u64 kHeapAddress = 0x2000'0000'0000;  // far from where Linux puts programs, libraries and stacks
constexpr u64 kHeapStep = 0x0100'0000'0000;     // the next device of the process
constexpr u32 kHeapCandidates = 64;
#endif
constexpr u64 kSmallHeapEnd = 0xf000'0000;  // 32-bit addresses
constexpr u64 kSmallHeapStep = 0x1000'0000;
constexpr u64 kLeastSmallHeap = 0x1'0000;

constexpr int kProtection = PROT_READ | PROT_WRITE;
constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

u64 wholePages(u64 bytes) { return (bytes + kHostPage - 1) / kHostPage * kHostPage; }

// Twice the capacity: freed ranges rest before they are used again, and red zones take room; wide ones twice as much as what lies between.
u64 roomyBytes(u64 capacity, bool wideGaps) { return wholePages((wideGaps ? 4 : 2) * capacity + kHostPage); }

Reservation reserveBelow4GiB(u64 capacity, bool wideGaps) {
  const u64 most = kSmallHeapEnd - isa::kLowestGlobal;
  for (u64 bytes = std::clamp(roomyBytes(capacity, wideGaps), kLeastSmallHeap, most); bytes >= kLeastSmallHeap;
       bytes = wholePages(bytes / 2)) {
    for (u64 address = isa::kLowestGlobal; address + bytes <= kSmallHeapEnd; address += kSmallHeapStep) {
      if (Reservation region = Reservation::at(address, bytes)) return region;
    }
  }
  throw Error("no room below 4 GiB for the memory of a device with 32-bit addresses", {},
              "use 64-bit addresses (--address-bits 64), or a smaller memory in the machine file");
}

}  // namespace

Reservation& Reservation::operator=(Reservation&& other) noexcept {
  if (this == &other) return *this;
  release();
  address_ = std::exchange(other.address_, 0);
  bytes_ = std::exchange(other.bytes_, 0);
  return *this;
}

void Reservation::release() {
  if (bytes_) munmap(reinterpret_cast<void*>(address_), bytes_);
}

Reservation Reservation::anywhere(u64 bytes) {
  if (bytes == 0) return {};
  bytes = wholePages(bytes);
  void* mapped = mmap(nullptr, bytes, kProtection, kFlags, -1, 0);
  if (mapped == MAP_FAILED) {
    throw Error("the host cannot reserve " + std::to_string(bytes) + " bytes of address space", {},
                "raise the address-space limit (ulimit -v), or choose a machine with less memory");
  }
  return {reinterpret_cast<u64>(mapped), bytes};
}

Reservation Reservation::at(u64 address, u64 bytes) {
  bytes = wholePages(bytes);
  void* mapped = mmap(reinterpret_cast<void*>(address), bytes, kProtection, kFlags | MAP_FIXED_NOREPLACE, -1, 0);
  if (mapped == MAP_FAILED) return {};
  // Kernels before 4.17 take the address as a mere hint.
  if (reinterpret_cast<u64>(mapped) == address) return {address, bytes};
  munmap(mapped, bytes);
  return {};
}

void Reservation::discard(u64 address, u64 bytes) {
  const u64 begin = wholePages(address);
  const u64 end = (address + bytes) / kHostPage * kHostPage;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

namespace {

Reservation reserveFar(u64 bytes) {
  for (u32 i = 0; i < kHeapCandidates; ++i) {
    if (Reservation region = Reservation::at(kHeapAddress + i * kHeapStep, bytes)) return region;
  }
  return Reservation::anywhere(bytes);
}

}  // namespace

Reservation reserveDeviceRegion(u32 addressBits, u64 capacity, bool wideGaps) {
  Reservation region = addressBits == 32 ? reserveBelow4GiB(capacity, wideGaps) : reserveFar(roomyBytes(capacity, wideGaps));
  // Kernels stride over far more pages than the host's address translation remembers. A hint: a host without huge pages goes on.
  madvise(reinterpret_cast<void*>(region.address()), region.bytes(), MADV_HUGEPAGE);
  return region;
}

}  // namespace warpwright::exec
