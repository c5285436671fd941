#include "spe/instruction.hpp"

namespace warpwright::spe {
namespace {

struct OpcodeKind {
  std::string_view name;
  Unit unit;
};

constexpr OpcodeKind kOpcodes[] = {
#define WW_SPU(name, unit) {#name, Unit::unit},
#include "spe/opcodes.def"
};

const OpcodeKind& kindOf(Opcode opcode) { return kOpcodes[static_cast<std::size_t>(opcode)]; }

}  // namespace

std::string_view nameOf(Opcode opcode) { return kindOf(opcode).name; }
Unit unitOf(Opcode opcode) { return kindOf(opcode).unit; }
bool isLoad(Opcode opcode) { return nameOf(opcode).starts_with("lq"); }
bool isStore(Opcode opcode) { return nameOf(opcode).starts_with("stq"); }

}  // namespace warpwright::spe
