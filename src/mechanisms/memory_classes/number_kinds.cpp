#include "mechanisms/memory_classes/number_kinds.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "base/memory_units.hpp"

namespace warpwright::mechanisms::memory_classes {
namespace {

using isa::Opcode;
using isa::Operand;

bool isRegister(const Operand& operand) { return operand.kind == Operand::Kind::reg; }

// The operand whose registers a load writes or a store reads.
const Operand& dataOf(const isa::Instruction& instruction, bool isStore) {
  return isStore ? instruction.sources[1] : instruction.destinations[0];
}

// Calls visit(operand, words, isFloat) for each operand in registers.
template <class Visit>
void eachOperand(const isa::Instruction& instruction, std::string_view letters, std::span<const Operand> operands, u32 addressBits,
                 Visit visit) {
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (!isRegister(operands[i])) continue;
    const isa::DataType type = isa::operandType(instruction, letters[i], addressBits);
    visit(operands[i], std::max(1u, isa::operandWords(instruction, letters[i], addressBits)), isa::isFloat(type));
  }
}

}  // namespace

NumberKinds::NumberKinds(const isa::Program& program, u32 warpsPerBlock)
    : addressBits_(program.addressBits), warpsPerBlock_(warpsPerBlock), isFloat_(program.code.size()) {}

NumberKinds::Warp& NumberKinds::warpOf(const exec::WarpId& id) {
  std::vector<Warp>& warps = blocks_[id.block];
  if (warps.empty()) warps.resize(warpsPerBlock_);
  return warps[id.warp];
}

void NumberKinds::issue(const exec::IssueEvent& event) {
  isLoaded_ = false;
  if (event.executing.empty()) return;
  const Warp& warp = warpOf(event.warp);
  const isa::Instruction& instruction = *event.instruction;
  eachOperand(instruction, isa::info(instruction.opcode).sources, instruction.sources, addressBits_,
              [&](const Operand& operand, u32 words, bool isFloat) {
                for (u32 word = 0; isFloat && word < words; ++word) isFloat_[warp.registers[operand.index + word]] = true;
              });
}

void NumberKinds::result(const exec::ResultEvent& event) {
  Warp& warp = warpOf(event.warp);
  const isa::Instruction& instruction = *event.instruction;
  eachOperand(instruction, isa::info(instruction.opcode).destinations, instruction.destinations, addressBits_,
              [&](const Operand& operand, u32 words, bool isFloat) {
                for (u32 word = 0; word < words; ++word) {
                  Origin& origin = warp.registers[operand.index + word];
                  if (!isLoaded_) origin = originOfResult(warp, event, word);
                  if (isFloat) isFloat_[origin] = true;
                }
              });
}

NumberKinds::Origin NumberKinds::originOfResult(Warp& warp, const exec::ResultEvent& event, u32 word) const {
  const bool isMove = event.instruction->opcode == Opcode::mov && isRegister(event.instruction->sources[0]);
  return isMove ? warp.registers[event.instruction->sources[0].index + word] : event.pc;
}

void NumberKinds::privateAccess(const exec::MemoryEvent& event) {
  Warp& warp = warpOf(event.warp);
  if (event.isStore) return store(warp, event);
  load(warp, event);
}

// All lanes hold what one instruction computed; where they differ, the last one to write counts.
void NumberKinds::store(Warp& warp, const exec::MemoryEvent& event) {
  for (u32 word = 0; word < event.bytesPerLane / kWordBytes; ++word) {
    const Origin origin = originOf(event, word);
    for (const LaneId lane : event.mask) warp.privateWords[event.addresses[lane] + u64{word} * kWordBytes] = origin;
  }
}

void NumberKinds::load(Warp& warp, const exec::MemoryEvent& event) {
  const u64 address = event.addresses[event.mask.least()];
  const Operand& destination = dataOf(*event.instruction, false);
  for (u32 word = 0; word < event.bytesPerLane / kWordBytes; ++word) {
    const auto known = warp.privateWords.find(address + u64{word} * kWordBytes);
    warp.registers[destination.index + word] = known == warp.privateWords.end() ? event.pc : known->second;
  }
  isLoaded_ = true;
}

NumberKinds::Origin NumberKinds::originOf(const exec::MemoryEvent& event, u32 word) {
  const Operand& data = dataOf(*event.instruction, event.isStore);
  if (isRegister(data)) return warpOf(event.warp).registers[data.index + word];
  if (isa::isFloat(event.instruction->type)) isFloat_[event.pc] = true;  // a constant
  return event.pc;
}

}  // namespace warpwright::mechanisms::memory_classes
