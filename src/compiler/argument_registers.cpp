#include "compiler/argument_registers.hpp"

#include <algorithm>
#include <map>

#include "base/memory_units.hpp"
#include "compiler/analysis/function_notes.hpp"
#include "compiler/layout.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;

// The words of a signature that have registers, and where the results begin in the parameter area.
struct Words {
  u32 arguments = 0, results = 0;
  u64 resultsAt = 0;

  explicit Words(const SignatureLayout& signature) {
    resultsAt = signature.returns.empty() ? signature.size : signature.returns[0];
    arguments = count(resultsAt);
    results = count(signature.size - resultsAt);
  }

 private:
  static u32 count(u64 bytes) { return static_cast<u32>(std::min<u64>((bytes + kWordBytes - 1) / kWordBytes, kArgumentWords)); }
};

// The virtual registers that stand for words of the parameter area while nothing is being passed.
using Homes = std::map<u32, u32>;  // word → register

struct Call {
  Words words;
  Homes arguments, results;
};

bool isMemoryAccess(const MachineInstruction& instruction) {
  return (instruction.opcode == Opcode::ld || instruction.opcode == Opcode::st) && instruction.modifiers.space == isa::Space::local;
}

class ArgumentPassing {
 public:
  explicit ArgumentPassing(MachineFunction& function)
      : function_(function),
        isKernel_(function.source().isKernel),
        own_(layOutSignature(function.source().parameters, function.source().returns)) {}

  void run() {
    findCalls();
    if (isKernel_ && calls_.empty()) return;
    inMemory_ = !isKernel_ && takesAddressOfArguments();
    std::vector<MachineInstruction> old = std::move(function_.code);
    for (u32 i = 0; i < old.size(); ++i) rewrite(old[i], i);
    arrange();
  }

 private:
  // --- which call an access to the parameter area belongs to
  void findCalls() {
    for (u32 i = 0; i < function_.code.size(); ++i) {
      const MachineInstruction& instruction = function_.code[i];
      if (instruction.opcode == Opcode::syscall) callsAndSystemCalls_.push_back(i);
      if (!isCall(instruction)) continue;
      callsAndSystemCalls_.push_back(i);
      const CallParts parts = callParts(function_.source().body[instruction.origin]);
      calls_.emplace(i, Call{Words(calleeSignature(*function_.module, function_.source(), parts)), {}, {}});
    }
  }

  // Arguments are stored before their call, results loaded behind it, with no other call in between. Null: a system call.
  Call* callOf(const MachineInstruction& access, u32 position) {
    auto next = std::upper_bound(callsAndSystemCalls_.begin(), callsAndSystemCalls_.end(), position);
    if (access.opcode == Opcode::ld) {
      if (next == callsAndSystemCalls_.begin()) return nullptr;
      --next;
    }
    if (next == callsAndSystemCalls_.end()) return nullptr;
    const auto found = calls_.find(*next);
    return found == calls_.end() ? nullptr : &found->second;
  }

  // The address of an argument, rather than of a local variable, is computed somewhere.
  bool takesAddressOfArguments() const {
    return std::any_of(function_.code.begin(), function_.code.end(), [&](const MachineInstruction& instruction) {
      const bool steps = isRegister(instruction.destinations[0]) && instruction.destinations[0].index == kStackWord;
      if (steps) return false;
      for (u32 i = 0; i < instruction.sources.size(); ++i) {
        const Operand& source = instruction.sources[i];
        if (!isRegister(source) || source.index != kStackWord || (i == 0 && isMemoryAccess(instruction))) continue;
        const Operand& other = instruction.sources[1 - std::min(i, 1u)];
        const bool ofLocal = instruction.opcode == Opcode::add && other.kind == Operand::Kind::immediate && other.value >= own_.resultsAt;
        if (!ofLocal) return true;
      }
      return false;
    });
  }

