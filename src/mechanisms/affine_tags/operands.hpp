// The operands of a static instruction, as the tagged register file sees them.
#pragma once

#include <array>

#include "isa/instruction.hpp"

namespace warpwright::mechanisms::affine_tags {

// Where an operand lies: in registers one behind the other, in a predicate, or in the instruction.
struct OperandLocation {
  enum class Kind : u8 { none, constant, registers, predicate };
  Kind kind = Kind::none;
  u8 first = 0;       // register or predicate
  u8 words = 0;       // registers
  bool half = false;  // 16-bit values: of each register the low half
};

// What is known of a static instruction, worked out once.
struct Operation {
  const isa::Instruction* instruction = nullptr;
  isa::Across across = isa::Across::none;
  isa::Unit unit = isa::Unit::integer;
  bool computes = false;  // a lane operation: a functional unit works, in lanes
  u8 bytes = 4;           // of the instruction type
  std::array<OperandLocation, 4> sources, destinations;
  // Registers read and written, each once.
  static constexpr u32 kMost = 32;
  std::array<u8, kMost> reads{}, writes{};
  u32 readHalves = 0;                 // bit i: of reads[i] only the low half
  u32 highReads = 0, highWrites = 0;  // bit i: the high word of a 64-bit integer
  u8 readCount = 0, writeCount = 0;
};

Operation describe(const isa::Instruction& instruction, u32 addressBits);

}  // namespace warpwright::mechanisms::affine_tags
