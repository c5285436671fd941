// What the modifiers of an opcode say: "LDG.E.U8.CONSTANT", "F2I.S64.F64.TRUNC", "HMMA.16816.F32".
#pragma once

#include <optional>
#include <string_view>

#include "isa/matrix.hpp"
#include "isa/opcode_info.hpp"
#include "isa/types.hpp"

namespace warpwright::sass {

// Whether it is one of the modifiers.
bool hasModifier(std::string_view opcode, std::string_view modifier);

// What a lane accesses: elements of a type, one behind the other.
struct ElementWidth {
  isa::DataType type = isa::DataType::u32;
  u8 vector = 1;
};
ElementWidth widthOf(std::string_view opcode);
// Of an atomic operation.
isa::DataType atomicType(std::string_view opcode);

// The first, and the second, of the floating-point types and of the integer types among the modifiers.
std::optional<isa::DataType> floatType(std::string_view opcode, u32 which);
std::optional<isa::DataType> integerType(std::string_view opcode);

// A matrix instruction, by its shape and elements; none: there is no shape, or none that is known. sources: registers that it reads.
std::optional<isa::Matrix> matrixOf(std::string_view opcode, u32 sources);
// How many matrices of 8 x 16 bytes one moves: 1, 2 or 4.
u32 matricesMoved(std::string_view opcode);

}  // namespace warpwright::sass