  // --- accesses
  // The home of a word at an offset of an area; kNone: it lies in memory.
  u32 homeOf(Homes& homes, u32 words, s64 offset) {
    const s64 word = offset / kWordBytes;
    if (offset < 0 || word >= words) return kNone;
    const auto [entry, isNew] = homes.try_emplace(static_cast<u32>(word), kNone);
    if (isNew) entry->second = function_.newGroup(1, 1);
    return entry->second;
  }

  // Of the word that holds the byte at `offset`, counted as the access counts.
  u32 homeAt(const MachineInstruction& access, u32 position, s64 offset) {
    if (!isMemoryAccess(access)) return kNone;
    if (access.addsFrame) {
      Call* call = callOf(access, position);
      if (call == nullptr) return kNone;
      if (access.opcode == Opcode::st) return homeOf(call->arguments, call->words.arguments, offset);
      return homeOf(call->results, call->words.results, offset - static_cast<s64>(call->words.resultsAt));
    }
    const bool onStack = !isKernel_ && isRegister(access.sources[0]) && access.sources[0].index == kStackWord;
    if (!onStack) return kNone;
    if (offset >= static_cast<s64>(own_.resultsAt)) return homeOf(results_, own_.results, offset - static_cast<s64>(own_.resultsAt));
    return inMemory_ ? kNone : homeOf(arguments_, own_.arguments, offset);
  }

  void rewrite(const MachineInstruction& instruction, u32 position) {
    newPosition_.push_back(static_cast<u32>(code_.size()));
    if (homeAt(instruction, position, instruction.offset) == kNone) {
      if (isCall(instruction)) callAt_.emplace(static_cast<u32>(code_.size()), position);
      code_.push_back(instruction);
      return;
    }
    if (isa::sizeOf(instruction.type) < kWordBytes) return movePart(instruction, position);
    const Operand value = instruction.opcode == Opcode::ld ? instruction.destinations[0] : instruction.sources[1];
    const u32 words = isa::sizeOf(instruction.type) * instruction.vector / kWordBytes;
    for (u32 w = 0; w < words; ++w) moveWord(instruction, position, w, Operand::makeRegister(value.index + w));
  }

  void moveWord(const MachineInstruction& access, u32 position, u32 word, const Operand& value) {
    const s64 offset = access.offset + kWordBytes * word;
    const u32 home = homeAt(access, position, offset);
    MachineInstruction single = access;
    if (home == kNone) {
      single.type = DataType::u32;
      single.vector = 1;
      single.offset = offset;
      (access.opcode == Opcode::ld ? single.destinations[0] : single.sources[1]) = value;
      code_.push_back(single);
      return;
    }
    const Operand to = access.opcode == Opcode::ld ? value : Operand::makeRegister(home);
    const Operand from = access.opcode == Opcode::ld ? Operand::makeRegister(home) : value;
    compute(access, Opcode::mov, DataType::u32, to, {from, Operand{}, Operand{}, Operand{}});
  }

  // Bytes and halves of a word, and vectors of them.
  void movePart(const MachineInstruction& access, u32 position) {
    const u32 bytes = isa::sizeOf(access.type);
    for (u32 element = 0; element < access.vector; ++element) {
      const s64 offset = access.offset + bytes * element;
      const Operand home = Operand::makeRegister(homeAt(access, position, offset));
      const Operand first = Operand::makeImmediate(8 * static_cast<u64>(offset % kWordBytes)), width = Operand::makeImmediate(8 * bytes);
      const bool loads = access.opcode == Opcode::ld;
      const Operand value = Operand::makeRegister((loads ? access.destinations[0] : access.sources[1]).index + element);
      if (loads)
        compute(access, Opcode::bfe, isa::isSigned(access.type) ? DataType::s32 : DataType::u32, value, {home, first, width, Operand{}});
      else
        compute(access, Opcode::bfi, DataType::u32, home, {value, home, first, width});
    }
  }

