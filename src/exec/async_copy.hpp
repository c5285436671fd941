// Copies from global to shared memory that are under way (PTX ISA, "cp.async").
//
// The source is read when the copy is issued. The destination is written when its thread waits (wait_group, wait_all), when a thread looks
// at the mbarrier object to which the copy's completion was tied, or when the thread exits: as late as PTX allows, so that a program
// which forgets to wait reads old data, the same in every run.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "base/types.hpp"

namespace warpwright::exec {

struct PendingCopy {
  LaneId lane;
  u32 group = 0;   // of its thread
  u64 serial = 0;  // in its warp
  Pc pc;
  SharedOffset offset;
  u32 bytes = 0;
  std::array<std::byte, 16> data{};
};

// Of one warp.
struct AsyncCopies {
  std::vector<PendingCopy> pending;
  std::array<u32, kMaxWarpSize> groups{};  // committed, by lane
  u64 serial = 0;
  std::vector<u32> bulk;                       // bulk stores, by their numbers in the grid: see bulk_copy.hpp
  std::array<u32, kMaxWarpSize> bulkGroups{};  // committed, by lane
};

// cp.async.mbarrier.arrive: arrives once the thread's copies up to `serial` are done.
struct PendingArrival {
  u32 warp = 0;
  LaneId lane;
  u64 serial = 0;
  SharedOffset offset;  // of the mbarrier object
};

}  // namespace warpwright::exec
