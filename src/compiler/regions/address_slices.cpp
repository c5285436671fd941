#include "compiler/regions/address_slices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/memory_units.hpp"
#include "compiler/regions/effects.hpp"
#include "compiler/regions/region_values.hpp"
#include "ptx/module.hpp"

namespace warpwright::compiler {
namespace {

using Positions = std::set<u32>;

bool isGlobalLoad(const ptx::Instruction& instruction) {
  return instruction.opcode == ptx::Opcode::ld && instruction.modifiers.space == ptx::Space::global &&
         (isPlainLoad(instruction) || isPure(instruction));
}

bool namesSymbol(const ptx::Operand& operand) {
  return operand.symbol.kind != ptx::SymbolKind::none || std::ranges::any_of(operand.elements, namesSymbol);
}

// Another function may execute it as it is written.
bool isPortable(const ptx::Instruction& instruction) {
  const bool isKnown = isPure(instruction) || isOfThread(instruction) || isGlobalLoad(instruction);
  return isKnown && instruction.guard.reg == ptx::kNoIndex && std::ranges::none_of(instruction.operands, namesSymbol);
}

// From `begin` to the jump back there, at its end.
class Loop {
 public:
  Loop(const ptx::Function& kernel, const Stretch& stretch, std::vector<bool> conditional)
      : kernel_(kernel), stretch_(stretch), conditional_(std::move(conditional)) {}

  // What an iteration needs of the loop's own instructions before the value of a register at `position` is there: `here` in the same
  // iteration, `ahead` in those before it. False: it cannot be had.
  struct Slice {
    Positions here, ahead;
  };
  bool add(Slice& slice, u32 position) const {
    bool isPossible = true;
    forEachRead(kernel_.body[position], [&](u32 reg) { isPossible = isPossible && need(slice, slice.here, reg, position); });
    return isPossible;
  }

  u32 loadsIn(const Positions& positions) const {
    return static_cast<u32>(std::ranges::count_if(positions, [&](u32 each) { return isGlobalLoad(kernel_.body[each]); }));
  }

  // Registers that it has from before the loop, or from the iteration before.
  std::vector<u32> neededBy(const Slice& slice, const Positions& targets) const {
    std::set<u32> needed, written;
    const auto visit = [&](u32 position) {
      forEachRead(kernel_.body[position], [&](u32 reg) {
        if (!written.contains(reg)) needed.insert(reg);
      });
      forEachWritten(kernel_.body[position], [&](u32 reg) { written.insert(reg); });
    };
    for (const u32 position : slice.ahead) visit(position);
    for (const u32 position : slice.here) visit(position);
    for (const u32 position : targets) {
      const u32 address = addressOf(position);
      if (!written.contains(address)) needed.insert(address);
    }
    return {needed.begin(), needed.end()};
  }

  u32 addressOf(u32 load) const { return kernel_.body[load].operands.at(1).reg; }

 private:
  std::optional<u32> writerOf(u32 reg, u32 before) const {
    for (u32 position = before; position-- > stretch_.begin;)
      if (writes(position, reg)) return position;
    return std::nullopt;
  }
  bool writes(u32 position, u32 reg) const {
    bool does = false;
    forEachWritten(kernel_.body[position], [&](u32 each) { does = does || each == reg; });
    return does;
  }

  // `into`: of the iteration that the value is needed in.
  bool need(Slice& slice, Positions& into, u32 reg, u32 before) const {
    const std::optional<u32> here = writerOf(reg, before);
    if (here) return include(slice, into, *here);
    const std::optional<u32> carried = writerOf(reg, stretch_.end);
    return !carried || include(slice, slice.ahead, *carried);
  }
  bool include(Slice& slice, Positions& into, u32 position) const {
    if (!isPortable(kernel_.body[position]) || conditional_[position - stretch_.begin]) return false;
    if (!into.insert(position).second) return true;
    bool isPossible = true;
    forEachRead(kernel_.body[position], [&](u32 reg) { isPossible = isPossible && need(slice, into, reg, position); });
    return isPossible;
  }

  const ptx::Function& kernel_;
  const Stretch stretch_;
  const std::vector<bool> conditional_;
};

class Cutter {
 public:
  Cutter(ptx::Function& kernel, const SliceChoice& choice, std::vector<AddressSlice>& slices)
      : kernel_(kernel), choice_(choice), slices_(slices) {}

  void run() {
    for (u32 end = 0; end < kernel_.body.size(); ++end)
      if (const std::optional<u32> begin = beginOf(end)) cut({*begin, end});
  }

 private:
  // Of the loop that ends there, if control comes into it at its beginning alone.
  std::optional<u32> beginOf(u32 end) const {
    const std::optional<u32> begin = targetOf(end);
    if (!begin || *begin >= end) return std::nullopt;
    for (u32 position = 0; position < kernel_.body.size(); ++position) {
      const bool isInside = *begin <= position && position <= end;
      if (isInside && kernel_.body[position].opcode == ptx::Opcode::brx) return std::nullopt;
      const std::optional<u32> target = targetOf(position);
      if (!isInside && target && *begin < *target && *target <= end) return std::nullopt;
    }
    return begin;
  }

