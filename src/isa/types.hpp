// The value types, units and address spaces of the machine.
#pragma once

#include <string_view>

#include "base/types.hpp"

namespace warpwright::isa {

// Machine registers are 32 bits wide. Types of 8 and 16 bits live zero-extended (unsigned, float) or sign-extended (signed)
// in one register; 64-bit types live in an aligned pair, low word in the even register. Predicates have registers of their own.
// The x2 types are two 16-bit values in one register, the first in the low half.
enum class DataType : u8 { none, pred, u8, s8, u16, s16, u32, s32, u64, s64, f16, bf16, f32, f64, f16x2, bf16x2, u16x2, s16x2 };
inline constexpr u32 kDataTypes = static_cast<u32>(DataType::s16x2) + 1;

enum class Space : u8 { generic, global, shared, local, constant, param };

// The pipe that executes an instruction.
enum class Unit : u8 { integer, fp32, fp64, sfu, load_store, branch, warp, control, tensor };

// Latency class; the cycle counts are the machine's configuration, not the instruction's.
enum class Latency : u8 {
  simple,
  multiply,
  divide,
  fma32,
  divide32,
  fma64,
  divide64,
  special,
  convert,
  memory,
  shuffle,
  branch,
  barrier,
  matrix,
  group_matrix,
  // Parts of these, which a machine may tell from the rest (config::Sm).
  add64,           // of simple
  shift,           // of simple
  count,           // of special
  add32,           // of fma32
  fma16,           // of fma32
  convertInteger,  // of convert
  vote,            // of shuffle
  reduce,          // of shuffle
  matrixInteger,   // of matrix
  matrix64         // of matrix
};
inline constexpr std::size_t kLatencyClasses = static_cast<std::size_t>(Latency::matrix64) + 1;

u32 sizeOf(DataType type);         // bytes; 0 for none and pred
u32 registerWords(DataType type);  // 32-bit registers: 0 for pred, 2 for 64-bit types, else 1
bool isFloat(DataType type);
bool isSigned(DataType type);
std::string_view name(DataType type);  // "S32"
std::string_view name(Space space);    // "GLOBAL"
std::string_view name(Unit unit);
std::string_view name(Latency latency);

}  // namespace warpwright::isa
