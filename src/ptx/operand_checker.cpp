#include "ptx/operand_checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "ptx/special_register.hpp"

namespace warpwright::ptx {
namespace {

using Class = OperandPattern::Class;
using Kind = Operand::Kind;

// Empty: right. Otherwise what is wrong.
using Verdict = std::string;

Type wideOf(Type type) {
  switch (type) {
    case Type::u16:
      return Type::u32;
    case Type::s16:
      return Type::s32;
    case Type::u32:
      return Type::u64;
    case Type::s32:
      return Type::s64;
    default:
      return Type::none;
  }
}

std::string dotted(Type type) { return fmt::format(".{}", name(type)); }

class Checker {
 public:
  Checker(const Context& context, const Match& match, const OperandPattern& pattern)
      : context_(context), match_(match), pattern_(pattern) {}

  Verdict check(const ParsedOperand& parsed, Operand& operand) const {
    operand = parsed.operand;
    if (!operand.selector.empty() && match_.modifiers.second == Type::none) return "parts of registers are for video instructions";
    const Type type = typeOf(pattern_);
    if (parsed.second && !pattern_.secondPredicate) return "there is no second destination '|' in this form";
    if (!parsed.second && pattern_.needsSecond) return "a predicate must follow the destination: d|p";
    if (parsed.isUnresolved && pattern_.kind != Class::label && pattern_.kind != Class::labelList) return notDeclared(parsed);
    switch (pattern_.kind) {
      case Class::value:
        return value(type, false, parsed, operand);
      case Class::destination:
        return destination(type, parsed);
      case Class::address:
        return address(parsed, match_.modifiers.space);
      case Class::anyAddress:
        return address(parsed, Space::generic);
      case Class::fragmentTo:
        return fragment(type, true, parsed, operand);
      case Class::fragmentFrom:
        return fragment(type, false, parsed, operand);
      case Class::accumulators:
        return accumulators(type, parsed, operand);
      case Class::texel:
        return texel(parsed, operand);
      case Class::tensor:
        return tensor(parsed, operand);
      case Class::gradient:
        return gradient(type, parsed, operand);
      case Class::vectorTo:
        return vector(type, true, parsed, operand);
      case Class::vectorFrom:
        return vector(type, false, parsed, operand);
      case Class::unpack:
        return pack(type, true, parsed, operand);
      case Class::pack:
        return pack(type, false, parsed, operand);
      case Class::moved:
        return moved(type, parsed, operand);
      case Class::pointer:
        return pointer(parsed);
      case Class::converted:
        return converted(type, parsed, operand);
      case Class::byteLiteral:
        return byteLiteral(parsed);
      case Class::bit:
        return oneOf(parsed, {0, 1}, "the constant 0 or 1 must stand here");
      case Class::sign:
        return oneOf(parsed, {1, -1}, "the constant 1 or -1 must stand here");
      case Class::constant:
        return parsed.constant && !parsed.constant->isFloat() ? Verdict() : "an integer constant must stand here";
      case Class::part:
        return value(match_.modifiers.type == Type::s32 ? Type::s32 : Type::u32, false, parsed, operand);
      case Class::policy:
        return match_.modifiers.cacheHint ? value(Type::b64, false, parsed, operand) : "a cache policy needs .L2::cache_hint";
      case Class::label:
      case Class::labelList:
        return parsed.isUnresolved ? Verdict() : "a label must stand here";
    }
    return {};
  }

 private:
  Type typeOf(const OperandPattern& pattern) const {
    switch (pattern.typeOf) {
      case OperandPattern::TypeOf::fixed:
        return pattern.fixed;
      case OperandPattern::TypeOf::instruction:
        return match_.modifiers.type;
      case OperandPattern::TypeOf::source:
        return match_.modifiers.source;
      case OperandPattern::TypeOf::wide:
        return wideOf(match_.modifiers.type);
      case OperandPattern::TypeOf::none:
        break;
    }
    return Type::none;
  }

  Verdict notDeclared(const ParsedOperand& parsed) const { return Cursor::describe(parsed.token) + " is not declared"; }

  Verdict registerOf(Type type, const Operand& operand) const {
    const Register& reg = context_.function->function().registers[operand.reg];
    if (operand.negated && reg.type != Type::pred) return "'!' is for predicates only";
    if (registerFits(type, reg.type, pattern_.relaxed)) return {};
    return "the register '" + reg.name + "' is " + dotted(reg.type) + " where " + dotted(type) + " is needed";
  }

  Verdict literal(Type type, const ParsedOperand& parsed, Operand& operand) const {
    const std::optional<u64> bits = bitsAs(*parsed.constant, type);
    if (!bits) return Cursor::describe(parsed.token) + " is no constant of type " + dotted(type);
    operand.bits = *bits;
    operand.floatIsSingle = operand.kind == Kind::floating && sizeOf(type) == 4;
    return {};
  }

