#include "ptx/special_register.hpp"

#include <array>
#include <charconv>

namespace warpwright::ptx {
namespace {

struct Entry {
  std::string_view name;
  SpecialRegister reg;
};

using enum SpecialRegister;

constexpr std::array kEntries = {
    Entry{"%tid.x", tid_x},
    Entry{"%tid.y", tid_y},
    Entry{"%tid.z", tid_z},
    Entry{"%ntid.x", ntid_x},
    Entry{"%ntid.y", ntid_y},
    Entry{"%ntid.z", ntid_z},
    Entry{"%ctaid.x", ctaid_x},
    Entry{"%ctaid.y", ctaid_y},
    Entry{"%ctaid.z", ctaid_z},
    Entry{"%nctaid.x", nctaid_x},
    Entry{"%nctaid.y", nctaid_y},
    Entry{"%nctaid.z", nctaid_z},
    Entry{"%laneid", laneid},
    Entry{"%warpid", warpid},
    Entry{"%nwarpid", nwarpid},
    Entry{"%smid", smid},
    Entry{"%nsmid", nsmid},
    Entry{"%gridid", gridid},
    Entry{"%lanemask_eq", lanemask_eq},
    Entry{"%lanemask_le", lanemask_le},
    Entry{"%lanemask_lt", lanemask_lt},
    Entry{"%lanemask_ge", lanemask_ge},
    Entry{"%lanemask_gt", lanemask_gt},
    Entry{"%clock", clock},
    Entry{"%clock_hi", clock_hi},
    Entry{"%clock64", clock64},
    Entry{"%globaltimer", globaltimer},
    Entry{"%globaltimer_lo", globaltimer_lo},
    Entry{"%globaltimer_hi", globaltimer_hi},
    Entry{"%dynamic_smem_size", dynamic_smem_size},
    Entry{"%total_smem_size", total_smem_size},
    Entry{"%aggr_smem_size", aggr_smem_size},
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
  for (const Entry& entry : kEntries)
    if (entry.name == text) return entry.reg;
  if (const auto reg = numbered(text, "%envreg", envreg, envreg_last)) return reg;
  return numbered(text, "%pm", pm, pm_last);
}

Type typeOf(SpecialRegister reg) { return reg == clock64 || reg == globaltimer || reg == gridid ? Type::u64 : Type::u32; }

}  // namespace warpwright::ptx
