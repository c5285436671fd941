#include "compiler/access_joining.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "compiler/analysis/alignment.hpp"
#include "compiler/control_flow.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;
using isa::Space;

// Bytes of the widest access; 0: accesses to this space are not joined.
u32 widestAccess(Space space) {
  switch (space) {
    case Space::shared:
    case Space::local:
      return 16;
    case Space::constant:
    case Space::param:
      return 8;
    default:
      return 0;
  }
}

bool isLoad(const MachineInstruction& instruction) { return instruction.opcode == Opcode::ld; }
u32 bytesOf(const MachineInstruction& instruction) { return isa::sizeOf(instruction.type) * instruction.vector; }
Operand& valueOf(MachineInstruction& access) { return isLoad(access) ? access.destinations[0] : access.sources[1]; }

bool isPlainAccess(const MachineInstruction& instruction) {
  const bool accesses = isLoad(instruction) || instruction.opcode == Opcode::st;
  return accesses && instruction.modifiers.ordering == isa::Ordering::weak;
}

// Moves whole words, fewer than the widest access.
bool canJoin(const MachineInstruction& instruction) {
  return isPlainAccess(instruction) && isa::sizeOf(instruction.type) >= 4 &&
         bytesOf(instruction) < widestAccess(instruction.modifiers.space) &&
         isRegister(isLoad(instruction) ? instruction.destinations[0] : instruction.sources[1]);
}

bool mayTouchTheSame(Space a, Space b) { return a == b || a == Space::generic || b == Space::generic; }

// An access and where it begins, counted from the address that its run has in common.
struct Access {
  u32 position = 0;
  s64 offset = 0;
  u32 bytes = 0;
};

// Accesses that differ in nothing but their offset, type and value, and may be exchanged with whatever lies between them.
struct Run {
  const MachineInstruction* like = nullptr;
  u32 baseVersion = 0, guardVersion = 0;
  std::vector<Access> accesses;
};

// An access of several words in place of `parts`, which lie behind one another in memory.
struct Join {
  std::vector<Access> parts;
  u32 at = 0;         // position: of the first load, or the last store
  u32 group = kNone;  // first of the registers
  u32 bytes() const { return static_cast<u32>(parts.back().offset - parts.front().offset) + parts.back().bytes; }
};

class AccessJoining {
 public:
  explicit AccessJoining(MachineFunction& function)
      : function_(function), zeroBits_(findZeroBits(function)), versions_(function.units()), joinOf_(function.code.size(), kNone) {}

  bool run() {
    const ControlFlow flow = buildControlFlow(function_);
    for (const BasicBlock& block : flow.blocks) {
      for (u32 i = block.begin; i < block.end; ++i) visit(i);
      closeAll();
    }
    if (joins_.empty()) return false;
    for (Join& join : joins_) join.group = function_.newGroup(join.bytes() / 4, join.bytes() / 4);
    rewrite();
    return true;
  }

 private:
  void visit(u32 position) {
    const MachineInstruction& instruction = function_.code[position];
    if (isPlainAccess(instruction))
      visitAccess(position);
    else if (!isPure(instruction))
      closeAll();
    forEachDestinationUnit(function_, instruction, [&](u32 unit) { ++versions_[unit]; });
  }

  void visitAccess(u32 position) {
    const MachineInstruction& instruction = function_.code[position];
    const std::optional<Access> access = canJoin(instruction) ? std::optional<Access>(accessAt(position)) : std::nullopt;
    const Run* own = access ? findRun(instruction) : nullptr;
    const bool overlaps = own != nullptr && std::any_of(own->accesses.begin(), own->accesses.end(),
                                                        [&](const Access& other) { return overlap(*access, other); });
    // A word that is loaded twice is loaded twice; one that is stored twice begins a new run.
    if (overlaps && isLoad(instruction)) return;
    const MachineInstruction* kept = own != nullptr && !overlaps ? own->like : nullptr;
    closeWhere([&](const Run& run) {
      const bool bothLoad = isLoad(*run.like) && isLoad(instruction);
      return run.like != kept && !bothLoad && mayTouchTheSame(run.like->modifiers.space, instruction.modifiers.space);
    });
    if (!access) return;
    if (kept != nullptr)
      findRun(instruction)->accesses.push_back(*access);
    else
      runs_.push_back({&instruction, versionOf(instruction.sources[0]), versionOf(instruction.guard), {*access}});
  }

  static bool overlap(const Access& a, const Access& b) { return a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes; }

  Access accessAt(u32 position) const {
    const MachineInstruction& instruction = function_.code[position];
    const s64 addend = instruction.symbol ? instruction.symbol->address.addend : 0;
    return {position, instruction.offset + addend, bytesOf(instruction)};
  }

  u32 versionOf(const Operand& operand) const {
    if (isRegister(operand)) return versions_[operand.index];
    const bool isWritten = operand.kind == Operand::Kind::predicate && operand.index >= kFirstVirtualPredicate;
    return isWritten ? versions_[function_.unitOfPredicate(operand.index)] : 0;
  }

  Run* findRun(const MachineInstruction& instruction) {
    const auto found = std::find_if(runs_.begin(), runs_.end(), [&](const Run& run) {
      const MachineInstruction& like = *run.like;
      return like.opcode == instruction.opcode && like.modifiers == instruction.modifiers && like.guard == instruction.guard &&
             like.sources[0] == instruction.sources[0] && parameterOf(like) == parameterOf(instruction) &&
             haveSameSymbol(like, instruction) && like.addsFrame == instruction.addsFrame &&
             run.baseVersion == versionOf(instruction.sources[0]) && run.guardVersion == versionOf(instruction.guard);
    });
    return found == runs_.end() ? nullptr : &*found;
  }

