// What an instruction reads like a parameter, because a launch cannot change it: each has its place in the offsets of Operand::Kind::param.
//
// Sizes of blocks and grids lie in the constant bank: real machines keep %ntid and %nctaid there too (c[0x0][0x0] is %ntid.x on sm_75), and
// no S2R is needed. The module's constant memory is a bank of its own (c[0x3][…] since Volta); its contents are those of the launch's
// begin.
#pragma once

#include <array>
#include <optional>

#include "isa/instruction.hpp"

namespace warpwright::isa {

// Offset of the first one in the constant bank: beyond every parameter block (PTX ISA: at most 32,764 bytes).
inline constexpr u64 kLaunchConstants = u64{1} << 16;

// Offset of the first byte of the module's constant memory: beyond the words above.
inline constexpr u64 kModuleConstants = u64{1} << 20;

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

// The place in the module's constant memory; nothing for parameters and sizes.
constexpr std::optional<u64> moduleConstantAt(u64 offset) {
  if (offset < kModuleConstants) return std::nullopt;
  return offset - kModuleConstants;
}

}  // namespace warpwright::isa
