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

// Names that are words of C++ have an underline there.
std::string_view nameOf(Opcode opcode) {
  const std::string_view name = kindOf(opcode).name;
  return name.ends_with('_') ? name.substr(0, name.size() - 1) : name;
}
Unit unitOf(Opcode opcode) { return kindOf(opcode).unit; }
bool isLoad(Opcode opcode) { return nameOf(opcode).starts_with("lq"); }
bool isStore(Opcode opcode) { return nameOf(opcode).starts_with("st"); }

}  // namespace warpwright::spe
