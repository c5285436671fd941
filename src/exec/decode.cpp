#include "exec/decode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>

#include "base/error.hpp"
#include "exec/location.hpp"
#include "exec/operations/perform.hpp"
#include "isa/launch_constants.hpp"

namespace warpwright::exec {
namespace {

using isa::DataType;
using isa::Instruction;
using isa::Opcode;
using isa::Operand;

// The register word(s) of a value of the given type: narrow signed types are kept sign-extended.
u64 registerBits(u64 value, DataType type) {
  switch (type) {
    case DataType::u8:
      return static_cast<u8>(value);
    case DataType::s8:
      return static_cast<u32>(static_cast<s32>(static_cast<s8>(value)));
    case DataType::u16:
    case DataType::f16:
    case DataType::bf16:
      return static_cast<u16>(value);
    case DataType::s16:
      return static_cast<u32>(static_cast<s32>(static_cast<s16>(value)));
    default:
      return value;
  }
}

// Fills `planes` planes of a pool with the words of a value in turn.
void broadcast(std::vector<PlaneLine>& pool, u32 offset, u64 value, u32 words, u32 planes, u32 lanes) {
  const u32 linesEach = lanes / PlaneLine::kWords;
  for (u32 i = 0; i < planes * linesEach; ++i) {
    PlaneLine& line = pool[offset / PlaneLine::kWords + i];
    std::fill(std::begin(line.words), std::end(line.words), static_cast<u32>(value >> (32 * (i / linesEach % words))));
  }
}

bool pollsOthers(const Instruction& instruction) {
  if (instruction.opcode == Opcode::atom || instruction.opcode == Opcode::mbarrier) return true;
  return instruction.opcode == Opcode::ld &&
         (instruction.modifiers.ordering != isa::Ordering::weak || instruction.modifiers.cache == isa::CacheOp::cv);
}

}  // namespace

class Decoder {
 public:
  Decoder(KernelCode& kernel, const isa::Program& program, u32 lanes, HostLevel level)
      : kernel_(kernel), program_(program), lanes_(lanes), level_(level) {}

  void run(const isa::Function& entry) {
    collect(entry);
    Pc end;
    kernel_.first_ = Pc(static_cast<u32>(program_.code.size()));
    for (const isa::Function* function : functions_) {
      kernel_.first_ = std::min(kernel_.first_, function->begin);
      end = std::max(end, function->end);
      kernel_.registers_ = std::max(kernel_.registers_, function->registers);
    }
    kernel_.ops_.resize(end - kernel_.first_ + 1);
    for (const isa::Function* function : functions_) {
      for (Pc pc = function->begin; pc < function->end; ++pc) decode(pc);
    }
    kernel_.registers_ = std::max(kernel_.registers_, highestRegister_ + 1);
    for (std::size_t i = kernel_.ops_.size() - 1; i-- > 0;)
      kernel_.ops_[i].plainRun = kernel_.ops_[i].isPlain ? kernel_.ops_[i + 1].plainRun + 1 : 0;
  }

 private:
  // The kernel and everything that it may call.
  void collect(const isa::Function& function) {
    if (function.isDeclaration || std::find(functions_.begin(), functions_.end(), &function) != functions_.end()) return;
    functions_.push_back(&function);
    for (Pc pc = function.begin; pc < function.end; ++pc) {
      const Instruction& instruction = program_.code.at(pc);
      if (instruction.opcode == Opcode::call) collect(callee(instruction, pc));
      if (instruction.opcode == Opcode::calli) {
        for (const isa::Function& any : program_.functions) collect(any);
      }
    }
  }

  [[noreturn]] void refuse(Pc pc, const std::string& what) const {
    throw Error(fmt::format("{} in '{}'", what, isa::info(program_.code[pc].opcode).mnemonic), positionOf(program_, pc));
  }

  const isa::Function& callee(const Instruction& instruction, Pc pc) const {
    if (instruction.target >= program_.functions.size()) refuse(pc, "no such function");
    return program_.functions[instruction.target];
  }