  static const Operand& parameterOf(const MachineInstruction& access) { return access.sources[isLoad(access) ? 1 : 2]; }

  static bool haveSameSymbol(const MachineInstruction& a, const MachineInstruction& b) {
    if (!a.symbol || !b.symbol) return !a.symbol && !b.symbol;
    const isa::SymbolAddress &x = a.symbol->address, &y = b.symbol->address;
    return x.kind == y.kind && x.index == y.index && x.generic == y.generic;
  }

  void closeAll() {
    closeWhere([](const Run&) { return true; });
  }
  template <class Predicate>
  void closeWhere(Predicate&& closes) {
    const auto open = std::stable_partition(runs_.begin(), runs_.end(), closes);
    std::for_each(runs_.begin(), open, [&](Run& run) { join(run); });
    runs_.erase(runs_.begin(), open);
  }

  // The widest joins first.
  void join(Run& run) {
    std::sort(run.accesses.begin(), run.accesses.end(), [](const Access& a, const Access& b) { return a.offset < b.offset; });
    for (u32 bytes = widestAccess(run.like->modifiers.space); bytes >= 8; bytes /= 2)
      for (u32 first = 0; first < run.accesses.size(); ++first) tryJoin(run, first, bytes);
  }

  void tryJoin(const Run& run, u32 first, u32 bytes) {
    const s64 begin = run.accesses[first].offset;
    if (!isAligned(*run.like, begin, bytes)) return;
    std::vector<Access> parts;
    s64 end = begin;
    for (u32 i = first; i < run.accesses.size() && end < begin + bytes; ++i) {
      if (run.accesses[i].offset != end || joinOf_[run.accesses[i].position] != kNone) return;
      parts.push_back(run.accesses[i]);
      end += run.accesses[i].bytes;
    }
    if (end == begin + bytes && parts.size() > 1) add(std::move(parts));
  }

  bool isAligned(const MachineInstruction& like, s64 offset, u32 bytes) const {
    if (parameterOf(like).kind != Operand::Kind::none) return false;
    u32 zeros = zeroBitsOf(static_cast<u64>(offset));
    if (isRegister(like.sources[0])) zeros = std::min<u32>(zeros, zeroBits_[like.sources[0].index]);
    if (like.symbol) {
      isa::SymbolAddress begin = like.symbol->address;
      begin.addend = 0;
      zeros = std::min(zeros, zeroBitsOf(function_, begin));
    }
    return (u64{1} << zeros) >= bytes;
  }

  void add(std::vector<Access> parts) {
    const auto [first, last] =
        std::minmax_element(parts.begin(), parts.end(), [](const Access& a, const Access& b) { return a.position < b.position; });
    const u32 at = isLoad(function_.code[first->position]) ? first->position : last->position;
    for (const Access& part : parts) joinOf_[part.position] = static_cast<u32>(joins_.size());
    joins_.push_back({std::move(parts), at});
  }

  void rewrite() {
    std::vector<MachineInstruction> code;
    std::vector<u32> newPosition;
    for (u32 i = 0; i < function_.code.size(); ++i) {
      newPosition.push_back(static_cast<u32>(code.size()));
      const MachineInstruction& instruction = function_.code[i];
      if (joinOf_[i] == kNone) {
        code.push_back(instruction);
        continue;
      }
      const Join& join = joins_[joinOf_[i]];
      if (join.at == i && isLoad(instruction)) code.push_back(joined(join));
      code.push_back(copyOfPart(join, i));
      if (join.at == i && !isLoad(instruction)) code.push_back(joined(join));
    }
    newPosition.push_back(static_cast<u32>(code.size()));
    replaceCode(function_, std::move(code), newPosition);
  }

  // At the position, and in the name, of the access that it stands beside.
  MachineInstruction joined(const Join& join) const {
    MachineInstruction result = function_.code[join.at];
    const MachineInstruction& lowest = function_.code[join.parts[0].position];
    result.offset = lowest.offset;
    result.symbol = lowest.symbol;
    const bool sameType = std::all_of(join.parts.begin(), join.parts.end(),
                                      [&](const Access& part) { return function_.code[part.position].type == lowest.type; });
    result.type = sameType ? lowest.type : DataType::u32;
    result.vector = static_cast<u8>(join.bytes() / isa::sizeOf(result.type));
    valueOf(result) = Operand::makeRegister(join.group);
    return result;
  }

  // Between the group's words and the registers of the access at `position`.
  MachineInstruction copyOfPart(const Join& join, u32 position) const {
    MachineInstruction access = function_.code[position];
    const auto part = std::find_if(join.parts.begin(), join.parts.end(), [&](const Access& p) { return p.position == position; });
    const u32 word = static_cast<u32>(part->offset - join.parts[0].offset) / 4;
    MachineInstruction copy = access;
    copy.opcode = Opcode::mov;
    copy.type = part->bytes == 8 ? DataType::u64 : DataType::u32;
    copy.vector = 1;
    copy.modifiers = {};
    copy.offset = 0;
    copy.symbol.reset();
    copy.addsFrame = false;
    copy.destinations = {};
    copy.sources = {};
    const Operand own = valueOf(access), shared = Operand::makeRegister(join.group + word);
    copy.destinations[0] = isLoad(access) ? own : shared;
    copy.sources[0] = isLoad(access) ? shared : own;
    return copy;
  }

  MachineFunction& function_;
  const std::vector<u8> zeroBits_;
  std::vector<u32> versions_;  // per unit: how often it has been written
  std::vector<Run> runs_;      // of the block, still open
  std::vector<Join> joins_;
  std::vector<u32> joinOf_;  // per position: index of its join
};

}  // namespace

bool joinAccesses(MachineFunction& function) { return AccessJoining(function).run(); }

}  // namespace warpwright::compiler
