#include "ptx/operand_parser.hpp"

#include <limits>

#include "ptx/special_register.hpp"

namespace warpwright::ptx {
namespace {

constexpr std::size_t kMostElements = 128;       // of a vector
constexpr std::size_t kMostOperands = 16;        // of an instruction other than call
constexpr std::size_t kMostArguments = 1 << 14;  // of a call

class OperandParser {
 public:
  explicit OperandParser(Context& context) : context_(context), cursor_(context.cursor) {}

  ParsedOperand operand() {
    ParsedOperand result = start();
    if (cursor_.at("{")) {
      list(result, Operand::Kind::vector, "{", "}", kMostElements);
      if (cursor_.accept("|")) result.second = secondDestination();
      return result;
    }
    if (cursor_.at("[")) return address(result);
    scalar(result);
    if (cursor_.accept("|")) result.second = secondDestination();
    return result;
  }

  // "(a, b)" of a call
  ParsedOperand group() {
    ParsedOperand result = start();
    return list(result, Operand::Kind::group, "(", ")", kMostArguments);
  }

 private:
  ParsedOperand start() const {
    ParsedOperand result;
    result.token = cursor_.peek();
    result.operand.line = result.token.line;
    result.operand.column = result.token.column;
    return result;
  }

  ParsedOperand& list(ParsedOperand& result, Operand::Kind kind, std::string_view open, std::string_view close, std::size_t most) {
    result.operand.kind = kind;
    cursor_.expect(open, "at the beginning of a list");
    if (cursor_.accept(close)) return result;
    do {
      if (result.elements.size() == most) context_.fail(cursor_.peek(), "a list of more than " + std::to_string(most) + " operands");
      ParsedOperand element = start();
      scalar(element);
      result.elements.push_back(std::move(element));
    } while (cursor_.accept(","));
    cursor_.expect(close, "after a list of operands");
    return result;
  }

  // A register, constant, special register, symbol or "_".
  void scalar(ParsedOperand& result) {
    Operand& operand = result.operand;
    if (cursor_.at("_")) {
      cursor_.next();
      operand.kind = Operand::Kind::discard;
    } else if (startsConstant(cursor_)) {
      constant(result);
    } else if (cursor_.at("!")) {
      cursor_.next();
      operand.negated = true;
      named(result);
    } else {
      named(result);
    }
  }

  void constant(ParsedOperand& result) {
    result.constant = parseConstant(cursor_);
    result.operand.kind = result.constant->isFloat() ? Operand::Kind::floating : Operand::Kind::integer;
    result.operand.floatIsSingle = result.constant->isSingle;
    result.operand.bits = result.constant->bits;
  }

  void named(ParsedOperand& result) {
    const Token token = cursor_.peek();
    if (token.kind != Token::Kind::word) context_.fail(token, "expected an operand, found " + Cursor::describe(token));
    cursor_.next();
    Operand& operand = result.operand;
    if (const auto found = context_.find(token.text)) {
      if (found->kind == Name::Kind::reg) {
        operand.kind = Operand::Kind::reg;
        operand.reg = found->reg;
        return;
      }
      operand.kind = Operand::Kind::symbol;
      operand.symbol = found->symbol;
      operand.displacement = displacement();
      return;
    }
    if (const std::size_t dot = token.text.rfind('.'); dot != std::string_view::npos && isSelector(token.text.substr(dot + 1))) {
      const auto whole = context_.find(token.text.substr(0, dot));
      if (whole && whole->kind == Name::Kind::reg) {
        operand.kind = Operand::Kind::reg;
        operand.reg = whole->reg;
        operand.selector = token.text.substr(dot + 1);
        return;
      }
    }
    if (const auto special = specialRegisterNamed(token.text)) {
      operand.kind = Operand::Kind::special;
      operand.special = *special;
      return;
    }
    if (token.text[0] == '%') undeclared(token);
    operand.kind = Operand::Kind::symbol;
    operand.symbol.kind = SymbolKind::label;
    result.isUnresolved = true;
  }

