#include "sm/instruction_info.hpp"

#include <algorithm>

namespace warpwright::sm {
namespace {

using isa::Instruction;
using isa::Operand;
using isa::Unit;

const config::LatencyOf& latencyOf(const config::Sm& sm, isa::Latency latency) {
  using config::finerOr;
  switch (latency) {
    case isa::Latency::simple:
      return sm.simple;
    case isa::Latency::add64:
      return finerOr(sm.add64, sm.simple);
    case isa::Latency::shift:
      return finerOr(sm.shift, sm.simple);
    case isa::Latency::multiply:
      return sm.multiply;
    case isa::Latency::divide:
      return sm.divide;
    case isa::Latency::fma32:
      return sm.fma32;
    case isa::Latency::add32:
      return finerOr(sm.add32, sm.fma32);
    case isa::Latency::fma16:
      return finerOr(sm.fma16, sm.fma32);
    case isa::Latency::divide32:
      return sm.divide32;
    case isa::Latency::fma64:
      return sm.fma64;
    case isa::Latency::divide64:
      return sm.divide64;
    case isa::Latency::special:
      return sm.special;
    case isa::Latency::count:
      return finerOr(sm.count, sm.special);
    case isa::Latency::convert:
      return sm.convert;
    case isa::Latency::convertInteger:
      return finerOr(sm.convertInteger, sm.convert);
    case isa::Latency::shuffle:
      return sm.shuffle;
    case isa::Latency::vote:
      return finerOr(sm.vote, sm.shuffle);
    case isa::Latency::reduce:
      return finerOr(sm.reduce, sm.shuffle);
    case isa::Latency::matrix:
      return sm.matrix;
    case isa::Latency::matrixInteger:
      return finerOr(sm.matrixInteger, sm.matrix);
    case isa::Latency::matrix64:
      return finerOr(sm.matrix64, sm.matrix);
    case isa::Latency::group_matrix:
      return sm.groupMatrix;
    case isa::Latency::memory:
    case isa::Latency::branch:
    case isa::Latency::barrier:
      return sm.branch;
  }
  return sm.simple;
}

// Whose pipes execute it on the machine.
Unit unitOn(const config::Sm& sm, const Instruction& instruction) {
  const bool isTold = sm.convertInteger.latency != 0 && isa::latencyOf(instruction) == isa::Latency::convertInteger;
  return isTold ? Unit::integer : isa::unitOf(instruction);
}

Flow flowOf(const Instruction& instruction) {
  const isa::OpcodeInfo& row = isa::info(instruction.opcode);
  switch (row.flow) {
    case isa::Flow::jump:
    case isa::Flow::call:
    case isa::Flow::leave:
    case isa::Flow::stop:
    case isa::Flow::pause:
      return Flow::branch;
    case isa::Flow::barrier:
      return Flow::barrier;
    case isa::Flow::fence:
      return Flow::fence;
    case isa::Flow::next:
      break;
  }
  return row.family == isa::Family::memory || row.family == isa::Family::texture ? Flow::memory : Flow::compute;
}

// Fences of a proxy alone have no scope, and no latency of their own.
u32 fenceLatencyOf(const config::Sm& sm, const Instruction& instruction) {
  if (instruction.opcode != isa::Opcode::fence) return 0;
  switch (instruction.modifiers.scope) {
    case isa::Scope::none:
      return 0;
    case isa::Scope::cta:
      return sm.fenceBlockLatency;
    case isa::Scope::gpu:
      return sm.fenceLatency;
    case isa::Scope::sys:
      return sm.fenceSystemLatency;
  }
  return 0;
}

// The threads of a block share an SM, whose accesses are in order from its L1 on.
bool awaitsStores(const config::Sm& sm, const Instruction& instruction) {
  return sm.fenceBlockLatency == 0 || instruction.opcode != isa::Opcode::fence || instruction.modifiers.scope != isa::Scope::cta;
}

bool takesBanks(const config::Sm& sm, const Instruction& instruction) {
  return sm.sharedIdlePass && flowOf(instruction) == Flow::memory && instruction.modifiers.space == isa::Space::shared;
}

ProductRole roleOf(isa::Opcode opcode) {
  switch (opcode) {
    case isa::Opcode::wgmma:
      return ProductRole::product;
    case isa::Opcode::wgmma_commit:
      return ProductRole::commit;
    case isa::Opcode::wgmma_wait:
      return ProductRole::wait;
    default:
      return ProductRole::none;
  }
}

// Cycles for which a product of a warp group occupies a warp's pipe: its columns one eight after the other, or, where that takes longer,
// what the group reads of shared memory, a word of each bank a cycle. All four warps read the same of B, and it is read once.
u32 productInterval(const isa::Matrix& matrix, const config::Machine& machine) {
  constexpr u32 kColumns = 8, kWarps = isa::kWarpsOfGroup;
  const u32 lines = matrix.n + (matrix.sharedA ? kWarps * matrix.m : 0);
  const u32 bytesPerCycle = machine.sharedBanks * machine.sharedBankBytes;
  const u32 reading = (lines * isa::kGroupLineBytes + bytesPerCycle - 1) / bytesPerCycle;
  return std::max(machine.sm.groupMatrix.interval * matrix.n / kColumns, reading);
}

class Builder {
 public:
  Builder(const Instruction& instruction, u32 addressBits) : instruction_(instruction), addressBits_(addressBits) {}

