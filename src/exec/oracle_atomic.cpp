#include "exec/oracle_atomic.hpp"

#include "isa/evaluate.hpp"

namespace warpwright::exec {
namespace {

using isa::DataType;
using isa::Opcode;

u64 combined(Opcode opcode, DataType type, const isa::Modifiers& modifiers, u64 a, u64 b) {
  isa::Instruction operation;
  operation.opcode = opcode;
  operation.type = type;
  // Atomic f32 additions flush subnormals in global memory and keep them in shared memory (PTX ISA, "atom").
  operation.modifiers.ftz = type == DataType::f32 && opcode == Opcode::add && modifiers.space != isa::Space::shared;
  return isa::evaluate(operation, {a, b})[0];
}

DataType bitsType(DataType type) { return isa::sizeOf(type) == 8 ? DataType::u64 : DataType::u32; }

}  // namespace

u64 atomicResult(const isa::Instruction& instruction, u64 old, u64 b, u64 c) {
  const DataType type = instruction.type;
  const isa::Modifiers& modifiers = instruction.modifiers;
  switch (modifiers.atomic) {
    case isa::AtomicOp::none:
      return old;
    case isa::AtomicOp::exch:
      return b;
    case isa::AtomicOp::cas:
      return old == b ? c : old;
    case isa::AtomicOp::inc:
      return old >= b ? 0 : old + 1;
    case isa::AtomicOp::dec:
      return old == 0 || old > b ? b : old - 1;
    case isa::AtomicOp::add:
      return combined(Opcode::add, type, modifiers, old, b);
    case isa::AtomicOp::min:
      return combined(Opcode::min, type, modifiers, old, b);
    case isa::AtomicOp::max:
      return combined(Opcode::max, type, modifiers, old, b);
    case isa::AtomicOp::and_:
      return combined(Opcode::and_, bitsType(type), modifiers, old, b);
    case isa::AtomicOp::or_:
      return combined(Opcode::or_, bitsType(type), modifiers, old, b);
    case isa::AtomicOp::xor_:
      return combined(Opcode::xor_, bitsType(type), modifiers, old, b);
  }
  return old;
}

}  // namespace warpwright::exec
