// The grammar of PTX instructions: rows of (opcode, modifier slots, operand pattern). grammar.def holds the rows as text;
// this file gives them their structure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/instruction.hpp"

namespace warpwright::ptx {

// What a modifier slot sets in Modifiers.
enum class Category : u8 {
  flag,
  type,
  source,
  rounding,
  compare,
  combine,
  mul,
  space,
  vector,
  atomic,
  ordering,
  scope,
  cache,
  shuffle,
  vote,
  barrier,
  prmt,
  test,
  clamp,
  direction,
  half,
  match,
  geometry,
  boundary,
  query,
  component,
  dimensions,
  field,
  // Those of matrix_modifiers.hpp:
  shape,
  elementA,
  elementB,
  elementC,
  elementD,
  layoutA,
  layoutB,
  matrixPart,
  matrixCount,
  transposed,
  mbarrier,
  async,
  second,
  accumulate,
};

struct ModifierValue {
  std::string_view text;  // without its dot
  u8 code = 0;            // the enumerator of the category
};

struct Slot {
  Category category = Category::flag;
  std::vector<ModifierValue> values;
  bool optional = false;
};

// One operand position.
struct OperandPattern {
  enum class Class : u8 {
    value,        // register or literal of `type`; "!" is allowed on predicates
    destination,  // register of `type`
    address,      // [base + displacement]
    anyAddress,   // the same, of whatever space
    fragmentTo,   // {registers}: `count` of `type`; the braces of one may be left out
    fragmentFrom,
    accumulators,  // {registers} of `type`, read and written: one for `columnsEach` columns of the product
    texel,         // [texture or surface, {coordinates}]
    tensor,        // [tensor map, {coordinates}], Modifiers::dimensions of them
    gradient,      // {one f32 a dimension} or one alone
    vectorTo,      // {registers} receiving Modifiers::vector elements of `type`
    vectorFrom,    // {registers or literals} giving them
    unpack,        // {registers} that together have the size of `type`
    pack,          // {registers or literals} that together have the size of `type`
    moved,         // value, special register, or address of a symbol
    pointer,       // register or address of a symbol
    converted,     // value (wider registers allowed) or special register
    byteLiteral,   // constant 0 … 255
    bit,           // constant 0 or 1
    sign,          // constant 1 or -1
    constant,      // any integer
    part,          // 32-bit value, of which a video instruction takes a part: r.b0
    policy,        // cache policy: there exactly with .L2::cache_hint
    label,         // branch target
    labelList,     // name of a .branchtargets list
  };
  enum class TypeOf : u8 { fixed, instruction, source, wide, none };
  Class kind = Class::value;
  TypeOf typeOf = TypeOf::none;
  Type fixed = Type::none;
  u8 count = 0;                  // registers of a fragment
  u8 columnsEach = 0;            // of accumulators
  bool relaxed = false;          // registers wider than the type are allowed (ld, st, cvt)
  bool optional = false;         // may be left out
  bool discardable = false;      // "_" may stand for a destination
  bool secondPredicate = false;  // "|p" may follow a destination
  bool needsSecond = false;      // … and must
};

struct Row {
  Opcode opcode{};
  bool anyOrder = false;  // the modifiers may come in any order, as assemblers accept them for memory operations
  std::vector<Slot> slots;
  std::vector<OperandPattern> operands;
  std::string_view slotText, operandText;  // as written in grammar.def
};

// Every row, those of one opcode together.
std::span<const Row> grammar();
// The rows of one opcode.
std::span<const Row> rowsOf(Opcode opcode);

// Writes what a modifier means into the fields of `modifiers`.
void applyModifier(Category category, const ModifierValue& value, Modifiers& modifiers);
// The values that a category knows, empty for flags.
std::span<const ModifierValue> valuesOf(Category category);

}  // namespace warpwright::ptx
