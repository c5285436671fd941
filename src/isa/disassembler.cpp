#include "isa/disassembler.hpp"
namespace warpwright::isa {
std::string disassemble(const Instruction& i, u32) { return std::string(info(i.opcode).mnemonic) + "." + std::string(name(i.type)); }
}  // namespace warpwright::isa
