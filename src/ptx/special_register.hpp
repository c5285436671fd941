// Special registers (PTX ISA, "Special Registers"): %tid.x and its like.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/types.hpp"
#include "ptx/types.hpp"

namespace warpwright::ptx {

enum class SpecialRegister : u8 {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  clock,
  clock_hi,
  clock64,
  globaltimer,
  globaltimer_lo,
  globaltimer_hi,
  envreg,  // %envreg0 … 31: `SpecialRegister::envreg + n`
  envreg_last = envreg + 31,
  dynamic_smem_size,
  total_smem_size,
  aggr_smem_size,
  pm,  // %pm0 … 7 read as zero: no performance monitor
  pm_last = pm + 7,
  clusterid_x,
  clusterid_y,
  clusterid_z,
  nclusterid_x,
  nclusterid_y,
  nclusterid_z,
  cluster_ctaid_x,
  cluster_ctaid_y,
  cluster_ctaid_z,
  cluster_nctaid_x,
  cluster_nctaid_y,
  cluster_nctaid_z,
  cluster_ctarank,
  cluster_nctarank,
  is_explicit_cluster,  // a predicate
};

// "%tid.x" → tid_x. Empty for a name that is none of them.
std::optional<SpecialRegister> specialRegisterNamed(std::string_view text);
struct SpecialRegisterInfo {
  std::string_view name;
  SpecialRegister reg;
};
// All but the numbered ones (%envreg…, %pm…).
std::span<const SpecialRegisterInfo> specialRegisters();
// pred for %is_explicit_cluster; u64 for %clock64, %globaltimer and %gridid; u32 for all others.
Type typeOf(SpecialRegister reg);

}  // namespace warpwright::ptx
