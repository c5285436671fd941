#include "compiler/predication.hpp"

#include <algorithm>

#include "compiler/control_flow.hpp"
#include "compiler/liveness.hpp"

namespace warpwright::compiler {
namespace {

using isa::Opcode;
using isa::Operand;

// How many instructions ptxas of CUDA 13 guards for sm_90 rather than jump over them: it was given branches over up to 48 multiply-adds,
// integer operations, loads and stores, by their number and kind.
constexpr u32 kMostGuarded = 8;
constexpr u32 kMostGuardedWithLoads = 20;  // where loads from farther away than shared memory are among them

bool loadsFromFar(const MachineInstruction& instruction) {
  const isa::Space space = instruction.modifiers.space;
  const bool far = space == isa::Space::global || space == isa::Space::generic || space == isa::Space::local;
  return instruction.opcode == Opcode::ld && far;
}

// It does nothing in lanes that its guard excludes, and has none yet.
bool canBeGuarded(const MachineInstruction& instruction) {
  if (!isAlwaysExecuted(instruction) || instruction.passesArgument) return false;
  if (isRegister(instruction.destinations[0]) && instruction.destinations[0].index == kStackWord) return false;
  if (isa::info(instruction.opcode).family == isa::Family::lane) return true;
  const bool accesses = instruction.opcode == Opcode::ld || instruction.opcode == Opcode::st;
  return accesses && instruction.modifiers.ordering == isa::Ordering::weak;
}

class Predication {
 public:
  explicit Predication(MachineFunction& function)
      : function_(function),
        isTarget_(branchTargets(function)),
        depths_(loopDepths(function)),
        flow_(buildControlFlow(function)),
        liveness_(function, flow_) {}

  void run() {
    for (u32 i = 0; i < function_.code.size(); ++i) {
      if (leadsToExit(i))
        leave(function_.code[i]);
      else if (isOverFew(i))
        convert(i);
    }
    removeNops(function_);
  }

 private:
  u32 targetOf(u32 branch) const { return function_.labels[function_.code[branch].target]; }

  bool leadsToExit(u32 branch) const {
    const MachineInstruction& instruction = function_.code[branch];
    if (!function_.source().isKernel || instruction.opcode != Opcode::bra || targetOf(branch) >= function_.code.size()) return false;
    const MachineInstruction& target = function_.code[targetOf(branch)];
    return target.opcode == Opcode::exit && isAlwaysExecuted(target);
  }

  // The lanes whose branch it was exit where they are.
  static void leave(MachineInstruction& branch) {
    branch.opcode = Opcode::exit;
    branch.target = isa::kNoTarget;
  }

  bool isOverFew(u32 branch) const {
    const MachineInstruction& instruction = function_.code[branch];
    if (instruction.opcode != Opcode::bra || instruction.guard.index < kFirstVirtualPredicate) return false;
    const u32 begin = branch + 1, end = targetOf(branch);
    if (end <= begin || end - begin > kMostGuardedWithLoads) return false;
    if (std::find(isTarget_.begin() + begin, isTarget_.begin() + end, true) != isTarget_.begin() + end) return false;
    const auto first = function_.code.begin() + begin, last = function_.code.begin() + end;
    const auto fits = [&](const MachineInstruction& each) {
      return canBeGuarded(each) && !writes(each, instruction.guard) && (!keepsNothing(each, branch) || isArithmetic(each));
    };
    return std::all_of(first, last, fits) && (end - begin <= kMostGuarded || std::any_of(first, last, loadsFromFar));
  }

  bool writes(const MachineInstruction& instruction, const Operand& predicate) const {
    bool result = false;
    forEachDestinationUnit(function_, instruction, [&](u32 unit) { result |= unit == function_.unitOfPredicate(predicate.index); });
    return result;
  }

  static bool isArithmetic(const MachineInstruction& instruction) { return isa::info(instruction.opcode).family == isa::Family::lane; }

  // In a loop a guarded write keeps what the iteration before has written, though nobody wants it behind the branch: it would take a
  // register all the way round. Arithmetic may as well be done always.
  bool keepsNothing(const MachineInstruction& instruction, u32 branch) const {
    if (depths_[branch] == 0 || targetOf(branch) >= function_.code.size()) return false;
    const NumberSet& live = liveness_.liveIn(flow_.blockAt(targetOf(branch)));
    bool result = instruction.destinations[0].kind != Operand::Kind::none;
    forEachDestinationUnit(function_, instruction, [&](u32 unit) { result &= !live.test(unit); });
    return result;
  }

  void convert(u32 branch) {
    Operand guard = function_.code[branch].guard;
    guard.negated = !guard.negated;
    for (u32 i = branch + 1; i < targetOf(branch); ++i)
      if (!keepsNothing(function_.code[i], branch)) function_.code[i].guard = guard;
    becomeNop(function_.code[branch]);
  }

  MachineFunction& function_;
  std::vector<bool> isTarget_;  // by position
  std::vector<u32> depths_;     // by position
  ControlFlow flow_;
  Liveness liveness_;
};

}  // namespace

void predicateBranches(MachineFunction& function) {
  if (!function.code.empty()) Predication(function).run();
}

}  // namespace warpwright::compiler