  void decode(Pc pc) {
    const Instruction& instruction = program_.code[pc];
    Op& op = kernel_.ops_[pc - kernel_.first_];
    op.instruction = &instruction;
    const isa::OpcodeInfo& table = isa::info(instruction.opcode);
    op.handler = table.handler;
    op.perform = performOf(op.handler);
    for (std::size_t i = 0; i < table.destinations.size(); ++i) {
      op.destinations[i] = operandOf(instruction, table.destinations[i], instruction.destinations[i]);
    }
    for (std::size_t i = 0; i < table.sources.size(); ++i) {
      op.sources[i] = operandOf(instruction, table.sources[i], instruction.sources[i]);
    }
    op.guard = operandOf(instruction, 'P', instruction.guard);
    op.guardIndex = static_cast<u8>(op.guard.present ? op.guard.offset : isa::kTruePredicate);
    op.guardFlip = op.guard.negated ? ~LaneMask{} : LaneMask{};
    op.target = instruction.target;
    op.reconvergence = Pc(instruction.reconvergence);
    op.polls = pollsOthers(instruction);
    if (op.polls) op.poll = kernel_.polls_++;
    if (op.handler == Handler::specialRegister) decodeSpecial(op);
    if (op.handler == Handler::lane) decodeLane(op);
    op.isPlain = op.function && op.guardIndex == isa::kTruePredicate && op.guardFlip.empty();
    if (instruction.opcode == Opcode::mma) op.matrix = planOf(instruction.modifiers.matrix);
    if (instruction.opcode == Opcode::wgmma) op.matrix = planOf(tileOf(instruction.modifiers.matrix));
    if (table.family == isa::Family::memory) decodeMemory(op, pc);
    if (op.handler == Handler::branch && !isTarget(Pc(op.target))) refuse(pc, "branch out of the code");
    if (op.handler == Handler::call || op.handler == Handler::callIndirect) kernel_.hasCalls_ = true;
    if (op.handler == Handler::systemCall) kernel_.hasCalls_ = true;
  }

  const MatrixPlan* planOf(const isa::Matrix& matrix) {
    std::unique_ptr<const MatrixPlan>& plan = kernel_.matrices_[matrix];
    if (!plan) plan = std::make_unique<const MatrixPlan>(matrix);
    return plan.get();
  }

  bool isTarget(Pc pc) const { return pc >= kernel_.first_ && pc - kernel_.first_ + 1 < kernel_.ops_.size(); }

  void decodeLane(Op& op) { op.function = findLaneFunction(*op.instruction, lanes_, level_); }

  // What is the same for the whole launch is moved like an immediate, indices of threads and blocks from their planes.
  void decodeSpecial(Op& op) {
    const LaneOperand source = planeOf(op.instruction->modifiers.special);
    if (!source.present || isa::sizeOf(op.instruction->type) != 4) return;
    Instruction move;
    move.opcode = Opcode::mov;
    move.type = DataType::u32;
    op.sources[0] = source;
    op.function = findLaneFunction(move, lanes_, level_);
  }

  LaneOperand planeOf(isa::SpecialRegister which) {
    using isa::SpecialRegister;
    const auto plane = [&](LaneOperand::Bank bank, SpecialRegister x) {
      return LaneOperand{bank, false, true, (static_cast<u32>(which) - static_cast<u32>(x)) * lanes_};
    };
    if (which <= SpecialRegister::tid_z) return plane(LaneOperand::Bank::thread, SpecialRegister::tid_x);
    if (which >= SpecialRegister::ctaid_x && which <= SpecialRegister::ctaid_z)
      return plane(LaneOperand::Bank::block, SpecialRegister::ctaid_x);
    const auto offset = isa::launchConstantOffset(which);
    return offset ? parameter(*offset, DataType::u32, 1) : LaneOperand{};
  }

