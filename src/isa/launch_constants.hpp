// Sizes of blocks and grids that lie in the constant bank, so that an instruction reads them like a parameter: real machines keep %ntid and
// %nctaid there too (c[0x0][0x0] is %ntid.x on sm_75), and no S2R is needed.
#pragma once

#include <array>
#include <optional>

#include "isa/instruction.hpp"

namespace warpwright::isa {

// Offset of the first one in the constant bank: beyond every parameter block (PTX ISA: at most 32,764 bytes).
inline constexpr u64 kLaunchConstants = u64{1} << 16;

// In their order there; each is a word.
inline constexpr std::array<SpecialRegister, 6> kLaunchConstantOrder = {
    SpecialRegister::ntid_x,   SpecialRegister::ntid_y,   SpecialRegister::ntid_z,
    SpecialRegister::nctaid_x, SpecialRegister::nctaid_y, SpecialRegister::nctaid_z,
};

constexpr std::optional<u64> launchConstantOffset(SpecialRegister special) {
  for (u32 i = 0; i < kLaunchConstantOrder.size(); ++i)
    if (kLaunchConstantOrder[i] == special) return kLaunchConstants + 4 * u64{i};
  return std::nullopt;
}

// What begins at an offset; nothing for parameters.
constexpr std::optional<SpecialRegister> launchConstantAt(u64 offset) {
  if (offset < kLaunchConstants || offset % 4 != 0) return std::nullopt;
  const u64 index = (offset - kLaunchConstants) / 4;
  if (index >= kLaunchConstantOrder.size()) return std::nullopt;
  return kLaunchConstantOrder[index];
}

}  // namespace warpwright::isa
