// S2R (PTX ISA, "Special Registers").
#include "exec/operations/special_registers.hpp"

#include <algorithm>
#include <bit>

namespace warpwright::exec {
namespace {

using isa::SpecialRegister;

// Lane masks have 32 bits; see warp_operations.cpp for warps of 64.
u32 laneMaskValue(SpecialRegister which, LaneId lane) {
  const u32 own = u32{1} << lane % 32;
  const u32 below = own - 1;
  switch (which) {
    case SpecialRegister::lanemask_eq:
      return own;
    case SpecialRegister::lanemask_le:
      return below | own;
    case SpecialRegister::lanemask_lt:
      return below;
    case SpecialRegister::lanemask_ge:
      return ~below;
    default:
      return ~(below | own);
  }
}

bool isLaneMask(SpecialRegister which) { return which >= SpecialRegister::lanemask_eq && which <= SpecialRegister::lanemask_gt; }

bool isTime(SpecialRegister which) { return which >= SpecialRegister::clock && which <= SpecialRegister::globaltimer_hi; }

u64 nanoseconds(u64 cycles, u64 clockKhz) { return clockKhz == 0 ? cycles : cycles * 1'000'000 / clockKhz; }

bool isOfCluster(SpecialRegister which) { return which >= SpecialRegister::clusterid_x && which <= SpecialRegister::is_explicit_cluster; }

u64 clusterValue(const Grid& grid, const Block& block, SpecialRegister which) {
  if (which == SpecialRegister::cluster_ctarank) return block.rank;
  if (which == SpecialRegister::cluster_nctarank) return grid.clusters.blocks();
  if (which == SpecialRegister::is_explicit_cluster) return isClusterExplicit(*grid.request.launch) ? 1 : 0;
  const auto of = [&](const Dim3& extent, SpecialRegister x) {
    const u32 dimension = static_cast<u32>(which) - static_cast<u32>(x);
    return dimension == 0 ? extent.x : dimension == 1 ? extent.y : extent.z;
  };
  if (which <= SpecialRegister::clusterid_z) return of(grid.clusters.clusterOf(block.position), SpecialRegister::clusterid_x);
  if (which <= SpecialRegister::nclusterid_z) return of(grid.clusters.clusters(), SpecialRegister::nclusterid_x);
  if (which <= SpecialRegister::cluster_ctaid_z)
    return of(grid.clusters.positionInCluster(block.position), SpecialRegister::cluster_ctaid_x);
  return of(grid.clusters.dimensions(), SpecialRegister::cluster_nctaid_x);
}

u64 environment(const LaunchRequest& request, u32 number) {
  if (number == 1) return request.gridSyncAddress >> 32;
  return number == 2 ? request.gridSyncAddress & 0xffff'ffff : 0;
}

}  // namespace

// The functional machine's time is what it has: a warp instruction takes one clock and one nanosecond.
void specialRegister(Grid& grid, const Issue& issue) {
  const SpecialRegister which = issue.op.instruction->modifiers.special;
  const Block& block = issue.block;
  u64 value = 0;
  if (isTime(which)) {
    ++grid.progress.changes;
    const bool isGlobal = which >= SpecialRegister::globaltimer;
    value = isGlobal ? grid.request.startNanoseconds + nanoseconds(issue.now, grid.clockKhz) : issue.now;
    if (which == SpecialRegister::clock_hi || which == SpecialRegister::globaltimer_hi) value >>= 32;
  } else if (which >= SpecialRegister::envreg && which <= SpecialRegister::envreg_last) {
    value = environment(grid.request, static_cast<u32>(which) - static_cast<u32>(SpecialRegister::envreg));
  } else if (isOfCluster(which)) {
    value = clusterValue(grid, block, which);
  }

  const u32* perLane = nullptr;
  switch (which) {
    case SpecialRegister::tid_x:
    case SpecialRegister::tid_y:
    case SpecialRegister::tid_z:
      perLane = issue.warp.state.banks[static_cast<u8>(LaneOperand::Bank::thread)] + static_cast<u32>(which) * grid.lanes;
      break;
    case SpecialRegister::ntid_x:
      value = grid.request.launch->block.x;
      break;
    case SpecialRegister::ntid_y:
      value = grid.request.launch->block.y;
      break;
    case SpecialRegister::ntid_z:
      value = grid.request.launch->block.z;
      break;
    case SpecialRegister::ctaid_x:
      value = block.position.x;
      break;
    case SpecialRegister::ctaid_y:
      value = block.position.y;
      break;
    case SpecialRegister::ctaid_z:
      value = block.position.z;
      break;
    case SpecialRegister::nctaid_x:
      value = grid.request.launch->grid.x;
      break;
    case SpecialRegister::nctaid_y:
      value = grid.request.launch->grid.y;
      break;
    case SpecialRegister::nctaid_z:
      value = grid.request.launch->grid.z;
      break;
    case SpecialRegister::warpid:
      value = issue.warp.index + block.slot / grid.request.limits.multiprocessors * grid.shape.warps();
      break;
    case SpecialRegister::nwarpid:
      value = u64{grid.request.limits.residentBlocksPerSm} * grid.shape.warps();
      break;
    case SpecialRegister::smid:
      value = block.slot % grid.request.limits.multiprocessors;
      break;
    case SpecialRegister::nsmid:
      value = grid.request.limits.multiprocessors;
      break;
    case SpecialRegister::gridid:
      value = grid.request.gridId;
      break;
    case SpecialRegister::dynamic_smem_size:
      value = grid.request.launch->dynamicSharedBytes;
      break;
    case SpecialRegister::total_smem_size:
    case SpecialRegister::aggr_smem_size:
      value = block.sharedBytes;
      break;
    default:
      break;
  }

  u32* low = registers(issue.warp, issue.op.destinations[0]);
  u32* high = isa::sizeOf(issue.op.instruction->type) == 8 ? low + grid.lanes : nullptr;
  const bool differs = perLane || which == SpecialRegister::laneid || isLaneMask(which);
  if (!differs && issue.executing == LaneMask::first(grid.lanes)) {
    std::fill_n(low, grid.lanes, static_cast<u32>(value));
    if (high) std::fill_n(high, grid.lanes, static_cast<u32>(value >> 32));
    return;
  }
  if (perLane && !high && issue.executing == LaneMask::first(grid.lanes)) {
    std::copy_n(perLane, grid.lanes, low);
    return;
  }
  for (const LaneId lane : issue.executing) {
    u64 own = perLane ? perLane[lane] : value;
    if (which == SpecialRegister::laneid) own = lane;
    if (isLaneMask(which)) own = laneMaskValue(which, lane);
    low[lane] = static_cast<u32>(own);
    if (high) high[lane] = static_cast<u32>(own >> 32);
  }
}

}  // namespace warpwright::exec
