#include "ptx/special_register.hpp"

#include <array>
#include <charconv>

namespace warpwright::ptx {
namespace {

using enum SpecialRegister;

constexpr std::array kEntries = {
    SpecialRegisterInfo{"%tid.x", tid_x},
    SpecialRegisterInfo{"%tid.y", tid_y},
    SpecialRegisterInfo{"%tid.z", tid_z},
    SpecialRegisterInfo{"%ntid.x", ntid_x},
    SpecialRegisterInfo{"%ntid.y", ntid_y},
    SpecialRegisterInfo{"%ntid.z", ntid_z},
    SpecialRegisterInfo{"%ctaid.x", ctaid_x},
    SpecialRegisterInfo{"%ctaid.y", ctaid_y},
    SpecialRegisterInfo{"%ctaid.z", ctaid_z},
    SpecialRegisterInfo{"%nctaid.x", nctaid_x},
    SpecialRegisterInfo{"%nctaid.y", nctaid_y},
    SpecialRegisterInfo{"%nctaid.z", nctaid_z},
    SpecialRegisterInfo{"%laneid", laneid},
    SpecialRegisterInfo{"%warpid", warpid},
    SpecialRegisterInfo{"%nwarpid", nwarpid},
    SpecialRegisterInfo{"%smid", smid},
    SpecialRegisterInfo{"%nsmid", nsmid},
    SpecialRegisterInfo{"%gridid", gridid},
    SpecialRegisterInfo{"%lanemask_eq", lanemask_eq},
    SpecialRegisterInfo{"%lanemask_le", lanemask_le},
    SpecialRegisterInfo{"%lanemask_lt", lanemask_lt},
    SpecialRegisterInfo{"%lanemask_ge", lanemask_ge},
    SpecialRegisterInfo{"%lanemask_gt", lanemask_gt},
    SpecialRegisterInfo{"%clock", clock},
    SpecialRegisterInfo{"%clock_hi", clock_hi},
    SpecialRegisterInfo{"%clock64", clock64},
    SpecialRegisterInfo{"%globaltimer", globaltimer},
    SpecialRegisterInfo{"%globaltimer_lo", globaltimer_lo},
    SpecialRegisterInfo{"%globaltimer_hi", globaltimer_hi},
    SpecialRegisterInfo{"%dynamic_smem_size", dynamic_smem_size},
    SpecialRegisterInfo{"%total_smem_size", total_smem_size},
    SpecialRegisterInfo{"%aggr_smem_size", aggr_smem_size},
    SpecialRegisterInfo{"%clusterid.x", clusterid_x},
    SpecialRegisterInfo{"%clusterid.y", clusterid_y},
    SpecialRegisterInfo{"%clusterid.z", clusterid_z},
    SpecialRegisterInfo{"%nclusterid.x", nclusterid_x},
    SpecialRegisterInfo{"%nclusterid.y", nclusterid_y},
    SpecialRegisterInfo{"%nclusterid.z", nclusterid_z},
    SpecialRegisterInfo{"%cluster_ctaid.x", cluster_ctaid_x},
    SpecialRegisterInfo{"%cluster_ctaid.y", cluster_ctaid_y},
    SpecialRegisterInfo{"%cluster_ctaid.z", cluster_ctaid_z},
    SpecialRegisterInfo{"%cluster_ctarank", cluster_ctarank},
    SpecialRegisterInfo{"%cluster_nctaid.x", cluster_nctaid_x},
    SpecialRegisterInfo{"%cluster_nctaid.y", cluster_nctaid_y},
    SpecialRegisterInfo{"%cluster_nctaid.z", cluster_nctaid_z},
    SpecialRegisterInfo{"%cluster_nctarank", cluster_nctarank},
    SpecialRegisterInfo{"%is_explicit_cluster", is_explicit_cluster},
    // The system reserves no shared memory.
    SpecialRegisterInfo{"%reserved_smem_offset_begin", pm},
    SpecialRegisterInfo{"%reserved_smem_offset_end", pm},
    SpecialRegisterInfo{"%reserved_smem_offset_cap", pm},
    SpecialRegisterInfo{"%reserved_smem_offset_0", pm},
    SpecialRegisterInfo{"%reserved_smem_offset_1", pm},
};

// "%envreg7" → envreg + 7 when the number is at most last - first.
std::optional<SpecialRegister> numbered(std::string_view text, std::string_view prefix, SpecialRegister first, SpecialRegister last) {
  if (!text.starts_with(prefix)) return std::nullopt;
  const std::string_view digits = text.substr(prefix.size());
  u32 number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool plain = !digits.empty() && (digits.size() == 1 || digits[0] != '0');
  if (error != std::errc{} || end != digits.data() + digits.size() || !plain) return std::nullopt;
  if (number > static_cast<u32>(last) - static_cast<u32>(first)) return std::nullopt;
  return static_cast<SpecialRegister>(static_cast<u32>(first) + number);
}

}  // namespace

std::optional<SpecialRegister> specialRegisterNamed(std::string_view text) {
  for (const SpecialRegisterInfo& entry : kEntries)
    if (entry.name == text) return entry.reg;
  if (const auto reg = numbered(text, "%envreg", envreg, envreg_last)) return reg;
  return numbered(text, "%pm", pm, pm_last);
}

std::span<const SpecialRegisterInfo> specialRegisters() { return kEntries; }

Type typeOf(SpecialRegister reg) {
  if (reg == is_explicit_cluster) return Type::pred;
  return reg == clock64 || reg == globaltimer || reg == gridid ? Type::u64 : Type::u32;
}

}  // namespace warpwright::ptx