  std::optional<u32> targetOf(u32 position) const {
    const ptx::Instruction& each = kernel_.body[position];
    if (each.opcode != ptx::Opcode::bra) return std::nullopt;
    return kernel_.labels[each.operands.at(0).symbol.index].position;
  }

  // By position in the loop: an iteration may go another way, or come there more than once.
  std::vector<bool> conditionalIn(const Stretch& stretch) const {
    std::vector<bool> conditional(stretch.end - stretch.begin);
    const auto mark = [&](u32 from, u32 to) {
      for (u32 position = from; position < std::min(to, stretch.end); ++position) conditional[position - stretch.begin] = true;
    };
    for (u32 position = stretch.begin; position < stretch.end; ++position) {
      const std::optional<u32> target = targetOf(position);
      if (!target) continue;
      if (*target > position && *target <= stretch.end) mark(position + 1, *target);
      if (*target == stretch.begin) mark(position + 1, stretch.end);
      if (*target > stretch.begin && *target <= position) mark(*target, position);
    }
    return conditional;
  }

  // As many loads together as the registers allow.
  void cut(const Stretch& stretch) {
    const Loop loop(kernel_, stretch, conditionalIn(stretch));
    Loop::Slice slice;
    Positions targets;
    for (u32 position = stretch.begin; position < stretch.end; ++position) {
      if (!isGlobalLoad(kernel_.body[position]) || loop.addressOf(position) == ptx::kNoIndex) continue;
      Loop::Slice alone;
      if (!loop.add(alone, position) || !isWorthwhile(loop, alone)) continue;
      Loop::Slice both = slice;
      Positions more = targets;
      more.insert(position);
      loop.add(both, position);
      if (fits(loop, both, more)) {
        slice = std::move(both);
        targets = std::move(more);
        continue;
      }
      emit(loop, stretch, slice, targets);
      targets = {position};
      slice = std::move(alone);
      if (!fits(loop, slice, targets)) targets.clear();
      if (targets.empty()) slice = {};
    }
    emit(loop, stretch, slice, targets);
  }

  // Whoever needs nothing of iterations before accesses the same in each.
  bool isWorthwhile(const Loop& loop, const Loop::Slice& slice) const {
    return !slice.ahead.empty() && (choice_.direct || loop.loadsIn(slice.here) + loop.loadsIn(slice.ahead) > 0);
  }
  bool fits(const Loop& loop, const Loop::Slice& slice, const Positions& targets) const {
    const std::optional<u32> words = wordsOf(kernel_, loop.neededBy(slice, targets));
    return words && *words <= kMostSliceWords;
  }

  void emit(const Loop& loop, const Stretch& stretch, const Loop::Slice& slice, const Positions& targets) {
    if (targets.empty()) return;
    AddressSlice made;
    made.kernel = kernel_.name;
    made.label = fmt::format("${}_{}", choice_.name, slices_.size());
    made.line = kernel_.body[stretch.begin].sourceLine != 0 ? kernel_.body[stretch.begin].sourceLine : kernel_.body[stretch.begin].line;
    made.loads = static_cast<u32>(targets.size());
    const std::vector<u32> needed = loop.neededBy(slice, targets);
    for (const u32 reg : needed) made.needed.push_back({kernel_.registers[reg].name, ptx::sizeOf(kernel_.registers[reg].type)});
    declare(made, needed, slice);
    for (u32 iteration = 0; iteration < choice_.distance; ++iteration)
      for (const u32 position : slice.ahead) made.code.push_back(kernel_.body[position].text);
    for (const u32 position : slice.here) made.code.push_back(kernel_.body[position].text);
    for (const u32 position : targets)
      made.code.push_back(fmt::format("prefetch.global.L1 [{}+{}];", kernel_.registers[loop.addressOf(position)].name,
                                      kernel_.body[position].operands.at(1).displacement));
    kernel_.labels.push_back({made.label, stretch.begin});
    slices_.push_back(std::move(made));
  }

  void declare(AddressSlice& made, const std::vector<u32>& needed, const Loop::Slice& slice) const {
    std::set<u32> own;
    for (const Positions* positions : {&slice.ahead, &slice.here})
      for (const u32 position : *positions) forEachWritten(kernel_.body[position], [&](u32 reg) { own.insert(reg); });
    for (const u32 reg : needed) own.erase(reg);
    for (const u32 reg : own)
      made.code.push_back(fmt::format(".reg .{} {};", ptx::name(kernel_.registers[reg].type), kernel_.registers[reg].name));
  }

  ptx::Function& kernel_;
  const SliceChoice& choice_;
  std::vector<AddressSlice>& slices_;
};

}  // namespace

std::vector<AddressSlice> cutAddressSlices(ptx::Module& module, const SliceChoice& choice) {
  std::vector<AddressSlice> slices;
  for (ptx::Function& function : module.functions)
    if (function.isKernel && !function.isDeclaration && choice.wants(function.name)) Cutter(function, choice, slices).run();
  return slices;
}

}  // namespace warpwright::compiler