  // Instead of `like`, under its guard.
  MachineInstruction& compute(const MachineInstruction& like, Opcode opcode, DataType type, const Operand& to,
                              const std::array<Operand, 4>& sources) {
    MachineInstruction& result = code_.emplace_back(like);
    result.opcode = opcode;
    result.type = type;
    result.vector = 1;
    result.offset = 0;
    result.addsFrame = false;
    result.modifiers = {};
    result.symbol.reset();
    result.destinations = {to, Operand{}, Operand{}, Operand{}};
    result.sources = sources;
    return result;
  }

  // --- around calls, at the entry, before returns
  void arrange() {
    newPosition_.push_back(static_cast<u32>(code_.size()));
    std::vector<MachineInstruction> arranged = std::move(code_);
    code_.clear();
    std::vector<u32> moved(arranged.size() + 1);
    if (!isKernel_) enter();
    for (u32 i = 0; i < arranged.size(); ++i) {
      moved[i] = static_cast<u32>(code_.size());
      // A call is preceded by the step of the stack pointer, and in device functions followed by the step back.
      if (const auto call = callAt_.find(i + 1); call != callAt_.end()) pass(arranged[i + 1], calls_.at(call->second));
      if (arranged[i].opcode == Opcode::ret && !isKernel_) leave(arranged[i]);
      code_.push_back(arranged[i]);
      const u32 before = isKernel_ ? i : i - 1;
      if (const auto call = callAt_.find(before); call != callAt_.end()) take(arranged[before], calls_.at(call->second));
    }
    moved[arranged.size()] = static_cast<u32>(code_.size());
    for (u32& position : newPosition_) position = moved[position];
    replaceCode(function_, std::move(code_), newPosition_);
  }

  u32 newFixedGroup(u32 words) { return function_.newGroup(words, words > 2 ? 4 : words); }

  void copy(const MachineInstruction& like, u32 to, u32 from) { move(like, to, Operand::makeRegister(from)); }

  void move(const MachineInstruction& like, u32 to, const Operand& from) {
    MachineInstruction& move =
        compute(like, Opcode::mov, DataType::u32, Operand::makeRegister(to), {from, Operand{}, Operand{}, Operand{}});
    move.guard = Operand::makePredicate(isa::kTruePredicate);
    move.passesArgument = true;
  }

  void enter() {
    if (own_.arguments == 0) return;
    MachineInstruction entry;
    entry.opcode = Opcode::nop;
    entry.vector = static_cast<u8>(own_.arguments);
    const u32 group = newFixedGroup(own_.arguments);
    entry.destinations[0] = Operand::makeRegister(group);
    code_.push_back(entry);
    if (inMemory_)
      for (u32 word = 0; word < own_.arguments; ++word) arguments_.emplace(word, function_.newGroup(1, 1));
    for (const auto& [word, home] : arguments_) copy(entry, home, group + word);
    if (!inMemory_) return;
    for (const auto& [word, home] : arguments_) {
      MachineInstruction& store = compute(entry, Opcode::st, DataType::u32, Operand{},
                                          {Operand::makeRegister(kStackWord), Operand::makeRegister(home), Operand{}, Operand{}});
      store.offset = kWordBytes * word;
      store.modifiers.space = isa::Space::local;
    }
  }

  void leave(MachineInstruction& ret) {
    if (own_.results == 0) return;
    const u32 group = newFixedGroup(own_.results);
    for (const auto& [word, home] : results_) copy(ret, group + word, home);
    ret.vector = static_cast<u8>(own_.results);
    ret.sources[kArgumentsOperand] = Operand::makeRegister(group);
  }

