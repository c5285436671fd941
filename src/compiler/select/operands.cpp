// PTX operands as machine operands: registers, literals, special registers, addresses.
#include <bit>
#include <utility>

#include "compiler/select/machine_terms.hpp"
#include "compiler/select/selector.hpp"
#include "isa/address_space.hpp"
#include "isa/launch_constants.hpp"
#include "ptx/special_register.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;
using Kind = ptx::Operand::Kind;

bool Selector::isPredicate(u32 reg) const { return source_.registers[reg].type == ptx::Type::pred; }

u32 Selector::registerWordsOf(u32 reg) const { return isPredicate(reg) ? 0 : (ptx::sizeOf(source_.registers[reg].type) + 3) / 4; }

Operand Selector::temporary(DataType type) {
  const u32 words = isa::registerWords(type);
  return Operand::makeRegister(code_.newGroup(words, words));
}

Operand Selector::use(const ptx::Operand& source, DataType type) {
  if (type == DataType::pred) return usePredicate(source);
  switch (source.kind) {
    case Kind::reg:
      if (isPredicate(source.reg)) unsupported("a predicate cannot be read as a number");
      if (registerWordsOf(source.reg) < isa::registerWords(type)) unsupported("a register is narrower than the instruction's type");
      return Operand::makeRegister(firstWord(source.reg));
    case Kind::integer:
    case Kind::floating:
      return literal(source, type);
    case Kind::special:
      return readSpecial(source.special, type);
    case Kind::symbol:
      return addressOf(source, false, type);
    default:
      unsupported("this operand is not a single value");
  }
}

Operand Selector::useInRegister(const ptx::Operand& source, DataType type) {
  const Operand value = use(source, type);
  if (isRegister(value)) return value;
  const Operand result = temporary(type);
  compute(isa::Opcode::mov, bitsType(isa::registerWords(type) * 4), {result}, {value});
  return result;
}

Operand Selector::define(const ptx::Operand& destination, DataType type) {
  if (type == DataType::pred) return definePredicate(destination);
  if (destination.kind == Kind::discard) return temporary(type);
  if (destination.kind != Kind::reg) unsupported("the destination is not a register");
  if (isPredicate(destination.reg)) unsupported("a number cannot be written to a predicate");
  if (registerWordsOf(destination.reg) < isa::registerWords(type)) unsupported("the destination register is narrower than the result");
  return Operand::makeRegister(firstWord(destination.reg));
}

Operand Selector::usePredicate(const ptx::Operand& source) {
  if (source.kind == Kind::integer) return Operand::makePredicate(isa::kTruePredicate, (source.bits == 0) != source.negated);
  if (source.kind == Kind::special && source.special == ptx::SpecialRegister::is_explicit_cluster) {
    const Operand flag = readSpecial(source.special, DataType::u32), result = Operand::makePredicate(code_.newPredicate(), source.negated);
    compute(isa::Opcode::setp, DataType::u32, {Operand::makePredicate(result.index)}, {flag, Operand::makeImmediate(0)}).modifiers.compare =
        isa::Compare::ne;
    return result;
  }
  if (source.kind != Kind::reg || !isPredicate(source.reg)) unsupported("a predicate register is needed here");
  return Operand::makePredicate(firstWord(source.reg), source.negated);
}

Operand Selector::definePredicate(const ptx::Operand& destination) {
  if (destination.kind == Kind::discard) return Operand::makePredicate(code_.newPredicate());
  if (destination.kind != Kind::reg || !isPredicate(destination.reg)) unsupported("a predicate register is needed as destination");
  return Operand::makePredicate(firstWord(destination.reg));
}

namespace {

u64 floatBits(const ptx::Operand& source, DataType type) {
  const double value = source.floatIsSingle ? std::bit_cast<float>(static_cast<u32>(source.bits)) : std::bit_cast<double>(source.bits);
  if (type == DataType::f64) return source.floatIsSingle ? std::bit_cast<u64>(value) : source.bits;
  if (type == DataType::f32) return source.floatIsSingle ? source.bits : std::bit_cast<u32>(static_cast<float>(value));
  return source.bits;
}

// Cut to the type; narrow signed values are extended to a whole register as the machine keeps them.
u64 fit(u64 bits, DataType type) {
  switch (isa::sizeOf(type)) {
    case 1:
      return type == DataType::s8 ? static_cast<u32>(static_cast<s32>(static_cast<s8>(bits))) : static_cast<u8>(bits);
    case 2:
      return type == DataType::s16 ? static_cast<u32>(static_cast<s32>(static_cast<s16>(bits))) : static_cast<u16>(bits);
    case 4:
      return static_cast<u32>(bits);
    default:
      return bits;
  }
}

}  // namespace