  void decodeMemory(Op& op, Pc pc) {
    const Instruction& instruction = *op.instruction;
    op.space = instruction.modifiers.space;
    op.mayRace = op.handler == Handler::store && (op.space == isa::Space::global || op.space == isa::Space::generic);
    op.elements = instruction.vector;
    op.elementBytes = static_cast<u8>(isa::sizeOf(instruction.type));
    op.offset = static_cast<u64>(instruction.offset);
    noteAddressParameter(instruction, pc);
    // An odd register cannot begin a pair: the stack pointer is one word with 64-bit addresses too.
    const Operand& address = instruction.sources[0];
    const bool isOdd = address.kind == Operand::Kind::reg && address.index % 2 == 1;
    const bool oneWord = program_.addressBits == 32 || instruction.modifiers.wordAddress || isOdd;
    op.addressWords = address.kind == Operand::Kind::none ? 0 : oneWord ? 1 : 2;
    op.wraps = program_.addressBits == 32 || instruction.modifiers.wordAddress;
    if (op.handler == Handler::load) op.transfer = loadFunction(instruction.type, lanes_, level_);
    if (op.handler == Handler::load) op.wordTransfer = loadFunction(DataType::u32, lanes_, level_);
    if (op.handler == Handler::store) op.wordTransfer = storeFunction(DataType::u32, lanes_, level_);
    if (op.handler == Handler::store) op.transfer = storeFunction(instruction.type, lanes_, level_);
    const bool mayBeDirect = !op.polls && op.space != isa::Space::local;
    if (mayBeDirect && op.handler == Handler::load) op.direct = directLoad(instruction.type, op.elements, lanes_, level_);
    if (mayBeDirect && op.handler == Handler::store && op.elements == 1) op.direct = directStore(instruction.type, lanes_, level_);
    if (op.handler == Handler::atomic) {
      const bool flush = op.space == isa::Space::global || op.space == isa::Space::generic;
      op.atomic = atomicFunction(instruction.modifiers.atomic, instruction.type, flush);
      op.elements = 1;
    }
    const bool ownTransfer = op.handler == Handler::nothing || op.handler == Handler::prefetch || op.handler == Handler::copyAsync ||
                             op.handler == Handler::bulkCopy || op.handler == Handler::mbarrier;
    if (!ownTransfer && !op.transfer && !op.atomic) refuse(pc, "type or operation not allowed");
  }

  void noteAddressParameter(const Instruction& instruction, Pc pc) {
    const std::size_t index = isa::info(instruction.opcode).sources.find('b');
    if (index == std::string_view::npos || instruction.sources[index].kind != Operand::Kind::param) return;
    kernel_.addressParameters_.push_back({pc - kernel_.first_, instruction.sources[index].value});
  }

  LaneOperand operandOf(const Instruction& instruction, char letter, const Operand& operand) {
    if (letter == 'b') return {};  // see noteAddressParameter()
    const DataType type = isa::operandType(instruction, letter, program_.addressBits);
    switch (operand.kind) {
      case Operand::Kind::none:
        return {};
      case Operand::Kind::reg:
        noteRegisters(operand.index, isa::operandWords(instruction, letter, program_.addressBits));
        return {LaneOperand::Bank::registers, false, true, operand.index * lanes_};
      case Operand::Kind::predicate:
        if (operand.index < isa::kPredicates) kernel_.predicates_ = std::max(kernel_.predicates_, operand.index + 1);
        return {LaneOperand::Bank::predicate, operand.negated, true, operand.index};
      case Operand::Kind::immediate:
        if (type == DataType::pred) return {LaneOperand::Bank::predicate, operand.value == 0, true, isa::kTruePredicate};
        return pooled(registerBits(operand.value, type), type, repetitions(instruction, letter));
      case Operand::Kind::param:
        return parameter(operand.value, type, repetitions(instruction, letter));
    }
    return {};
  }

  static u32 repetitions(const Instruction& instruction, char letter) { return letter == 'M' || letter == 'm' ? instruction.vector : 1; }

  void noteRegisters(u32 index, u32 words) { highestRegister_ = std::max(highestRegister_, index + std::max(words, 1u) - 1); }

  // A value broadcast to all lanes; equal ones share their planes.
  LaneOperand pooled(u64 value, DataType type, u32 copies) {
    const u32 words = isa::registerWords(type);
    const auto [entry, isNew] = pooled_.try_emplace({value, words, copies}, poolEnd());
    if (isNew) broadcast(kernel_.pool_, reserve(copies * words), value, words, copies * words, lanes_);
    return {LaneOperand::Bank::pool, false, true, entry->second};
  }

  // A parameter of the launch, broadcast like a value.
  LaneOperand parameter(u64 offset, DataType type, u32 copies) {
    const auto [entry, isNew] = parameters_.try_emplace({offset, type, copies}, poolEnd());
    if (isNew) kernel_.pooledParameters_.push_back({reserve(copies * isa::registerWords(type)), copies, offset, type});
    return {LaneOperand::Bank::pool, false, true, entry->second};
  }

