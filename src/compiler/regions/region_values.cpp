#include "compiler/regions/region_values.hpp"

#include <algorithm>
#include <set>

#include "base/memory_units.hpp"
#include "compiler/regions/effects.hpp"

namespace warpwright::compiler {
namespace {

std::vector<u32> writersOf(const ptx::Function& kernel) {
  std::vector<u32> count(kernel.registers.size());
  for (const ptx::Instruction& instruction : kernel.body) forEachWritten(instruction, [&](u32 reg) { ++count[reg]; });
  return count;
}

bool readsAll(const ptx::Instruction& instruction, const std::vector<bool>& of) {
  bool all = true;
  forEachRead(instruction, [&](u32 reg) { all = all && of[reg]; });
  return all;
}

void countMentions(const ptx::Instruction& instruction, std::vector<u32>& count) {
  forEachRead(instruction, [&](u32 reg) { ++count[reg]; });
  forEachWritten(instruction, [&](u32 reg) { ++count[reg]; });
}

using Registers = std::set<u32>;

// Registers whose value at a position of the stretch may be read from there on, within it.
class StretchLiveness {
 public:
  StretchLiveness(const ptx::Function& kernel, const Stretch& stretch)
      : kernel_(kernel), stretch_(stretch), live_(stretch.end - stretch.begin) {
    while (pass()) {
    }
  }
  const Registers& atBegin() const { return live_.front(); }

 private:
  bool pass() {
    bool changed = false;
    for (u32 position = stretch_.end; position-- > stretch_.begin;) {
      Registers live = before(position);
      Registers& known = live_[position - stretch_.begin];
      if (live == known) continue;
      known = std::move(live);
      changed = true;
    }
    return changed;
  }

  Registers before(u32 position) const {
    const ptx::Instruction& instruction = kernel_.body[position];
    Registers live = at(position + 1);
    if (instruction.opcode == ptx::Opcode::bra) {
      const u32 label = instruction.operands.at(0).symbol.index;
      const Registers& there = at(kernel_.labels.at(label).position);
      live.insert(there.begin(), there.end());
    }
    if (instruction.guard.reg == ptx::kNoIndex) forEachWritten(instruction, [&](u32 reg) { live.erase(reg); });
    forEachRead(instruction, [&](u32 reg) { live.insert(reg); });
    return live;
  }

  const Registers& at(u32 position) const {
    static const Registers kNone;
    return stretch_.contains(position) ? live_[position - stretch_.begin] : kNone;
  }

  const ptx::Function& kernel_;
  const Stretch stretch_;
  std::vector<Registers> live_;
};

}  // namespace

std::vector<bool> jumpTargets(const ptx::Function& kernel) {
  std::vector<bool> targets(kernel.body.size() + 1);
  for (const ptx::Instruction& instruction : kernel.body)
    if (instruction.opcode == ptx::Opcode::bra) targets[kernel.labels.at(instruction.operands.at(0).symbol.index).position] = true;
  for (const ptx::NamedList& list : kernel.branchTargets)
    for (const u32 label : list.entries) targets[kernel.labels.at(label).position] = true;
  return targets;
}

std::vector<bool> uniformRegisters(const ptx::Function& kernel) {
  const std::vector<u32> writers = writersOf(kernel);
  std::vector<bool> uniform(kernel.registers.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (const ptx::Instruction& instruction : kernel.body) {
      if (!isPure(instruction) || instruction.guard.reg != ptx::kNoIndex || !readsAll(instruction, uniform)) continue;
      forEachWritten(instruction, [&](u32 reg) {
        if (uniform[reg] || writers[reg] != 1) return;
        uniform[reg] = changed = true;
      });
    }
  }
  return uniform;
}

std::vector<u32> mentionsOf(const ptx::Function& kernel) {
  std::vector<u32> count(kernel.registers.size());
  for (const ptx::Instruction& instruction : kernel.body) countMentions(instruction, count);
  return count;
}

std::vector<u32> inputsOf(const ptx::Function& kernel, const Stretch& stretch, const std::vector<bool>& uniform) {
  std::vector<u32> inputs;
  const StretchLiveness liveness(kernel, stretch);
  std::ranges::copy_if(liveness.atBegin(), std::back_inserter(inputs), [&](u32 reg) { return !uniform[reg]; });
  return inputs;
}

std::vector<u32> outputsOf(const ptx::Function& kernel, const Stretch& stretch) {
  const std::vector<u32> everywhere = mentionsOf(kernel);
  std::vector<u32> inside(kernel.registers.size());
  Registers written;
  for (u32 position = stretch.begin; position < stretch.end; ++position) {
    countMentions(kernel.body[position], inside);
    forEachWritten(kernel.body[position], [&](u32 reg) { written.insert(reg); });
  }
  const StretchLiveness liveness(kernel, stretch);
  std::vector<u32> outputs;
  std::ranges::copy_if(written, std::back_inserter(outputs),
                       [&](u32 reg) { return everywhere[reg] != inside[reg] || liveness.atBegin().contains(reg); });
  return outputs;
}

std::optional<u32> wordsOf(const ptx::Function& kernel, const std::vector<u32>& registers) {
  u32 words = 0;
  for (const u32 reg : registers) {
    const u32 bytes = ptx::sizeOf(kernel.registers[reg].type);
    if (bytes != kWordBytes && bytes != 2 * kWordBytes) return std::nullopt;
    words += bytes / static_cast<u32>(kWordBytes);
  }
  return words;
}

}  // namespace warpwright::compiler