  Verdict value(Type type, bool isVectorElement, const ParsedOperand& parsed, Operand& operand) const {
    if (parsed.constant) return literal(type, parsed, operand);
    if (operand.kind == Kind::reg) return registerOf(type, operand);
    if (operand.kind == Kind::discard && isVectorElement) return {};
    if (operand.kind == Kind::special) return "a special register can be read by mov and cvt only";
    if (operand.kind == Kind::symbol) return "the address of a variable must be moved to a register first";
    return "a register or a constant must stand here";
  }

  Verdict destination(Type type, const ParsedOperand& parsed) const {
    const Operand& operand = parsed.operand;
    if (operand.kind == Kind::discard) return pattern_.discardable ? Verdict() : "the result cannot be discarded with '_' here";
    if (operand.kind != Kind::reg || operand.negated) return "the destination must be a register";
    return registerOf(type, operand);
  }

  bool isPointerRegister(u32 reg) const {
    const Type type = context_.function->typeOf(reg);
    return !isFloat(type) && sizeOf(type) >= 4 && sizeOf(type) <= 8;
  }

  Verdict address(const ParsedOperand& parsed, Space wanted) const {
    const Operand& operand = parsed.operand;
    if (operand.kind != Kind::address) return "an address in [ ] must stand here";
    if (!parsed.elements.empty()) return "coordinates are for textures and surfaces only";
    if (operand.reg != kNoIndex && !isPointerRegister(operand.reg)) return "an address register must be an integer of 32 or 64 bits";
    if (operand.symbol.kind == SymbolKind::none) return {};
    const std::optional<Space> space = spaceOf(operand.symbol);
    if (!space) return "a function has no contents to load or store";
    if (wanted == Space::generic || wanted == *space) return {};
    return "the variable lies in space ." + std::string(name(*space)) + ", not ." + std::string(name(wanted));
  }

  // Coordinates that a shape needs, an array's index included. PTX pads three of them to four.
  static u32 coordinatesOf(Geometry geometry) {
    switch (geometry) {
      case Geometry::d1:
        return 1;
      case Geometry::d2:
      case Geometry::a1d:
        return 2;
      case Geometry::acube:
        return 4;
      default:
        return 3;
    }
  }

  Verdict texel(const ParsedOperand& parsed, Operand& operand) const {
    if (operand.kind != Kind::address || parsed.elements.empty()) return "[texture or surface, {coordinates}] must stand here";
    const bool symbolic = operand.symbol.kind == SymbolKind::module_variable && context_.module.variables[operand.symbol.index].isReference;
    const bool handle = operand.reg != kNoIndex && sizeOf(context_.function->typeOf(operand.reg)) == 8;
    if ((!symbolic && !handle) || operand.displacement != 0) return "a texture or surface is a .texref or .surfref, or a 64-bit register";
    const Geometry geometry = match_.modifiers.geometry;
    const u32 needed = coordinatesOf(geometry);
    if (parsed.elements.size() < needed || parsed.elements.size() > (needed == 3 ? 4 : needed))
      return "this shape takes " + std::to_string(needed == 3 ? 4 : needed) + " coordinates";
    const bool indexed = geometry == Geometry::a1d || geometry == Geometry::a2d || geometry == Geometry::acube;
    const Type coordinate = match_.modifiers.source == Type::none ? Type::s32 : match_.modifiers.source;
    for (std::size_t i = 0; i < parsed.elements.size(); ++i) {
      Operand checked = parsed.elements[i].operand;
      if (parsed.elements[i].isUnresolved) return notDeclared(parsed.elements[i]);
      if (Verdict verdict = value(indexed && i == 0 ? Type::s32 : coordinate, false, parsed.elements[i], checked); !verdict.empty())
        return verdict;
      if (i < needed) operand.elements.push_back(std::move(checked));
    }
    return {};
  }

  // A tensor map is a variable or parameter, or lies where a register points.
  Verdict tensor(const ParsedOperand& parsed, Operand& operand) const {
    if (operand.kind != Kind::address || parsed.elements.empty()) return "[tensor map, {coordinates}] must stand here";
    if (operand.reg != kNoIndex && !isPointerRegister(operand.reg)) return "an address register must be an integer of 32 or 64 bits";
    const u32 needed = match_.modifiers.dimensions;
    if (parsed.elements.size() != needed)
      return fmt::format("a tensor of {} dimension{} takes as many coordinates", needed, needed == 1 ? "" : "s");
    return elements(Type::s32, false, parsed, operand);
  }

