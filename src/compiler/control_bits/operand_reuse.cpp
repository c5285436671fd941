#include "compiler/control_bits/operand_reuse.hpp"

#include <algorithm>
#include <array>

namespace warpwright::compiler {
namespace {

constexpr u32 kPlaces = 4;
constexpr u32 kNowhere = ~u32{0};

// A block, from its end to its beginning.
class BlockReuse {
 public:
  BlockReuse(const isa::Program& program, const isa::Function& function, u32 banks)
      : program_(program), function_(function), banks_(banks) {
    for (auto& place : next_) place.resize(banks);
    written_.fill(kNowhere);
  }

  void add(u32 position, const IssueEffects& effects, isa::ControlBits& control) {
    const isa::Instruction& instruction = program_.code[function_.begin + position];
    const bool reads = effects.production == isa::Production::fixed;
    if (reads) mark(instruction, effects, control);
    for (const u32 unit : effects.destinations)
      if (unit < kRegisterUnits) written_[unit] = position;
    if (reads) forEachRead(instruction, [&](u32 place, u32 number) { next_[place][number % banks_] = {number, position}; });
    if (effects.awaitsAll)
      for (auto& place : next_) std::fill(place.begin(), place.end(), Read{});
  }

 private:
  struct Read {
    u32 number = kNowhere, position = 0;
  };

  void mark(const isa::Instruction& instruction, const IssueEffects& effects, isa::ControlBits& control) const {
    std::array<u32, kPlaces> words{}, wanted{};
    forEachRead(instruction, [&](u32 place, u32 number) {
      const Read& next = next_[place][number % banks_];
      const bool isOverwritten =
          written_[number] < next.position || std::ranges::find(effects.destinations, number) != effects.destinations.end();
      ++words[place];
      wanted[place] += next.number == number && !isOverwritten ? 1 : 0;
    });
    for (u32 place = 0; place < kPlaces; ++place)
      if (words[place] != 0 && wanted[place] == words[place]) control.reuse |= static_cast<u8>(1u << place);
  }

  // visit(place, register): a register that several operands name is read once, for the first of them.
  template <class Visit>
  void forEachRead(const isa::Instruction& instruction, Visit visit) const {
    const std::string_view letters = isa::info(instruction.opcode).sources;
    std::vector<u32> seen;
    for (u32 place = 0; place < letters.size(); ++place) {
      const isa::Operand& operand = instruction.sources[place];
      if (operand.kind != isa::Operand::Kind::reg) continue;
      const u32 words = std::max(1u, isa::operandWords(instruction, letters[place], program_.addressBits));
      for (u32 number = operand.index; number < operand.index + words; ++number) {
        if (std::ranges::find(seen, number) != seen.end()) continue;
        seen.push_back(number);
        visit(place, number);
      }
    }
  }

  const isa::Program& program_;
  const isa::Function& function_;
  const u32 banks_;
  std::array<std::vector<Read>, kPlaces> next_;  // by place and bank: what is read there next
  std::array<u32, kRegisterUnits> written_{};    // by register: where it is written next
};

}  // namespace

void markReuse(const isa::Program& program, const isa::Function& function, const CodeBlocks& code, std::span<const IssueEffects> effects,
               u32 banks, std::span<isa::ControlBits> control) {
  for (const CodeBlock& block : code.blocks) {
    BlockReuse reuse(program, function, banks);
    for (u32 i = block.end; i-- > block.begin;) reuse.add(i, effects[i], control[i]);
  }
}

}  // namespace warpwright::compiler
