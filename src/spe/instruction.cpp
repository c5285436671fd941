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

// Asked for each instruction several times, so that names are looked at once.
constexpr auto startWith(std::string_view prefix) {
  std::array<bool, std::size(kOpcodes)> result{};
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = kOpcodes[i].name.starts_with(prefix);
  return result;
}
constexpr auto kLoads = startWith("lq"), kStores = startWith("st");

}  // namespace

// Names that are words of C++ have an underline there.
std::string_view nameOf(Opcode opcode) {
  const std::string_view name = kindOf(opcode).name;
  return name.ends_with('_') ? name.substr(0, name.size() - 1) : name;
}
Unit unitOf(Opcode opcode) { return kindOf(opcode).unit; }
bool isLoad(Opcode opcode) { return kLoads[static_cast<std::size_t>(opcode)]; }
bool isStore(Opcode opcode) { return kStores[static_cast<std::size_t>(opcode)]; }

}  // namespace warpwright::spe