  u32 poolEnd() const { return static_cast<u32>(kernel_.pool_.size() * PlaneLine::kWords); }

  // Where so many planes of the pool begin that have been added to it.
  u32 reserve(u32 planes) {
    const u32 begin = poolEnd();
    kernel_.pool_.resize(kernel_.pool_.size() + std::size_t{planes} * lanes_ / PlaneLine::kWords);
    return begin;
  }

  KernelCode& kernel_;
  const isa::Program& program_;
  u32 lanes_;
  HostLevel level_;
  std::vector<const isa::Function*> functions_;               // in the order of discovery
  std::map<std::tuple<u64, u32, u32>, u32> pooled_;           // by value, words and copies
  std::map<std::tuple<u64, DataType, u32>, u32> parameters_;  // by offset, type and copies
  u32 highestRegister_ = 1;
};

KernelCode::KernelCode(const isa::Program& program, const isa::Function& kernel, u32 lanes, HostLevel level) {
  Decoder(*this, program, lanes, level).run(kernel);
}

std::shared_ptr<const KernelCode> KernelCache::find(const isa::Program& program, const isa::Function& kernel, u32 lanes, HostLevel level) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const KernelCode>& code = kernels_[{&kernel, lanes, level}];
  if (!code) code = std::make_shared<const KernelCode>(program, kernel, lanes, level);
  return code;
}

namespace {

std::shared_ptr<const KernelCode> codeOf(const LaunchRequest& request, u32 lanes, HostLevel level) {
  const LoadedProgram& loaded = *request.launch->program;
  if (loaded.kernels) return loaded.kernels->find(loaded.program, *request.launch->kernel, lanes, level);
  return std::make_shared<const KernelCode>(loaded.program, *request.launch->kernel, lanes, level);
}

// So many bytes of the module's constant memory as it is now. The compiler lets operands name no bytes beyond it.
u64 moduleConstantOf(const LoadedProgram& loaded, u64 place, u32 bytes) {
  u64 value = 0;
  const u64 end = loaded.program.constantBytes;
  if (place < end) std::memcpy(&value, GlobalMemory::hostPointer(loaded.constantBase + place), std::min<u64>(bytes, end - place));
  return value;
}

// So many bytes of the launch's parameter block, or of its constants.
u64 parameterOf(const LaunchRequest& request, u64 offset, u32 bytes) {
  u64 value = 0;
  if (const auto place = isa::moduleConstantAt(offset)) return moduleConstantOf(*request.launch->program, *place, bytes);
  if (offset >= isa::kLaunchConstants) {
    const Dim3 &block = request.launch->block, &grid = request.launch->grid;
    const u32 constants[] = {block.x, block.y, block.z, grid.x, grid.y, grid.z};  // isa::kLaunchConstantOrder
    const u64 at = offset - isa::kLaunchConstants;
    if (at < sizeof constants)
      std::memcpy(&value, reinterpret_cast<const u8*>(constants) + at, std::min<u64>(bytes, sizeof constants - at));
    return value;
  }
  const std::span<const u8> parameters = request.launch->parameters;
  if (offset < parameters.size()) std::memcpy(&value, parameters.data() + offset, std::min<u64>(bytes, parameters.size() - offset));
  return value;
}

}  // namespace

DecodedKernel::DecodedKernel(const LaunchRequest& request, u32 lanes, HostLevel level)
    : code_(codeOf(request, lanes, level)), first_(code_->first_), ops_(code_->ops_), pool_(code_->pool_) {
  for (const KernelCode::PooledParameter& parameter : code_->pooledParameters_) {
    const u64 value = registerBits(parameterOf(request, parameter.offset, isa::sizeOf(parameter.type)), parameter.type);
    const u32 words = isa::registerWords(parameter.type);
    broadcast(pool_, parameter.begin, value, words, parameter.copies * words, lanes);
  }
  const u32 addressBytes = request.launch->program->program.addressBits / 8;
  for (const KernelCode::AddressParameter& parameter : code_->addressParameters_)
    ops_[parameter.op].offset += parameterOf(request, parameter.offset, addressBytes);
}

void DecodedKernel::forgetDirectAccess() {
  for (Op& op : ops_) op.direct = nullptr;
}

}  // namespace warpwright::exec
