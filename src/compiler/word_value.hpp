// What one 32-bit word is known to hold.
#pragma once

#include <optional>
#include <span>

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

struct WordValue {
  enum class Kind : u8 { unknown, unit, immediate, param, symbol } kind = Kind::unknown;
  u32 unit = 0;
  u32 bits = 0;               // immediate
  u64 offset = 0;             // param: of this word in the parameter block
  u32 half = 0;               // symbol: which word of the address
  isa::SymbolAddress symbol;  // symbol
};

// The operand that reads these words, where there is one: registers must lie together as a group does, the words of a parameter must be
// neighbours. A symbol is returned in `symbol`, its operand being an immediate to be filled in.
std::optional<isa::Operand> operandOf(const MachineFunction& function, std::span<const WordValue> words,
                                      std::optional<isa::SymbolAddress>& symbol);

// The value of word `word` of a mov's source.
WordValue wordOfMove(const MachineInstruction& move, u32 word);

}  // namespace warpwright::compiler