  // "b0" … "b3", "h0", "h1", and several digits for packed parts.
  static bool isSelector(std::string_view text) {
    if (text.size() < 2 || text.size() > 5 || (text[0] != 'b' && text[0] != 'h')) return false;
    return text.find_first_not_of("01234567", 1) == std::string_view::npos;
  }

  [[noreturn]] void undeclared(const Token& token) const {
    for (const std::string_view special : {"%current_graph_exec"})
      if (token.text.starts_with(special)) context_.fail(token, "the special register " + Cursor::describe(token) + " is not supported");
    const std::string near = context_.function->nearest(token.text);
    context_.fail(token, "the register " + Cursor::describe(token) + " is not declared",
                  near.empty() ? "declare it with .reg" : "declare it with .reg; did you mean '" + near + "'?");
  }

  // "+4", "-8+2", "+-4": the sign begins a constant expression.
  s64 displacement() {
    if (!cursor_.at("+") && !cursor_.at("-")) return 0;
    return parseDisplacement(cursor_);
  }

  ParsedOperand& address(ParsedOperand& result) {
    cursor_.expect("[", "before an address");
    Operand& operand = result.operand;
    operand.kind = Operand::Kind::address;
    if (startsConstant(cursor_)) {
      const Token token = cursor_.peek();
      const Constant value = parseConstant(cursor_);
      if (value.isFloat()) context_.fail(token, "an address must be an integer");
      operand.displacement = static_cast<s64>(value.bits);
    } else {
      addressBase(operand);
    }
    if (cursor_.accept(",")) coordinates(result);
    cursor_.expect("]", "after an address");
    return result;
  }

  // ", {x, y}" of a texture or surface, also ", x" where there is one.
  void coordinates(ParsedOperand& result) {
    if (cursor_.at("{")) {
      const Operand base = result.operand;
      list(result, Operand::Kind::vector, "{", "}", kMostElements);
      result.operand = base;
      return;
    }
    ParsedOperand element = start();
    scalar(element);
    if (cursor_.at(","))
      context_.fail(element.token, "samplers apart from the texture are not supported",
                    "use the unified mode: [texture, {coordinates}], whose modes the host program sets");
    result.elements.push_back(std::move(element));
  }

  void addressBase(Operand& operand) {
    ParsedOperand base = start();
    named(base);
    if (base.isUnresolved) context_.fail(base.token, Cursor::describe(base.token) + " is not declared");
    if (base.operand.kind == Operand::Kind::special) context_.fail(base.token, "a special register cannot be an address");
    if (base.operand.kind == Operand::Kind::reg) {
      operand.reg = base.operand.reg;
      operand.displacement = displacement();
      return;
    }
    operand.symbol = base.operand.symbol;
    operand.displacement = base.operand.displacement;
  }

  Operand secondDestination() {
    ParsedOperand second = start();
    scalar(second);
    const bool predicate = second.operand.kind == Operand::Kind::reg && context_.function->typeOf(second.operand.reg) == Type::pred;
    if (second.operand.kind != Operand::Kind::discard && (!predicate || second.operand.negated))
      context_.fail(second.token, "the second destination must be a predicate register");
    return second.operand;
  }

  Context& context_;
  Cursor& cursor_;
};

}  // namespace

ParsedOperand parseOperand(Context& context) { return OperandParser(context).operand(); }
ParsedOperand parseGroup(Context& context) { return OperandParser(context).group(); }

std::vector<ParsedOperand> parseOperands(Context& context) {
  std::vector<ParsedOperand> result;
  if (context.cursor.at(";") || context.cursor.at("}")) return result;
  do {
    if (result.size() == kMostOperands) context.fail(context.cursor.peek(), "an instruction with more than 16 operands");
    result.push_back(parseOperand(context));
  } while (context.cursor.accept(","));
  return result;
}

}  // namespace warpwright::ptx