  // Gradients choose a level, of which there is one: only their form is checked.
  Verdict gradient(Type type, const ParsedOperand& parsed, Operand& operand) const {
    if (operand.kind != Kind::vector) return value(type, false, parsed, operand);
    return elements(type, false, parsed, operand);
  }

  std::optional<Space> spaceOf(const SymbolRef& symbol) const {
    const Function& function = context_.function->function();
    switch (symbol.kind) {
      case SymbolKind::module_variable:
        return context_.module.variables[symbol.index].space;
      case SymbolKind::function_variable:
        return function.variables[symbol.index].space;
      case SymbolKind::parameter:
      case SymbolKind::return_parameter:
        return Space::param;
      default:
        return std::nullopt;
    }
  }

  Verdict vector(Type type, bool isDestination, const ParsedOperand& parsed, Operand& operand) const {
    if (operand.kind != Kind::vector) return "a vector in { } must stand here";
    const u32 wanted = match_.modifiers.vector;
    if (parsed.elements.size() != wanted) return "a vector of " + std::to_string(wanted) + " elements must stand here";
    // 32 bytes: ld and st of sm_100 in global memory.
    const bool wide = match_.modifiers.space == Space::global && match_.row->operands.size() <= 3;
    if (wanted * sizeOf(type) > (wide ? 32 : 16)) return "a vector access moves at most 16 bytes, in global memory 32";
    return elements(type, isDestination, parsed, operand);
  }

  // The registers of a matrix fragment, always as a vector.
  Verdict fragment(Type type, bool isDestination, const ParsedOperand& parsed, Operand& operand) const {
    if (operand.kind != Kind::vector) {
      if (pattern_.count != 1) return "a vector of " + std::to_string(pattern_.count) + " registers must stand here";
      ParsedOperand wrapped = parsed;
      wrapped.elements = {parsed};
      operand = {};
      operand.kind = Kind::vector;
      return elements(type, isDestination, wrapped, operand);
    }
    if (parsed.elements.size() != pattern_.count)
      return "a vector of " + std::to_string(pattern_.count) + " registers must stand here, not of " +
             std::to_string(parsed.elements.size());
    return elements(type, isDestination, parsed, operand);
  }

  Verdict accumulators(Type type, const ParsedOperand& parsed, Operand& operand) const {
    const u32 count = match_.modifiers.matrix.n / pattern_.columnsEach;
    if (operand.kind != Kind::vector || parsed.elements.size() != count)
      return "a vector of " + std::to_string(count) + " registers must stand here";
    for (const ParsedOperand& element : parsed.elements)
      if (!element.isUnresolved && element.operand.kind != Kind::reg) return "every element must be a register, which is read and written";
    return elements(type, true, parsed, operand);
  }

  // mov between one register and the registers that make it up.
  Verdict pack(Type type, bool isDestination, const ParsedOperand& parsed, Operand& operand) const {
    if (operand.kind != Kind::vector) return "a vector in { } must stand here";
    const std::size_t count = parsed.elements.size();
    if (count != 2 && count != 4) return "mov takes vectors of 2 or 4 elements";
    const Type element = untyped(sizeOf(type) / static_cast<u32>(count));
    if (element == Type::none) return dotted(type) + " cannot be split in " + std::to_string(count);
    return elements(element, isDestination, parsed, operand);
  }

  static Type untyped(u32 size) {
    if (size == 1) return Type::b8;
    if (size == 2) return Type::b16;
    if (size == 4) return Type::b32;
    return size == 8 ? Type::b64 : Type::none;
  }

  Verdict elements(Type type, bool isDestination, const ParsedOperand& parsed, Operand& operand) const {
    for (const ParsedOperand& element : parsed.elements) {
      Operand checked = element.operand;
      if (element.isUnresolved) return notDeclared(element);
      if (isDestination && checked.kind != Kind::reg && checked.kind != Kind::discard) return "every element must be a register or '_'";
      if (!isDestination && checked.kind == Kind::discard) return "'_' gives no value";
      if (Verdict verdict = value(type, true, element, checked); !verdict.empty()) return verdict;
      operand.elements.push_back(std::move(checked));
    }
    return {};
  }

  Verdict moved(Type type, const ParsedOperand& parsed, Operand& operand) const {
    if (operand.kind == Kind::special) return special(type, operand);
    if (operand.kind == Kind::symbol) return symbolAddress(type, operand);
    return value(type, false, parsed, operand);
  }

  // Registers of 32 bits were 16 bits wide in early PTX, and reading them as such still works.
  Verdict special(Type type, const Operand& operand) const {
    const Type own = ptx::typeOf(operand.special);
    const bool narrow = own == Type::u32 && sizeOf(type) == 2 && !isFloat(type);
    if (registerFits(type, own, pattern_.relaxed) || narrow) return {};
    return "the special register is " + dotted(own) + " where " + dotted(type) + " is needed";
  }

