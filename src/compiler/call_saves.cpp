#include "compiler/call_saves.hpp"

#include <algorithm>
#include <map>

#include "compiler/analysis/loops.hpp"
#include "compiler/layout.hpp"
#include "compiler/liveness.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;

class CallSaves {
 public:
  CallSaves(MachineFunction& function, u32 keptWords) : function_(function), keptWords_(keptWords), slots_(function.units(), kNone) {}

  void run() {
    const u32 oldSize = static_cast<u32>(function_.code.size());
    std::vector<std::vector<u32>> live = liveAcross();
    keepInRegisters(live);
    std::vector<MachineInstruction> old = std::move(function_.code);
    std::vector<u32> newPosition;
    for (u32 i = 0; i < oldSize; ++i) {
      newPosition.push_back(static_cast<u32>(code_.size()));
      // Saves lie before the instruction that moves the stack pointer (i + 1 is the call), restores behind the one that moves it back.
      if (i + 1 < oldSize && isCall(old[i + 1])) insert(live[i + 1], old[i + 1], true);
      code_.push_back(old[i]);
      const u32 call = function_.source().isKernel ? i : i - 1;
      if (call < oldSize && isCall(old[call])) insert(live[call], old[call], false);
    }
    newPosition.push_back(static_cast<u32>(code_.size()));
    replaceCode(function_, std::move(code_), newPosition);
    function_.frameBytes = alignUp(function_.frameBytes, kFrameAlignment);
  }

 private:
  std::vector<std::vector<u32>> liveAcross() const {
    std::vector<std::vector<u32>> result(function_.code.size());
    const ControlFlow flow = buildControlFlow(function_);
    const Liveness liveness(function_, flow);
    for (u32 b = 0; b < flow.blocks.size(); ++b)
      liveness.walkBackward(b, [&](u32 position, const NumberSet& live) {
        const MachineInstruction& instruction = function_.code[position];
        if (!isCall(instruction)) return;
        live.forEach([&](u32 unit) {
          if (unit != kStackWord) result[position].push_back(unit);
        });
        forEachDestinationUnit(function_, instruction, [&](u32 unit) { std::erase(result[position], unit); });
      });
    return result;
  }

  // Takes out of the lists the words that live across the most calls, those in loops counting for more.
  void keepInRegisters(std::vector<std::vector<u32>>& live) const {
    if (keptWords_ == 0) return;
    const std::vector<u32> depths = loopDepths(function_);
    std::map<u32, std::vector<u32>> callsAcross;  // by word: positions
    std::map<u32, double> weight;
    for (u32 position = 0; position < live.size(); ++position)
      for (const u32 unit : live[position]) {
        if (unit >= wordsBefore_) continue;
        callsAcross[unit].push_back(position);
        weight[unit] += frequencyAtDepth(depths[position]);
      }
    std::vector<u32> order;
    for (const auto& [unit, calls] : callsAcross) order.push_back(unit);
    std::stable_sort(order.begin(), order.end(), [&](u32 a, u32 b) { return weight[a] > weight[b]; });
    std::vector<u32> kept(live.size());
    for (const u32 unit : order) {
      const std::vector<u32>& calls = callsAcross[unit];
      if (std::any_of(calls.begin(), calls.end(), [&](u32 call) { return kept[call] == keptWords_; })) continue;
      for (const u32 call : calls) {
        ++kept[call];
        std::erase(live[call], unit);
      }
    }
  }

  s64 slotOf(u32 unit) {
    if (slots_[unit] == kNone) {
      function_.frameBytes = alignUp(function_.frameBytes, 4);
      slots_[unit] = static_cast<u32>(function_.frameBytes);
      function_.frameBytes += 4;
    }
    return slots_[unit];
  }

  MachineInstruction& emit(Opcode opcode, DataType type, const MachineInstruction& call) {
    MachineInstruction& result = code_.emplace_back();
    result.opcode = opcode;
    result.type = type;
    result.origin = call.origin;
    result.sourceFile = call.sourceFile;
    result.sourceLine = call.sourceLine;
    result.ptxLine = call.ptxLine;
    return result;
  }

  // A kernel's frame begins at 0.
  Operand base() const { return function_.source().isKernel ? Operand{} : Operand::makeRegister(kStackWord); }

  void insert(const std::vector<u32>& units, const MachineInstruction& call, bool save) {
    // New registers change the numbering of predicate units; units and slots keep the numbering from before.
    for (const u32 unit : units) {
      const bool predicate = unit >= wordsBefore_;
      if (predicate)
        movePredicate(kFirstVirtualPredicate + unit - wordsBefore_, slotOf(unit), call, save);
      else
        moveWord(Operand::makeRegister(unit), slotOf(unit), call, save);
    }
  }

  void moveWord(Operand reg, s64 slot, const MachineInstruction& call, bool save) {
    MachineInstruction& access = emit(save ? Opcode::st : Opcode::ld, DataType::u32, call);
    access.sources[0] = base();
    (save ? access.sources[1] : access.destinations[0]) = reg;
    access.offset = slot;
    access.modifiers.space = isa::Space::local;
  }

  void movePredicate(u32 predicate, s64 slot, const MachineInstruction& call, bool save) {
    const Operand word = Operand::makeRegister(function_.newGroup(1, 1));
    if (save) {
      MachineInstruction& select = emit(Opcode::selp, DataType::u32, call);
      select.destinations[0] = word;
      select.sources = {Operand::makeImmediate(1), Operand::makeImmediate(0), Operand::makePredicate(predicate), Operand{}};
      moveWord(word, slot, call, true);
      return;
    }
    moveWord(word, slot, call, false);
    MachineInstruction& compare = emit(Opcode::setp, DataType::u32, call);
    compare.destinations[0] = Operand::makePredicate(predicate);
    compare.sources = {word, Operand::makeImmediate(0), Operand{}, Operand{}};
    compare.modifiers.compare = isa::Compare::ne;
  }

  MachineFunction& function_;
  u32 keptWords_;
  std::vector<u32> slots_;  // per unit: offset in the frame
  u32 wordsBefore_ = function_.words();
  std::vector<MachineInstruction> code_;
};

// The immediate of an arithmetic instruction is its last source.
Operand& immediateOf(MachineInstruction& instruction) {
  return instruction.sources[1].kind == Operand::Kind::immediate ? instruction.sources[1] : instruction.sources[0];
}

}  // namespace

void saveAcrossCalls(MachineFunction& function, u32 keptWords) { CallSaves(function, keptWords).run(); }

void resolveFrame(MachineFunction& function) {
  for (MachineInstruction& instruction : function.code) {
    if (!instruction.addsFrame) continue;
    instruction.addsFrame = false;
    if (isa::info(instruction.opcode).family == isa::Family::memory)
      instruction.offset += static_cast<s64>(function.frameBytes);
    else
      immediateOf(instruction).value += function.frameBytes;
  }
}

}  // namespace warpwright::compiler