  InstructionInfo build() {
    const isa::OpcodeInfo& row = isa::info(instruction_.opcode);
    for (std::size_t i = 0; i < row.destinations.size(); ++i) operand(instruction_.destinations[i], row.destinations[i], true);
    for (std::size_t i = 0; i < row.sources.size(); ++i) {
      place_ = static_cast<u8>(i);
      operand(instruction_.sources[i], row.sources[i], false);
    }
    for (std::size_t i = 0; i < row.destinations.size(); ++i)
      if (row.destinations[i] == 'E') operand(instruction_.destinations[i], 'E', false);
    if (instruction_.guard.index != isa::kTruePredicate) {
      info_.touched.addPredicate(instruction_.guard.index);
      info_.guard = u64{1} << instruction_.guard.index;
    }
    return info_;
  }

 private:
  void operand(const Operand& operand, char letter, bool isWritten) {
    if (operand.kind == Operand::Kind::predicate && operand.index != isa::kTruePredicate) {
      info_.touched.addPredicate(operand.index);
      if (isWritten) info_.written.addPredicate(operand.index);
    }
    if (operand.kind != Operand::Kind::reg) return;
    const u32 words = std::max(1u, isa::operandWords(instruction_, letter, addressBits_));
    for (u32 word = 0; word < words; ++word) oneRegister(operand.index + word, isWritten);
  }

  void oneRegister(u32 number, bool isWritten) {
    info_.touched.addRegister(number);
    // Nothing waits for the sums of an asynchronous product but the wait of its group.
    if (isWritten && roleOf(instruction_.opcode) != ProductRole::product) info_.written.addRegister(number);
    u8& count = isWritten ? info_.writeCount : info_.readCount;
    auto& list = isWritten ? info_.writes : info_.reads;
    // A register that several operands name is read once.
    if (std::find(list.begin(), list.begin() + count, number) != list.begin() + count) return;
    if (count == InstructionInfo::kMostReads) return;
    if (!isWritten) info_.places[count] = place_;
    list[count++] = static_cast<u8>(number);
  }

  const Instruction& instruction_;
  u32 addressBits_;
  u8 place_ = 0;  // of the source operand at hand
  InstructionInfo info_;
};

}  // namespace

const config::Pipes& pipesOf(const config::Sm& sm, Unit unit) {
  switch (unit) {
    case Unit::integer:
    case Unit::branch:
    case Unit::warp:
    case Unit::control:
      return sm.integerOnFp32 ? sm.fp32 : sm.integer;
    case Unit::fp32:
      return sm.fp32;
    case Unit::fp64:
      return sm.fp64;
    case Unit::sfu:
      return sm.sfu;
    case Unit::load_store:
      return sm.loadStore;
    case Unit::tensor:
      return sm.tensor;
  }
  return sm.integer;
}

isa::IssueTiming issueTimingOf(const config::Sm& sm) {
  isa::IssueTiming timing;
  for (std::size_t i = 0; i < timing.latency.size(); ++i) timing.latency[i] = latencyOf(sm, static_cast<isa::Latency>(i)).latency;
  timing.branch = sm.branch.latency;
  timing.guard = sm.guardLatency;
  timing.memory = sm.warpMemoryInterval;
  timing.otherPipe = sm.otherPipeLatency;
  return timing;
}

KernelInfo::KernelInfo(const isa::Program& program, const config::Machine& machine) {
  const config::Sm& sm = machine.sm;
  infos_.reserve(program.code.size());
  const u32 toPipe = config::cyclesToPipe(sm);
  const isa::IssueTiming timing = issueTimingOf(sm);
  const bool hasControlBits = sm.dependences == config::Dependences::controlBits && !program.control.empty();
  for (const Instruction& instruction : program.code) {
    InstructionInfo info = Builder(instruction, program.addressBits).build();
    info.pc = Pc(static_cast<u32>(infos_.size()));
    info.instruction = &instruction;
    info.flow = flowOf(instruction);
    info.fenceLatency = fenceLatencyOf(machine.sm, instruction);
    info.awaitsStores = awaitsStores(machine.sm, instruction);
    info.takesBanks = takesBanks(sm, instruction);
    info.unit = unitOn(sm, instruction);
    info.pipe = isa::resultPipeOf(instruction);
    info.work = isa::pipeWorkOf(instruction, program.addressBits, machine.warpSize);
    const config::LatencyOf& latency = latencyOf(sm, isa::latencyOf(instruction));
    const u32 width = pipesOf(sm, info.unit).width;
    // The rules of the machine leave a cycle in the pipe to every operation that executes there; branches do not.
    info.latency = std::max(latency.latency, toPipe + 1) - toPipe;
    info.interval = std::max(latency.interval, (machine.warpSize + width - 1) / width);
    info.issues = latency.issues;
    info.role = roleOf(instruction.opcode);
    if (info.role == ProductRole::wait) info.groupsLeft = static_cast<u32>(instruction.sources[0].value);
    if (info.role == ProductRole::product) {
      const u32 interval = productInterval(instruction.modifiers.matrix, machine);
      // The last columns come out as long after they went in as those of a product of eight.
      info.latency += interval - std::min(interval, info.interval);
      info.interval = interval;
    }
    if (hasControlBits) {
      info.control = program.control.at(info.pc);
      info.isBypassed = info.flow == Flow::compute && info.control.writeCounter == isa::ControlBits::kNoCounter;
    }
    if (sm.subCoreQueue != 0 && info.flow == Flow::memory)
      info.front = isa::memoryFront(instruction, instruction.sources[0].kind == Operand::Kind::reg);
    if (sm.operandWindow != 0) {
      info.hasWindow = info.flow == Flow::compute && isa::productionOf(instruction, timing) == isa::Production::fixed;
      if (sm.operandCache && !program.control.empty()) info.control.reuse = program.control.at(info.pc).reuse;
    }
    infos_.push_back(info);
  }
}

}  // namespace warpwright::sm
