// Device memory as the machine sees it: the tracked allocations of the global space.
//
// A global device address IS a host virtual address: the device heap is one reserved region at a fixed address (below 4 GiB when
// addresses have 32 bits), so host code can read managed memory, and runs repeat bit by bit. Host memory that the program
// registers or pins is added with its own address.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace warpwright::exec {

enum class AllocationKind : u8 { device, managed, host, variable, heap };

struct Allocation {
  GlobalAddress address;
  u64 size = 0;  // bytes
  AllocationKind kind = AllocationKind::device;
  std::string label;   // variable name, or e.g. "allocation #3"; for messages
  bool freed = false;  // kept for a while so that a use after free can be named
  GlobalAddress end() const { return address + size; }
  bool contains(GlobalAddress first, u64 bytes) const { return first >= address && bytes <= size && first - address <= size - bytes; }
};

class GlobalMemory {
 public:
  struct Options {
    u32 addressBits = 64;
    u64 capacity = u64{8} << 30;  // bytes; allocations beyond it fail as on a full GPU
    bool trackInitialisation = false;
    bool wideGaps = false;  // between allocations, as far as address space allows
  };
  explicit GlobalMemory(const Options& options);
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  // Address aligned to 256 bytes (or `alignment` when larger), or nullopt when memory is exhausted. Between any two allocations lie at
  // least 256 bytes that belong to none, so that running past an end is seen; with wide gaps as many as the larger of the two has. A size
  // of 0 is rounded up to 1.
  std::optional<GlobalAddress> allocate(u64 bytes, AllocationKind kind, std::string label = {}, u64 alignment = 256);
  // False when `address` is not the start of a live allocation.
  bool free(GlobalAddress address);
  // Makes host memory accessible to kernels at its own address. False when it overlaps something registered.
  bool registerHost(void* pointer, u64 bytes, std::string label = {});
  bool unregisterHost(void* pointer);

  // The live allocation that contains the range, or null. Cheap for repeated look-ups.
  const Allocation* find(GlobalAddress address, u64 bytes) const;
  // For messages: the allocation (live or recently freed) nearest to the address; null when there is none.
  const Allocation* nearest(GlobalAddress address) const;

  u64 capacity() const { return options_.capacity; }
  u64 used() const { return used_; }          // bytes in live device allocations
  u64 heapUsed() const { return heapUsed_; }  // of these, what kernels have allocated
  // Whether the bytes lie in the device's memory, allocated or not: the host may touch them.
  bool holds(GlobalAddress address, u64 bytes) const;
  // For messages: tells of the memory of another device of the process, which kernels of this one do not reach.
  void addOther(const GlobalMemory& other) { others_.push_back(&other); }
  // The memory among these that holds the byte; null: none.
  const GlobalMemory* otherWith(GlobalAddress address) const;
  std::vector<Allocation> live() const;
  // Everything but the contents, the freed and what is initialised.
  struct State {
    std::vector<Allocation> live;  // by address
    GlobalAddress base;            // of the device heap
    GlobalAddress cursor;          // where the next allocation is tried first
    u64 allocated = 0, programs = 0;
  };
  State state() const;
  // Allocations of that state hold what lies at their addresses; host memory among them must be mapped. Throws Error when the device heap
  // lies elsewhere.
  void restore(const State& state);
  void reset();  // frees everything

  // Counts changes of the set of allocations; caches of look-ups compare it.
  u64 generation() const { return generation_; }
  // 0, 1, 2, …: a number for each program that is loaded.
  u64 numberProgram() { return programs_++; }

  // Initialisation tracking (only with Options::trackInitialisation): host writes and kernel stores mark bytes.
  bool tracksInitialisation() const { return options_.trackInitialisation; }
  void markInitialised(GlobalAddress address, u64 bytes);
  bool isInitialised(GlobalAddress address, u64 bytes) const;
  bool wasWritten(GlobalAddress address, u64 bytes) const;  // at least one of them

  // A device address is the host's, and the other way round.
  static std::byte* hostPointer(GlobalAddress address) { return reinterpret_cast<std::byte*>(u64{address}); }
  static GlobalAddress addressOf(const void* pointer) { return GlobalAddress(reinterpret_cast<u64>(pointer)); }

 private:
  struct Heap;
  Options options_;
  u64 used_ = 0, heapUsed_ = 0;
  u64 generation_ = 0;
  u64 programs_ = 0;
  std::vector<const GlobalMemory*> others_;
  std::unique_ptr<Heap> heap_;
};

}  // namespace warpwright::exec
