#include "exec/oracle.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/error.hpp"
#include "exec/oracle_atomic.hpp"
#include "isa/address_space.hpp"
#include "isa/disassembler.hpp"
#include "isa/evaluate.hpp"
#include "isa/launch_constants.hpp"

namespace warpwright::exec {
namespace {

using isa::DataType;
using isa::Handler;
using isa::Instruction;
using isa::Operand;
using isa::Space;

// A value in memory as registers hold it: signed types extended to 32 bits by their sign.
u64 extend(u64 bits, DataType type) {
  switch (type) {
    case DataType::s8:
      return static_cast<u32>(s32{static_cast<s8>(bits)});
    case DataType::s16:
      return static_cast<u32>(s32{static_cast<s16>(bits)});
    default:
      return bits;
  }
}

struct Location {
  Space space;
  u64 address;
};

Location resolve(Space space, u64 address) {
  if (space != Space::generic) return {space, address};
  constexpr std::array<std::pair<Space, u64>, 4> kWindows{{{Space::shared, isa::kSharedWindow},
                                                           {Space::local, isa::kLocalWindow},
                                                           {Space::constant, isa::kConstantWindow},
                                                           {Space::param, isa::kParamWindow}}};
  for (const auto& [window, base] : kWindows) {
    if (address - base < isa::kWindowBytes) return {window, address - base};
  }
  return {Space::global, address};
}

}  // namespace

Oracle::Oracle(const isa::Program& program, OracleMemory& memory, OracleThread thread)
    : program_(program), memory_(memory), thread_(std::move(thread)) {}

u32 Oracle::word(u32 index) const {
  const auto found = words_.find(index);
  return found == words_.end() ? 0 : found->second;
}

bool Oracle::predicate(u32 index) const {
  if (index == isa::kTruePredicate) return true;
  const auto found = predicates_.find(index);
  return found != predicates_.end() && found->second;
}

void Oracle::fail(const std::string& what) const {
  throw Error(fmt::format("{} at instruction {}: {}", what, pc_, isa::disassemble(program_.code.at(pc_), program_.addressBits)));
}

OracleEnd Oracle::run(const isa::Function& function) {
  pc_ = function.begin;
  executed_ = 0;
  callers_.clear();
  end_ = OracleEnd::exited;
  for (;;) {
    if (pc_ >= program_.code.size()) throw Error(fmt::format("the thread ran past the code, to instruction {}", pc_));
    if (++executed_ > thread_.maxInstructions) fail("too many instructions");
    const Instruction& instruction = program_.code[pc_];
    const bool holds = read(instruction.guard, DataType::pred) != 0;
    const Step step = holds ? execute(instruction) : Step::next;
    if (step == Step::ended) return end_;
    if (step == Step::next) ++pc_;
  }
}

Oracle::Step Oracle::execute(const Instruction& instruction) {
  if (isa::info(instruction.opcode).handler != Handler::lane) return perform(instruction);
  executeLane(instruction);
  return Step::next;
}

// --- operands

u64 Oracle::read(const Operand& operand, DataType type) const {
  switch (operand.kind) {
    case Operand::Kind::none:
      return 0;
    case Operand::Kind::immediate:
      return operand.value;
    case Operand::Kind::predicate:
      return predicate(operand.index) != operand.negated ? 1 : 0;
    case Operand::Kind::reg: {
      const u64 low = word(operand.index);
      return isa::registerWords(type) == 2 ? u64{word(operand.index + 1)} << 32 | low : low;
    }
    case Operand::Kind::param: {
      u64 value = 0;
      if (const auto special = isa::launchConstantAt(operand.value)) {
        value = thread_.special(*special);
        if (isa::sizeOf(type) == 8)
          if (const auto next = isa::launchConstantAt(operand.value + 4)) value |= thread_.special(*next) << 32;
        return extend(value, type);
      }
      if (const auto place = isa::moduleConstantAt(operand.value)) return loadValue(isa::Space::constant, *place, type);
      for (u32 i = 0; i < isa::sizeOf(type); ++i) {
        if (operand.value + i >= thread_.parameters.size()) fail("parameter out of the block");
        value |= u64{thread_.parameters[operand.value + i]} << (8 * i);
      }
      return extend(value, type);
    }
  }
  return 0;
}

u64 Oracle::source(const Instruction& instruction, u32 index) const {
  const char letter = isa::info(instruction.opcode).sources[index];
  return read(instruction.sources[index], isa::operandType(instruction, letter, program_.addressBits));
}

void Oracle::write(const Operand& operand, DataType type, u64 value) {
  if (operand.kind == Operand::Kind::none) return;
  if (type == DataType::pred) {
    predicates_[operand.index] = (value & 1) != 0;
    return;
  }
  words_[operand.index] = static_cast<u32>(value);
  if (isa::registerWords(type) == 2) words_[operand.index + 1] = static_cast<u32>(value >> 32);
}

void Oracle::setDestination(const Instruction& instruction, u32 index, u64 value) {
  const char letter = isa::info(instruction.opcode).destinations[index];
  write(instruction.destinations[index], isa::operandType(instruction, letter, program_.addressBits), value);
}

void Oracle::executeLane(const Instruction& instruction) {
  const isa::OpcodeInfo& row = isa::info(instruction.opcode);
  isa::OperandValues sources{};
  for (u32 i = 0; i < row.sources.size(); ++i) sources[i] = source(instruction, i);
  const isa::OperandValues results = isa::evaluate(instruction, sources);
  for (u32 i = 0; i < row.destinations.size(); ++i) setDestination(instruction, i, results[i]);
}

// --- memory

u64 Oracle::addressOf(const Instruction& instruction) const {
  const Operand& base = instruction.sources[0];
  // The stack pointer is one register with 64-bit addresses too.
  const bool isStack = base.kind == Operand::Kind::reg && base.index == thread_.stackRegister;
  const bool oneWord = program_.addressBits == 32 || instruction.modifiers.wordAddress || isStack;
  u64 address = read(base, oneWord ? DataType::u32 : DataType::u64) + static_cast<u64>(instruction.offset);
  const std::size_t parameter = isa::info(instruction.opcode).sources.find('b');
  if (parameter != std::string_view::npos) address += source(instruction, static_cast<u32>(parameter));
  return program_.addressBits == 32 || instruction.modifiers.wordAddress ? static_cast<u32>(address) : address;
}

u64 Oracle::loadValue(Space space, u64 address, DataType type) const {
  std::array<u8, 8> bytes{};
  memory_.read(space, address, std::span(bytes).first(isa::sizeOf(type)));
  u64 value = 0;
  for (u32 i = 0; i < bytes.size(); ++i) value |= u64{bytes[i]} << (8 * i);
  return extend(value, type);
}

void Oracle::storeValue(Space space, u64 address, DataType type, u64 value) {
  std::array<u8, 8> bytes{};
  for (u32 i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<u8>(value >> (8 * i));
  memory_.write(space, address, std::span<const u8>(bytes).first(isa::sizeOf(type)));
}

void Oracle::load(const Instruction& instruction) {
  const Location location = resolve(instruction.modifiers.space, addressOf(instruction));
  const u32 words = isa::registerWords(instruction.type), bytes = isa::sizeOf(instruction.type);
  for (u32 element = 0; element < instruction.vector; ++element) {
    const u64 value = loadValue(location.space, location.address + u64{element} * bytes, instruction.type);
    write(Operand::makeRegister(instruction.destinations[0].index + element * words), instruction.type, value);
  }
}

void Oracle::store(const Instruction& instruction) {
  const Location location = resolve(instruction.modifiers.space, addressOf(instruction));
  const u32 words = isa::registerWords(instruction.type), bytes = isa::sizeOf(instruction.type);
  for (u32 element = 0; element < instruction.vector; ++element) {
    Operand operand = instruction.sources[1];
    if (operand.kind == Operand::Kind::reg) operand.index += element * words;
    if (operand.kind == Operand::Kind::param) operand.value += u64{element} * bytes;
    storeValue(location.space, location.address + u64{element} * bytes, instruction.type, read(operand, instruction.type));
  }
}

void Oracle::executeAtomic(const Instruction& instruction) {
  const Location location = resolve(instruction.modifiers.space, addressOf(instruction));
  const u64 old = loadValue(location.space, location.address, instruction.type);
  storeValue(location.space, location.address, instruction.type,
             atomicResult(instruction, old, source(instruction, 1), source(instruction, 2)));
  setDestination(instruction, 0, old);
}

// --- control flow

Oracle::Step Oracle::call(u32 function) {
  if (function >= program_.functions.size() || program_.functions[function].isDeclaration) fail("call of no function");
  callers_.push_back({next(pc_), {}, {}});
  if (thread_.registersPerActivation) {
    callers_.back().words = words_;
    callers_.back().predicates = predicates_;
  }
  pc_ = program_.functions[function].begin;
  return Step::jumped;
}

Oracle::Step Oracle::endOfFunction() {
  if (callers_.empty()) return Step::ended;
  Activation& caller = callers_.back();
  pc_ = caller.returnPc;
  if (thread_.registersPerActivation) {
    caller.words[thread_.stackRegister] = words_[thread_.stackRegister];
    words_ = std::move(caller.words);
    predicates_ = std::move(caller.predicates);
  }
  callers_.pop_back();
  return Step::jumped;
}

Oracle::Step Oracle::branchIndexed(const Instruction& instruction) {
  const u64 index = source(instruction, 0);
  const std::vector<Pc>& table = program_.branchTables.at(instruction.target);
  if (index >= table.size()) fail("branch index out of the table");
  pc_ = table[index];
  return Step::jumped;
}

Oracle::Step Oracle::callIndirect(const Instruction& instruction) {
  const u64 begin = (source(instruction, 0) - isa::kCodeWindow) / isa::kInstructionBytes;
  for (u32 i = 0; i < program_.functions.size(); ++i) {
    if (program_.functions[i].begin == begin) return call(i);
  }
  fail("call of no function");
}

Oracle::Step Oracle::end(OracleEnd how) {
  end_ = how;
  return Step::ended;
}

// --- what is no lane operation: a warp of one thread, lane 0

Oracle::Step Oracle::perform(const Instruction& instruction) {
  const auto set = [&](std::initializer_list<u64> values) {
    u32 destination = 0;
    for (const u64 value : values) setDestination(instruction, destination++, value);
    return Step::next;
  };
  switch (isa::info(instruction.opcode).handler) {
    case Handler::load:
      return load(instruction), Step::next;
    case Handler::store:
      return store(instruction), Step::next;
    case Handler::atomic:
      return executeAtomic(instruction), Step::next;
    case Handler::specialRegister:
      return set({thread_.special(instruction.modifiers.special)});
    case Handler::copy:
      return set({source(instruction, 0), source(instruction, 1), source(instruction, 2), source(instruction, 3)});
    case Handler::shuffle:
      return set({source(instruction, 0), 1});
    case Handler::vote:
      return set({instruction.modifiers.vote == isa::VoteMode::uni ? 1 : source(instruction, 0)});
    case Handler::match:
      return set({1, 1});
    case Handler::reduce:
      return set({source(instruction, 0)});
    case Handler::activeMask:
      return set({1});
    case Handler::elect:
      return set({0, 1});
    case Handler::barrierReduce:
      return set({source(instruction, 2)});
    case Handler::branch:
      pc_ = Pc(instruction.target);
      return Step::jumped;
    case Handler::branchIndexed:
      return branchIndexed(instruction);
    case Handler::call:
      return call(instruction.target);
    case Handler::callIndirect:
      return callIndirect(instruction);
    case Handler::ret:
      return endOfFunction();
    case Handler::exit:
      return Step::ended;
    case Handler::trap:
      return end(OracleEnd::trapped);
    case Handler::breakpoint:
      return end(OracleEnd::breakpoint);
    case Handler::nothing:
    case Handler::prefetch:
    case Handler::warpSync:
    case Handler::barrierSync:
    case Handler::barrierArrive:
    case Handler::clusterArrive:
    case Handler::clusterWait:
    case Handler::sleep:
      return Step::next;  // there is nobody to wait for, and nothing to order
    case Handler::copyAsync:
    case Handler::commitCopies:
    case Handler::waitForCopies:
    case Handler::bulkCopy:
    case Handler::commitBulk:
    case Handler::waitForBulk:
      fail("a lone thread has no asynchronous copies");
    case Handler::mbarrier:
      fail("a lone thread has no mbarrier objects");
    case Handler::matrix:
    case Handler::groupMultiply:
    case Handler::groupCommit:
    case Handler::groupWait:
      fail("a matrix lies in the registers of a whole warp, not of a lone thread");
    case Handler::systemCall:
      fail("a lone thread has no system");
    case Handler::texture:
    case Handler::textureQuery:
    case Handler::surface:
      fail("a lone thread has no textures");
    case Handler::undefined:
    case Handler::lane:
      break;
  }
  fail("no operation of the machine's own");
}

}  // namespace warpwright::exec
