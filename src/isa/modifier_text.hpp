// The modifiers and types of an instruction as suffixes of its mnemonic.
#pragma once

#include <string>
#include <string_view>

#include "isa/instruction.hpp"

namespace warpwright::isa {

// ".GLOBAL.V2.U32", ".LT.AND.S32" …; empty when there are none.
std::string modifierText(const Instruction& instruction);

std::string_view name(SystemCall call);
std::string_view name(Compare compare);
std::string_view name(SpecialRegister special);

}  // namespace warpwright::isa
