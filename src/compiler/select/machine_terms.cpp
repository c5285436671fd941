#include "compiler/select/machine_terms.hpp"

// No switch here has a default: a member that PTX gets must be given its counterpart.
#pragma GCC diagnostic error "-Wswitch"

#define WARPWRIGHT_SAME(member) \
  case From::member:            \
    return To::member

namespace warpwright::compiler {

isa::BoolOp machineTerm(ptx::BoolOp operation) {
  using From = ptx::BoolOp;
  using To = isa::BoolOp;
  switch (operation) {
    WARPWRIGHT_SAME(none);
    WARPWRIGHT_SAME(and_);
    WARPWRIGHT_SAME(or_);
    WARPWRIGHT_SAME(xor_);
  }
  return {};
}

isa::AtomicOp machineTerm(ptx::AtomicOp operation) {
  using From = ptx::AtomicOp;
  using To = isa::AtomicOp;
  switch (operation) {
    WARPWRIGHT_SAME(none);
    WARPWRIGHT_SAME(and_);
    WARPWRIGHT_SAME(or_);
    WARPWRIGHT_SAME(xor_);
    WARPWRIGHT_SAME(cas);
    WARPWRIGHT_SAME(exch);
    WARPWRIGHT_SAME(add);
    WARPWRIGHT_SAME(inc);
    WARPWRIGHT_SAME(dec);
    WARPWRIGHT_SAME(min);
    WARPWRIGHT_SAME(max);
  }
  return {};
}

isa::CacheOp machineTerm(ptx::CacheOp operation) {
  using From = ptx::CacheOp;
  using To = isa::CacheOp;
  switch (operation) {
    WARPWRIGHT_SAME(none);
    WARPWRIGHT_SAME(ca);
    WARPWRIGHT_SAME(cg);
    WARPWRIGHT_SAME(cs);
    WARPWRIGHT_SAME(lu);
    WARPWRIGHT_SAME(cv);
    WARPWRIGHT_SAME(wb);
    WARPWRIGHT_SAME(wt);
    WARPWRIGHT_SAME(nc);
  }
  return {};
}

isa::PermuteMode machineTerm(ptx::PrmtMode mode) {
  using From = ptx::PrmtMode;
  using To = isa::PermuteMode;
  switch (mode) {
    case From::none:
      return To::index;
      WARPWRIGHT_SAME(f4e);
      WARPWRIGHT_SAME(b4e);
      WARPWRIGHT_SAME(rc8);
      WARPWRIGHT_SAME(ecl);
      WARPWRIGHT_SAME(ecr);
      WARPWRIGHT_SAME(rc16);
  }
  return {};
}

isa::VideoSecond machineTerm(ptx::Accumulate operation) {
  using From = ptx::Accumulate;
  using To = isa::VideoSecond;
  switch (operation) {
    WARPWRIGHT_SAME(none);
    WARPWRIGHT_SAME(add);
    WARPWRIGHT_SAME(min);
    WARPWRIGHT_SAME(max);
  }
  return {};
}

isa::Geometry machineTerm(ptx::Geometry geometry) {
  using From = ptx::Geometry;
  using To = isa::Geometry;
  switch (geometry) {
    WARPWRIGHT_SAME(none);
    WARPWRIGHT_SAME(d1);
    WARPWRIGHT_SAME(d2);
    WARPWRIGHT_SAME(d3);
    WARPWRIGHT_SAME(a1d);
    WARPWRIGHT_SAME(a2d);
    WARPWRIGHT_SAME(cube);
    WARPWRIGHT_SAME(acube);
  }
  return {};
}

isa::SurfaceBoundary machineTerm(ptx::SurfaceBoundary boundary) {
  using From = ptx::SurfaceBoundary;
  using To = isa::SurfaceBoundary;
  switch (boundary) {
    WARPWRIGHT_SAME(trap);
    WARPWRIGHT_SAME(clamp);
    WARPWRIGHT_SAME(zero);
  }
  return {};
}

isa::TextureQuery machineTerm(ptx::TextureQuery query) {
  using From = ptx::TextureQuery;
  using To = isa::TextureQuery;
  switch (query) {
    WARPWRIGHT_SAME(none);
    WARPWRIGHT_SAME(width);
    WARPWRIGHT_SAME(height);
    WARPWRIGHT_SAME(depth);
    WARPWRIGHT_SAME(array_size);
    WARPWRIGHT_SAME(channel_data_type);
    WARPWRIGHT_SAME(channel_order);
    WARPWRIGHT_SAME(normalized_coords);
    WARPWRIGHT_SAME(filter_mode);
    WARPWRIGHT_SAME(addr_mode_0);
    WARPWRIGHT_SAME(addr_mode_1);
    WARPWRIGHT_SAME(addr_mode_2);
    WARPWRIGHT_SAME(num_mipmap_levels);
    WARPWRIGHT_SAME(num_samples);
  }
  return {};
}

isa::MatrixElement machineTerm(ptx::MatrixElement element) {
  using From = ptx::MatrixElement;
  using To = isa::MatrixElement;
  switch (element) {
    WARPWRIGHT_SAME(none);
    WARPWRIGHT_SAME(f16);
    WARPWRIGHT_SAME(bf16);
    WARPWRIGHT_SAME(tf32);
    WARPWRIGHT_SAME(f32);
    WARPWRIGHT_SAME(f64);
    WARPWRIGHT_SAME(s4);
    WARPWRIGHT_SAME(u4);
    WARPWRIGHT_SAME(s8);
    WARPWRIGHT_SAME(u8);
    WARPWRIGHT_SAME(s32);
    WARPWRIGHT_SAME(b1);
    WARPWRIGHT_SAME(e4m3);
    WARPWRIGHT_SAME(e5m2);
  }
  return {};
}

isa::SpecialRegister machineTerm(ptx::SpecialRegister special) {
  using From = ptx::SpecialRegister;
  using To = isa::SpecialRegister;
  if (special >= From::envreg && special <= From::envreg_last) {
    return static_cast<To>(static_cast<u8>(To::envreg) + static_cast<u8>(special) - static_cast<u8>(From::envreg));
  }
  if (special >= From::pm && special <= From::pm_last) return To::zero;
  static_assert(static_cast<u8>(From::envreg_last) - static_cast<u8>(From::envreg) ==
                static_cast<u8>(To::envreg_last) - static_cast<u8>(To::envreg));
  switch (special) {
    WARPWRIGHT_SAME(tid_x);
    WARPWRIGHT_SAME(tid_y);
    WARPWRIGHT_SAME(tid_z);
    WARPWRIGHT_SAME(ntid_x);
    WARPWRIGHT_SAME(ntid_y);
    WARPWRIGHT_SAME(ntid_z);
    WARPWRIGHT_SAME(ctaid_x);
    WARPWRIGHT_SAME(ctaid_y);
    WARPWRIGHT_SAME(ctaid_z);
    WARPWRIGHT_SAME(nctaid_x);
    WARPWRIGHT_SAME(nctaid_y);
    WARPWRIGHT_SAME(nctaid_z);
    WARPWRIGHT_SAME(laneid);
    WARPWRIGHT_SAME(warpid);
    WARPWRIGHT_SAME(nwarpid);
    WARPWRIGHT_SAME(smid);
    WARPWRIGHT_SAME(nsmid);
    WARPWRIGHT_SAME(gridid);
    WARPWRIGHT_SAME(lanemask_eq);
    WARPWRIGHT_SAME(lanemask_le);
    WARPWRIGHT_SAME(lanemask_lt);
    WARPWRIGHT_SAME(lanemask_ge);
    WARPWRIGHT_SAME(lanemask_gt);
    WARPWRIGHT_SAME(clock);
    WARPWRIGHT_SAME(clock_hi);
    WARPWRIGHT_SAME(clock64);
    WARPWRIGHT_SAME(globaltimer);
    WARPWRIGHT_SAME(globaltimer_lo);
    WARPWRIGHT_SAME(globaltimer_hi);
    WARPWRIGHT_SAME(dynamic_smem_size);
    WARPWRIGHT_SAME(total_smem_size);
    WARPWRIGHT_SAME(aggr_smem_size);
    WARPWRIGHT_SAME(clusterid_x);
    WARPWRIGHT_SAME(clusterid_y);
    WARPWRIGHT_SAME(clusterid_z);
    WARPWRIGHT_SAME(nclusterid_x);
    WARPWRIGHT_SAME(nclusterid_y);
    WARPWRIGHT_SAME(nclusterid_z);
    WARPWRIGHT_SAME(cluster_ctaid_x);
    WARPWRIGHT_SAME(cluster_ctaid_y);
    WARPWRIGHT_SAME(cluster_ctaid_z);
    WARPWRIGHT_SAME(cluster_nctaid_x);
    WARPWRIGHT_SAME(cluster_nctaid_y);
    WARPWRIGHT_SAME(cluster_nctaid_z);
    WARPWRIGHT_SAME(cluster_ctarank);
    WARPWRIGHT_SAME(cluster_nctarank);
    WARPWRIGHT_SAME(is_explicit_cluster);
    case From::envreg:
    case From::envreg_last:
    case From::pm:
    case From::pm_last:
      break;
  }
  return To::zero;
}

}  // namespace warpwright::compiler

#undef WARPWRIGHT_SAME