  void pass(MachineInstruction& call, const Call& parts) {
    call.vector = static_cast<u8>(std::max({1u, parts.words.arguments, parts.words.results}));
    const u32 group = newFixedGroup(call.vector);
    for (const auto& [word, home] : parts.arguments) copy(call, group + word, home);
    if (!parts.arguments.empty()) call.sources[kArgumentsOperand] = Operand::makeRegister(group);
    if (parts.results.empty()) return;
    const u32 results = newFixedGroup(call.vector);
    call.destinations[0] = Operand::makeRegister(results);
    // Lanes that do not call have results too, or those of an earlier call would have to be kept for them: in the same registers.
    if (isAlwaysExecuted(call)) return;
    for (const auto& [word, home] : parts.results) move(call, results + word, Operand::makeImmediate(0));
  }

  void take(const MachineInstruction& call, const Call& parts) {
    for (const auto& [word, home] : parts.results) copy(call, home, call.destinations[0].index + word);
  }

  MachineFunction& function_;
  const bool isKernel_;
  const Words own_;
  bool inMemory_ = false;  // the function's arguments are stored in its frame at once, since their address is taken
  std::vector<u32> callsAndSystemCalls_;
  std::map<u32, Call> calls_;  // by old position
  std::map<u32, u32> callAt_;  // position in code_ after rewrite → old position
  Homes arguments_, results_;  // the function's own
  std::vector<MachineInstruction> code_;
  std::vector<u32> newPosition_;
};

}  // namespace

void passArgumentsInRegisters(MachineFunction& function) { ArgumentPassing(function).run(); }

namespace {

// A word of a preserved register and its word in the frame.
MachineInstruction frameAccess(const MachineInstruction& like, Opcode opcode, u32 reg, u64 offset) {
  MachineInstruction access;
  access.opcode = opcode;
  access.type = DataType::u32;
  access.guard = like.guard;
  access.origin = like.origin;
  access.sourceFile = like.sourceFile;
  access.sourceLine = like.sourceLine;
  access.ptxLine = like.ptxLine;
  access.modifiers.space = isa::Space::local;
  access.offset = static_cast<s64>(offset);
  access.sources[0] = Operand::makeRegister(isa::kStackRegister);
  (opcode == Opcode::ld ? access.destinations[0] : access.sources[1]) = Operand::makeRegister(reg);
  return access;
}

std::vector<u32> writtenPreservedRegisters(const MachineFunction& function) {
  std::vector<u32> result;
  for (const MachineInstruction& instruction : function.code)
    for (u32 i = 0; i < instruction.destinations.size(); ++i)
      for (u32 w = 0; w < destinationWords(function, instruction, i); ++w)
        if (isPreservedByCalls(instruction.destinations[i].index + w)) result.push_back(instruction.destinations[i].index + w);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace

void keepPreservedRegisters(MachineFunction& function) {
  if (function.source().isKernel || isEnteredWithoutCall(function.source())) return;
  const std::vector<u32> registers = writtenPreservedRegisters(function);
  if (registers.empty()) return;
  const u64 begin = alignUp(function.frameBytes, kWordBytes);
  std::vector<MachineInstruction> code;
  std::vector<u32> newPosition;
  for (u32 r = 0; r < registers.size(); ++r)
    code.push_back(frameAccess(MachineInstruction{}, Opcode::st, registers[r], begin + kWordBytes * r));
  for (const MachineInstruction& instruction : function.code) {
    newPosition.push_back(static_cast<u32>(code.size()));
    if (instruction.opcode == Opcode::ret)
      for (u32 r = 0; r < registers.size(); ++r) code.push_back(frameAccess(instruction, Opcode::ld, registers[r], begin + kWordBytes * r));
    code.push_back(instruction);
  }
  newPosition.push_back(static_cast<u32>(code.size()));
  replaceCode(function, std::move(code), newPosition);
  function.frameBytes = alignUp(begin + kWordBytes * registers.size(), kFrameAlignment);
}

void dropArgumentOperands(MachineFunction& function) {
  for (MachineInstruction& instruction : function.code) {
    if (!namesArguments(instruction.opcode)) continue;
    instruction.vector = 1;
    instruction.sources[kArgumentsOperand] = {};
    instruction.destinations[0] = {};
  }
}

}  // namespace warpwright::compiler
