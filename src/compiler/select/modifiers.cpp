// PTX types and modifiers in the machine's terms.
#include "compiler/select/machine_terms.hpp"
#include "compiler/select/selector.hpp"

namespace warpwright::compiler {

using isa::DataType;

DataType dataType(ptx::Type type) {
  switch (type) {
    case ptx::Type::pred:
      return DataType::pred;
    case ptx::Type::b8:
    case ptx::Type::u8:
      return DataType::u8;
    case ptx::Type::s8:
      return DataType::s8;
    case ptx::Type::b16:
    case ptx::Type::u16:
      return DataType::u16;
    case ptx::Type::s16:
      return DataType::s16;
    case ptx::Type::b32:
    case ptx::Type::u32:
      return DataType::u32;
    case ptx::Type::s32:
      return DataType::s32;
    case ptx::Type::b64:
    case ptx::Type::u64:
      return DataType::u64;
    case ptx::Type::s64:
      return DataType::s64;
    case ptx::Type::f16:
      return DataType::f16;
    case ptx::Type::bf16:
      return DataType::bf16;
    case ptx::Type::f16x2:
      return DataType::f16x2;
    case ptx::Type::bf16x2:
      return DataType::bf16x2;
    case ptx::Type::u16x2:
      return DataType::u16x2;
    case ptx::Type::s16x2:
      return DataType::s16x2;
    case ptx::Type::f32:
      return DataType::f32;
    case ptx::Type::f64:
      return DataType::f64;
    default:
      return DataType::none;
  }
}

DataType unsignedOf(DataType type) {
  switch (type) {
    case DataType::s8:
      return DataType::u8;
    case DataType::s16:
      return DataType::u16;
    case DataType::s32:
      return DataType::u32;
    case DataType::s64:
      return DataType::u64;
    default:
      return type;
  }
}

DataType bitsType(u32 bytes) {
  switch (bytes) {
    case 1:
      return DataType::u8;
    case 2:
      return DataType::u16;
    case 4:
      return DataType::u32;
    case 8:
      return DataType::u64;
    default:
      return DataType::none;
  }
}

// The type in which the table has the operation: signedness is dropped where the operation has none.
DataType Selector::typeFor(isa::Opcode opcode, ptx::Type type) const {
  const isa::OpcodeInfo& row = isa::info(opcode);
  const DataType wanted = dataType(type);
  if (wanted == DataType::none) unsupported("the machine has no such type");
  if (row.allows(wanted)) return wanted;
  if (row.allows(unsignedOf(wanted))) return unsignedOf(wanted);
  unsupported();
}

namespace {

isa::Rounding rounding(ptx::Rounding mode) {
  switch (mode) {
    case ptx::Rounding::rz:
    case ptx::Rounding::rzi:
      return isa::Rounding::zero;
    case ptx::Rounding::rm:
    case ptx::Rounding::rmi:
      return isa::Rounding::down;
    case ptx::Rounding::rp:
    case ptx::Rounding::rpi:
      return isa::Rounding::up;
    default:
      return isa::Rounding::nearest;
  }
}

isa::Compare compare(ptx::Compare relation) {
  switch (relation) {
    case ptx::Compare::ne:
      return isa::Compare::ne;
    case ptx::Compare::lt:
    case ptx::Compare::lo:
      return isa::Compare::lt;
    case ptx::Compare::le:
    case ptx::Compare::ls:
      return isa::Compare::le;
    case ptx::Compare::gt:
    case ptx::Compare::hi:
      return isa::Compare::gt;
    case ptx::Compare::ge:
    case ptx::Compare::hs:
      return isa::Compare::ge;
    case ptx::Compare::equ:
      return isa::Compare::equ;
    case ptx::Compare::neu:
      return isa::Compare::neu;
    case ptx::Compare::ltu:
      return isa::Compare::ltu;
    case ptx::Compare::leu:
      return isa::Compare::leu;
    case ptx::Compare::gtu:
      return isa::Compare::gtu;
    case ptx::Compare::geu:
      return isa::Compare::geu;
    case ptx::Compare::num:
      return isa::Compare::num;
    case ptx::Compare::nan:
      return isa::Compare::nan;
    default:
      return isa::Compare::eq;
  }
}

isa::TestProperty property(ptx::TestProperty test) {
  switch (test) {
    case ptx::TestProperty::infinite:
      return isa::TestProperty::infinite;
    case ptx::TestProperty::number:
      return isa::TestProperty::number;
    case ptx::TestProperty::notanumber:
      return isa::TestProperty::notanumber;
    case ptx::TestProperty::normal:
      return isa::TestProperty::normal;
    case ptx::TestProperty::subnormal:
      return isa::TestProperty::subnormal;
    default:
      return isa::TestProperty::finite;
  }
}

isa::Ordering ordering(ptx::Ordering order) {
  switch (order) {
    case ptx::Ordering::weak:
      return isa::Ordering::weak;
    case ptx::Ordering::volatile_:
      return isa::Ordering::volatile_;
    case ptx::Ordering::relaxed:
    case ptx::Ordering::mmio:
      return isa::Ordering::relaxed;
    case ptx::Ordering::acquire:
      return isa::Ordering::acquire;
    case ptx::Ordering::release:
      return isa::Ordering::release;
    case ptx::Ordering::acq_rel:
      return isa::Ordering::acq_rel;
    case ptx::Ordering::sc:
      return isa::Ordering::sc;
  }
  return isa::Ordering::weak;
}

// A cluster is one block here: no machine of ours groups blocks, so the next wider scope is the whole GPU.
isa::Scope scope(ptx::Scope wanted) {
  switch (wanted) {
    case ptx::Scope::cta:
      return isa::Scope::cta;
    case ptx::Scope::cluster:
    case ptx::Scope::gpu:
      return isa::Scope::gpu;
    case ptx::Scope::sys:
      return isa::Scope::sys;
    default:
      return isa::Scope::none;
  }
}

}  // namespace

isa::Modifiers Selector::arithmeticModifiers() const {
  const ptx::Modifiers& from = in_->modifiers;
  isa::Modifiers to;
  to.rounding = rounding(from.rounding);
  to.accuracy = from.approx ? isa::Accuracy::approximate : from.full ? isa::Accuracy::full : isa::Accuracy::ieee;
  to.ftz = from.ftz;
  to.saturate = from.sat;
  to.relu = from.relu;
  to.satFinite = from.satFinite;
  to.nanMode = from.nan;
  to.clamp = from.clampShift;
  to.shiftAmount = from.shiftAmount;
  to.high = from.high;
  to.compare = compare(from.compare);
  to.combine = machineTerm(from.combine);
  to.test = property(from.test);
  return to;
}

void Selector::setMemoryModifiers(isa::Modifiers& modifiers) const {
  modifiers.ordering = ordering(in_->modifiers.ordering);
  modifiers.scope = scope(in_->modifiers.scope);
  modifiers.cache = machineTerm(in_->modifiers.cache);
}

isa::Space Selector::spaceOf(ptx::Space space) const {
  switch (space) {
    case ptx::Space::generic:
      return isa::Space::generic;
    case ptx::Space::global:
      return isa::Space::global;
    case ptx::Space::shared:
      return isa::Space::shared;
    case ptx::Space::local:
      return isa::Space::local;
    case ptx::Space::constant:
      return isa::Space::constant;
    case ptx::Space::param:
      return isa::Space::param;
    default:
      unsupported("this state space cannot be addressed");
  }
}

}  // namespace warpwright::compiler