  Verdict symbolAddress(Type type, const Operand& operand) const {
    if (operand.negated) return "'!' is for predicates only";
    if (isFloat(type) || (sizeOf(type) != 4 && sizeOf(type) != 8)) return "an address needs an integer of 32 or 64 bits";
    return {};
  }

  Verdict pointer(const ParsedOperand& parsed) const {
    const Operand& operand = parsed.operand;
    if (operand.kind == Kind::symbol || operand.kind == Kind::integer) return {};
    if (operand.kind != Kind::reg || !isPointerRegister(operand.reg)) return "a pointer of 32 or 64 bits must stand here";
    const Type type = match_.modifiers.type;
    return type == Type::none ? Verdict() : registerOf(type, operand);
  }

  Verdict converted(Type type, const ParsedOperand& parsed, Operand& operand) const {
    if (operand.kind == Kind::special) return special(type, operand);
    return value(type, false, parsed, operand);
  }

  static Verdict byteLiteral(const ParsedOperand& parsed) {
    const bool fits = parsed.constant && !parsed.constant->isFloat() && parsed.constant->bits <= 255;
    return fits ? Verdict() : "a constant from 0 to 255 must stand here";
  }

  static Verdict oneOf(const ParsedOperand& parsed, std::initializer_list<s64> values, const char* otherwise) {
    const bool isThere = parsed.constant && !parsed.constant->isFloat() &&
                         std::find(values.begin(), values.end(), static_cast<s64>(parsed.constant->bits)) != values.end();
    return isThere ? Verdict() : otherwise;
  }

  const Context& context_;
  const Match& match_;
  const OperandPattern& pattern_;
};

bool takesVector(const OperandPattern& pattern) {
  return pattern.kind == Class::vectorTo || pattern.kind == Class::vectorFrom || pattern.kind == Class::fragmentTo ||
         pattern.kind == Class::fragmentFrom || pattern.kind == Class::accumulators || pattern.kind == Class::gradient ||
         pattern.kind == Class::unpack || pattern.kind == Class::pack;
}

// ptxas takes braces around the one value of a scalar load, store or mov, and Triton writes them.
const ParsedOperand& withoutBraces(Opcode opcode, const OperandPattern& pattern, const ParsedOperand& parsed) {
  const bool mayHave = opcode == Opcode::ld || opcode == Opcode::ldu || opcode == Opcode::st || opcode == Opcode::mov;
  const bool hasOne = parsed.operand.kind == Kind::vector && parsed.elements.size() == 1 && !parsed.second;
  return mayHave && hasOne && !takesVector(pattern) ? parsed.elements.front() : parsed;
}

std::string countMessage(const Row& row, std::size_t given) {
  const std::size_t most = row.operands.size();
  const std::size_t least = most - static_cast<std::size_t>(std::count_if(row.operands.begin(), row.operands.end(),
                                                                          [](const OperandPattern& pattern) { return pattern.optional; }));
  const std::string wanted = least == most ? std::to_string(most) : std::to_string(least) + " or " + std::to_string(most);
  return "the instruction takes " + wanted + " operand" + (wanted == "1" ? "" : "s") + ", not " + std::to_string(given);
}

}  // namespace

std::optional<Mismatch> checkOperands(const Context& context, const Match& match, const std::vector<ParsedOperand>& parsed,
                                      Instruction& instruction) {
  const Row& row = *match.row;
  const Token& end = context.cursor.peek();
  if (parsed.size() > row.operands.size()) return Mismatch{0, end, countMessage(row, parsed.size())};
  std::size_t absent = row.operands.size() - parsed.size();
  std::size_t used = 0;
  instruction.operands.clear();
  for (const OperandPattern& pattern : row.operands) {
    Operand operand;
    if (pattern.optional && absent > 0) {
      if (pattern.kind == Class::policy && match.modifiers.cacheHint)
        return Mismatch{2 * used + 1, end, ".L2::cache_hint needs a cache policy as its last operand"};
      --absent;
    } else {
      if (used == parsed.size()) return Mismatch{0, end, countMessage(row, parsed.size())};
      Verdict verdict = Checker(context, match, pattern).check(withoutBraces(row.opcode, pattern, parsed[used]), operand);
      // An operand of the right shape (vector or not) is nearer to the form than one of the other.
      const bool shape = takesVector(pattern) == (parsed[used].operand.kind == Kind::vector);
      if (!verdict.empty()) return Mismatch{2 * used + (shape ? 2 : 1), parsed[used].token, std::move(verdict)};
      if (parsed[used].second) instruction.secondDestination = *parsed[used].second;
      ++used;
    }
    instruction.operands.push_back(std::move(operand));
  }
  return std::nullopt;
}

}  // namespace warpwright::ptx
