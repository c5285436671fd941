// The table of SASS opcodes (opcodes.def).
#pragma once

#include <span>
#include <string_view>

#include "base/error.hpp"
#include "isa/opcode_info.hpp"

namespace warpwright::sass {

// How an instruction's registers, types and memory follow from its line.
enum class Form : u8 {
  plain,            // registers in the order of the line
  behindPredicate,  // a predicate may stand before the result, which the tracer then takes for the first source
  sourceTyped,      // the type is that of the sources; the result is an integer
  betweenFloats,    // types of result and source are modifiers: F2F.F64.F32
  toInteger,        // … F2I.S64.F64
  toFloat,          // … I2F.F64.U32
  matrix,           // so is the shape: HMMA.16816.F32
  transposition,
  load,  // the width is a modifier
  store,
  rowLoad,  // of matrices of 8 rows with 16 bytes each, by as many lanes: LDSM.16.M88.4
  rowStore,
  atomic,  // its result may stand behind a predicate
  reduction,
  copy,      // from global to shared memory, of which the trace has the global addresses
  unlisted,  // accesses memory at addresses that the trace does not have
  meeting,   // lanes wait for others of their warp, and the warp may go on with these
  barrier,
  arrival,  // at a barrier, without waiting
};

struct OpcodeRow {
  std::string_view name;
  u32 since = 0;
  isa::Opcode operation{};
  isa::DataType type{};
  Form form{};
  isa::Space space{};
};

// All rows; those of one name behind one another, by `since`.
std::span<const OpcodeRow> opcodeRows();
// The row for an opcode with its modifiers on a GPU: that of the name with the first modifier, else of the name. Throws Error for one that
// such a GPU does not have.
const OpcodeRow& rowOf(std::string_view opcode, u32 smVersion, const SourcePosition& where);

}  // namespace warpwright::sass
