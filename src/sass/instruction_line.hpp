// A warp instruction as a line of a trace has it:
//
//   [line] PC mask destinations [registers] opcode sources [registers] width [mode addresses] [immediate]
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "base/types.hpp"
#include "sass/fields.hpp"
#include "sass/kernel_header.hpp"

namespace warpwright::sass {

// RZ, which is always zero.
inline constexpr u8 kZeroRegister = 255;

struct RegisterList {
  static constexpr u32 kMost = 8;
  u32 count = 0;
  std::array<u8, kMost> numbers{};

  std::span<const u8> all() const { return {numbers.data(), count}; }
};

// How the addresses of a warp are written.
enum class AddressMode : u8 {
  list,    // each
  stride,  // the first, and what each is beyond the one before
  deltas,  // the first, and for each other what it is beyond the one before
};

struct InstructionLine {
  u32 sourceLine = 0;  // 0: not known
  u64 pc = 0;          // in bytes
  u32 mask = 0;        // of the lanes that execute it
  RegisterList destinations, sources;
  std::string_view opcode;     // "LDG.E.64"
  std::string_view operation;  // what is the same whenever it executes, from `destinations` to the end of `sources`
  bool hasAddresses = false;
  AddressMode mode = AddressMode::list;
  u64 first = 0;                        // address; of the first lane in the mask
  s64 stride = 0;                       // mode stride
  std::array<s64, kWarpSize> deltas{};  // mode list and deltas: of the further lanes in the mask, as in mode deltas
};

// Throws Error.
void parseInstruction(std::string_view text, const KernelHeader& header, const SourcePosition& where, InstructionLine& into);

}  // namespace warpwright::sass