Operand Selector::literal(const ptx::Operand& source, DataType type) const {
  const u64 bits = source.kind == Kind::floating ? floatBits(source, type) : source.bits;
  return Operand::makeImmediate(fit(bits, type));
}

Operand Selector::readSpecial(ptx::SpecialRegister special, DataType type) {
  using P = ptx::SpecialRegister;
  const isa::SpecialRegister machine = machineTerm(special);
  const bool wide = special == P::clock64 || special == P::globaltimer || special == P::gridid;
  const Operand result = temporary(wide || isa::sizeOf(type) == 8 ? DataType::u64 : DataType::u32);
  if (const auto offset = isa::launchConstantOffset(machine)) {
    compute(isa::Opcode::mov, DataType::u32, {result}, {Operand::makeParam(*offset)});
  } else {
    compute(isa::Opcode::s2r, wide ? DataType::u64 : DataType::u32, {result}, {}).modifiers.special = machine;
  }
  if (!wide && isa::sizeOf(type) == 8) copyWord(result.index + 1, Operand::makeImmediate(0));
  return result;
}

Operand Selector::frameBase() const { return source_.isKernel ? Operand{} : Operand::makeRegister(kStackWord); }

SymbolLocation Selector::locationOf(const ptx::SymbolRef& symbol) const {
  using K = ptx::SymbolKind;
  using Symbol = isa::SymbolAddress;
  switch (symbol.kind) {
    case K::module_variable: {
      const ptx::Variable& variable = module_.variables[symbol.index];
      if (variable.space == ptx::Space::shared) return {isa::Space::shared, static_cast<s64>(own_.sharedVariables.at(symbol.index))};
      if (variable.space == ptx::Space::local) return {isa::Space::local, static_cast<s64>(layout_.localVariables.at(symbol.index))};
      if (const auto constant = layout_.constantVariables.find(symbol.index); constant != layout_.constantVariables.end())
        return {isa::Space::constant, static_cast<s64>(constant->second)};
      const u32 index = layout_.programVariable[symbol.index];
      if (index == ptx::kNoIndex) unsupported("this variable has no address");
      return {spaceOf(variable.space), 0, false, false, Symbol{Symbol::Kind::variable, index, false, 0}};
    }
    case K::function_variable: {
      const ptx::Variable& variable = source_.variables[symbol.index];
      const s64 offset = static_cast<s64>(own_.variables[symbol.index]);
      if (variable.space == ptx::Space::shared) return {isa::Space::shared, offset};
      if (variable.space == ptx::Space::local) return {isa::Space::local, offset, !source_.isKernel};
      if (variable.space == ptx::Space::param) return {isa::Space::local, offset, !source_.isKernel, true};
      unsupported("only .local, .shared and .param variables may be declared in a body", "declare it at module scope");
    }
    case K::parameter: {
      const s64 offset = static_cast<s64>(own_.signature.parameters[symbol.index]);
      return source_.isKernel ? SymbolLocation{isa::Space::param, offset} : SymbolLocation{isa::Space::local, offset, true};
    }
    case K::return_parameter:
      return {isa::Space::local, static_cast<s64>(own_.signature.returns[symbol.index]), true};
    case K::function:
      return {isa::Space::generic, 0, false, false, Symbol{Symbol::Kind::function, definitionOf(module_, symbol.index), false, 0}};
    default:
      unsupported("this name has no address");
  }
}

namespace {

u64 windowOf(isa::Space space) {
  switch (space) {
    case isa::Space::shared:
      return isa::kSharedWindow;
    case isa::Space::local:
      return isa::kLocalWindow;
    case isa::Space::constant:
      return isa::kConstantWindow;
    case isa::Space::param:
      return isa::kParamWindow;
    default:
      return 0;
  }
}

}  // namespace

