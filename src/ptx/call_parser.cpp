// call{.uni} {(returns),} target {, (arguments)} {, prototype or target list};   (PTX ISA, "call")
#include "ptx/instruction_parser.hpp"
#include "ptx/operand_parser.hpp"

namespace warpwright::ptx {
namespace {

using Kind = Operand::Kind;

const Variable* paramVariable(const Context& context, const SymbolRef& symbol) {
  const Function& function = context.function->function();
  switch (symbol.kind) {
    case SymbolKind::function_variable:
      return &function.variables[symbol.index];
    case SymbolKind::parameter:
      return &function.parameters[symbol.index];
    case SymbolKind::return_parameter:
      return &function.returns[symbol.index];
    default:
      return nullptr;
  }
}

void checkSymbol(const Context& context, const ParsedOperand& parsed, const Variable* formal) {
  const Variable* actual = paramVariable(context, parsed.operand.symbol);
  if (parsed.isUnresolved || actual == nullptr || actual->space != Space::param || parsed.operand.displacement != 0)
    context.fail(parsed.token, Cursor::describe(parsed.token) + " is no variable of space .param",
                 "pass a register, a constant or a variable declared with .param");
  if (formal == nullptr || formal->unsized || formal->size == actual->size) return;
  context.fail(parsed.token, Cursor::describe(parsed.token) + " has " + std::to_string(actual->size) + " bytes where the callee has " +
                                 std::to_string(formal->size));
}

// One argument or return value; formal is null for an indirect call, whose prototype may come later.
Operand checkArgument(const Context& context, const ParsedOperand& parsed, const Variable* formal, bool isReturn) {
  Operand operand = parsed.operand;
  if (operand.kind == Kind::symbol) {
    checkSymbol(context, parsed, formal);
    return operand;
  }
  if (operand.kind == Kind::discard && isReturn) return operand;
  const bool isValue = operand.kind == Kind::reg || (parsed.constant && !isReturn);
  if (!isValue || operand.negated)
    context.fail(parsed.token, isReturn ? "a returned value must go to a register or .param variable"
                                        : "an argument must be a register, a constant or a .param variable");
  if (formal == nullptr) return operand;
  const bool isScalar = !formal->isArray && formal->vector == 1;
  if (operand.kind == Kind::reg && (!isScalar || !registerFits(formal->type, context.function->typeOf(operand.reg), false)))
    context.fail(parsed.token, "the register does not fit the callee's '" + formal->name + "' of type ." + std::string(name(formal->type)));
  if (operand.kind == Kind::reg) return operand;
  const std::optional<u64> bits = bitsAs(*parsed.constant, formal->type);
  if (!bits || !isScalar) context.fail(parsed.token, "the constant does not fit the callee's '" + formal->name + "'");
  operand.bits = *bits;
  operand.floatIsSingle = operand.kind == Kind::floating && sizeOf(formal->type) == 4;
  return operand;
}

Operand checkGroup(const Context& context, const ParsedOperand& group, const std::vector<Variable>* formals, bool isReturn) {
  Operand result = group.operand;
  result.kind = Kind::group;
  if (formals != nullptr && formals->size() != group.elements.size()) {
    context.fail(group.token, "the callee has " + std::to_string(formals->size()) + (isReturn ? " return value(s)" : " parameter(s)") +
                                  ", the call gives " + std::to_string(group.elements.size()));
  }
  for (std::size_t i = 0; i < group.elements.size(); ++i)
    result.elements.push_back(checkArgument(context, group.elements[i], formals == nullptr ? nullptr : &(*formals)[i], isReturn));
  return result;
}

// The callee of a direct call, null for a call through a register.
const Function* calleeOf(const Context& context, const ParsedOperand& target) {
  const Operand& operand = target.operand;
  if (operand.kind == Kind::symbol && operand.symbol.kind == SymbolKind::function && operand.displacement == 0)
    return &context.module.functions[operand.symbol.index];
  if (operand.kind == Kind::symbol)
    context.fail(target.token, "the function " + Cursor::describe(target.token) + " is not declared",
                 "declare it with .extern .func before the call");
  const Type type = operand.kind == Kind::reg ? context.function->typeOf(operand.reg) : Type::none;
  if (operand.negated || isFloat(type) || sizeOf(type) < 4)
    context.fail(target.token, "a call goes to a function or to an integer register of 32 or 64 bits");
  return nullptr;
}

struct CallParts {
  ParsedOperand returns, target, arguments;
  std::optional<Token> prototype;
};

CallParts parseParts(Context& context) {
  Cursor& cursor = context.cursor;
  CallParts parts;
  parts.returns.token = cursor.peek();
  if (cursor.at("(")) {
    parts.returns = parseGroup(context);
    cursor.expect(",", "after the return values of a call");
  }
  parts.target = parseOperand(context);
  parts.arguments.token = cursor.peek();
  if (cursor.at(";")) return parts;
  cursor.expect(",", "after the target of a call");
  if (cursor.at("(")) {
    parts.arguments = parseGroup(context);
    if (!cursor.accept(",")) return parts;
  }
  parts.prototype = cursor.expectName("the name of a prototype or target list");
  return parts;
}

}  // namespace

void parseCallOperands(Context& context, Instruction& instruction) {
  const CallParts parts = parseParts(context);
  const Function* callee = calleeOf(context, parts.target);
  if (callee != nullptr && callee->isKernel) context.fail(parts.target.token, "a kernel cannot be called");
  instruction.operands.push_back(checkGroup(context, parts.returns, callee == nullptr ? nullptr : &callee->returns, true));
  instruction.operands.push_back(parts.target.operand);
  instruction.operands.push_back(checkGroup(context, parts.arguments, callee == nullptr ? nullptr : &callee->parameters, false));
  instruction.operands.emplace_back();
  if (callee != nullptr && parts.prototype) context.fail(*parts.prototype, "a direct call takes no prototype");
  if (callee != nullptr) return;
  if (!parts.prototype)
    context.fail(parts.target.token, "an indirect call needs a prototype or a target list",
                 "declare one with .callprototype and name it last");
  instruction.operands.back().kind = Kind::symbol;
  const u32 position = static_cast<u32>(context.function->function().body.size());
  context.function->referToLabel(*parts.prototype, position, 3, SymbolKind::call_prototype, SymbolKind::call_targets);
}

}  // namespace warpwright::ptx