Operand Selector::addressOf(const ptx::Operand& symbol, bool generic, DataType type) {
  const Operand address = addressOf(symbol, generic);
  const u32 words = isa::registerWords(type);
  // The first word of a pair is all that a 32-bit register takes of it.
  if (words <= code_.addressWords()) return address;
  const Operand wide = temporary(type);
  compute(isa::Opcode::mov, DataType::u32, {wide}, {address});
  compute(isa::Opcode::mov, DataType::u32, {Operand::makeRegister(wide.index + 1)}, {Operand::makeImmediate(0)});
  return wide;
}

Operand Selector::addressOf(const ptx::Operand& symbol, bool generic) {
  const SymbolLocation location = locationOf(symbol.symbol);
  const DataType type = code_.addressType();
  const Operand result = temporary(type);
  const u64 window = generic && !location.symbol ? windowOf(location.space) : 0;
  const u64 displacement = static_cast<u64>(location.offset + symbol.displacement) + window;
  const Operand immediate = Operand::makeImmediate(fit(displacement, type));
  if (location.inFrame) {
    // Local memory is far smaller than 4 GiB: the sum fits in a word.
    compute(isa::Opcode::add, DataType::u32, {result}, {frameBase(), immediate}).addsFrame = location.addsFrame;
    if (type == DataType::u64)
      compute(isa::Opcode::mov, DataType::u32, {Operand::makeRegister(result.index + 1)}, {Operand::makeImmediate(0)});
    return result;
  }
  MachineInstruction& move = compute(isa::Opcode::mov, type, {result}, {immediate});
  move.addsFrame = location.addsFrame;
  if (!location.symbol) return result;
  move.symbol = OperandSymbol{0, *location.symbol};
  move.symbol->address.generic = generic;
  move.symbol->address.addend = symbol.displacement;
  return result;
}

Address Selector::addressOperand(const ptx::Operand& source, isa::Space space) {
  if (source.kind != Kind::address && source.kind != Kind::symbol) unsupported("an address is needed here");
  Address address;
  address.space = space;
  address.offset = source.displacement;
  if (source.symbol.kind != ptx::SymbolKind::none) {
    const SymbolLocation location = locationOf(source.symbol);
    const bool generic = space == isa::Space::generic;
    // A parameter of a device function and of a call sequence lies in a frame: the local space.
    if (!generic || !location.symbol) address.space = location.space;
    if (location.symbol) {
      address.symbol = *location.symbol;
      address.symbol->generic = generic;
      address.symbol->addend = source.displacement;
    }
    address.offset += location.offset;
    address.addsFrame = location.addsFrame;
    if (location.inFrame) address.base = frameBase();
    return address;
  }
  // Inside a device function, a register that addresses the .param space points into the frame.
  if (space == isa::Space::param && !source_.isKernel) address.space = isa::Space::local;
  if (source.reg == ptx::kNoIndex) return address;
  if (isPredicate(source.reg)) unsupported("a predicate is no address");
  address.base = Operand::makeRegister(firstWord(source.reg));
  // The sum of a 32-bit register and an offset has 32 bits: nvcc writes [%r1+68] with -64 in %r1.
  address.isWord = registerWordsOf(source.reg) < code_.addressWords();
  return address;
}

// The same for what computes with the base: it has the width of addresses.
Address Selector::wideAddressOperand(const ptx::Operand& source, isa::Space space) {
  Address address = addressOperand(source, space);
  const bool isFrame = isRegister(address.base) && address.base.index == kStackWord;
  if (code_.addressBits == 32 || !(address.isWord || isFrame)) return address;
  const Operand wide = temporary(DataType::u64);
  const Operand offset = Operand::makeImmediate(static_cast<u32>(address.offset));
  compute(isa::Opcode::add, DataType::u32, {wide}, {address.base, offset}).addsFrame = std::exchange(address.addsFrame, false);
  compute(isa::Opcode::mov, DataType::u32, {Operand::makeRegister(wide.index + 1)}, {Operand::makeImmediate(0)});
  address.base = wide;
  address.offset = 0;
  address.isWord = false;
  return address;
}

void Selector::setAddress(MachineInstruction& instruction, const Address& address, u32 sourceIndex) const {
  instruction.sources[sourceIndex] = address.base;
  instruction.offset = address.offset;
  instruction.modifiers.space = address.space;
  instruction.modifiers.wordAddress = address.isWord;
  instruction.addsFrame = address.addsFrame;
  if (!address.symbol) return;
  instruction.symbol = OperandSymbol{isa::CodeRelocation::kOffsetOperand, *address.symbol};
  instruction.offset = 0;
}

}  // namespace warpwright::compiler
