#include "ptx/constant.hpp"

#include <bit>
#include <charconv>
#include <limits>

namespace warpwright::ptx {
namespace {

constexpr u32 kDeepest = 64;
// WARP_SZ is fixed at 32 by PTX whatever the machine.
constexpr u64 kWarpSize = 32;

struct Operator {
  std::string_view text;
  u32 precedence;  // higher binds tighter
};
constexpr Operator kOperators[] = {
    {"*", 10}, {"/", 10}, {"%", 10}, {"+", 9},  {"-", 9}, {"<<", 8}, {">>", 8}, {"<", 7},  {"<=", 7},
    {">", 7},  {">=", 7}, {"==", 6}, {"!=", 6}, {"&", 5}, {"^", 4},  {"|", 3},  {"&&", 2}, {"||", 1},
};

u32 precedenceOf(const Token& token) {
  if (token.kind != Token::Kind::symbol) return 0;
  for (const Operator& entry : kOperators)
    if (entry.text == token.text) return entry.precedence;
  return 0;
}

Constant makeInteger(u64 bits, bool isUnsigned) { return {isUnsigned ? Constant::Kind::unsigned_ : Constant::Kind::signed_, false, bits}; }
Constant makeDouble(double value) { return {Constant::Kind::floating, false, std::bit_cast<u64>(value)}; }

class Expression {
 public:
  explicit Expression(Cursor& cursor) : cursor_(cursor) {}

  Constant run() { return conditional(); }

 private:
  struct Nesting {
    Nesting(Expression& expression) : depth(expression.depth_) {
      if (++depth > kDeepest) expression.cursor_.fail(expression.cursor_.peek(), "a constant expression nested deeper than 64 levels");
    }
    ~Nesting() { --depth; }
    u32& depth;
  };

  Constant conditional() {
    const Nesting nesting(*this);
    const Constant condition = binary(1);
    if (!cursor_.at("?")) return condition;
    const Token question = cursor_.next();
    const Constant yes = conditional();
    cursor_.expect(":", "in a conditional expression");
    const Constant no = conditional();
    return truth(condition, question) ? yes : no;
  }

  Constant binary(u32 lowest) {
    Constant left = unary();
    for (;;) {
      const u32 precedence = precedenceOf(cursor_.peek());
      if (precedence < lowest || precedence == 0) return left;
      const Token op = cursor_.next();
      const Constant right = binary(precedence + 1);
      left = apply(op, left, right);
    }
  }

  Constant unary() {
    const Nesting nesting(*this);
    const Token token = cursor_.peek();
    if (cursor_.accept("+")) return unary();
    if (cursor_.accept("-")) return negate(unary());
    if (cursor_.accept("~")) {
      const Constant operand = integerOnly(unary(), token);
      return makeInteger(~operand.bits, operand.kind == Constant::Kind::unsigned_);
    }
    if (cursor_.accept("!")) return makeInteger(truth(unary(), token) ? 0 : 1, false);
    if (token.is("(")) return parenthesized();
    return literal();
  }

  static Constant negate(Constant operand) {
    if (operand.isSingle) return {Constant::Kind::floating, true, operand.bits ^ 0x8000'0000u};
    if (operand.isFloat()) return makeDouble(-operand.asDouble());
    return makeInteger(u64{0} - operand.bits, operand.kind == Constant::Kind::unsigned_);
  }

  // "( expression )" or a cast "(.s64) operand".
  Constant parenthesized() {
    cursor_.expect("(", "in a constant expression");
    const bool toSigned = cursor_.at(".s64");
    if (toSigned || cursor_.at(".u64")) {
      const Token cast = cursor_.next();
      cursor_.expect(")", "after a cast");
      return makeInteger(integerOnly(unary(), cast).bits, !toSigned);
    }
    const Constant inner = conditional();
    cursor_.expect(")", "in a constant expression");
    return inner;
  }

  Constant literal() {
    const Token token = cursor_.peek();
    if (token.is("WARP_SZ")) {
      cursor_.next();
      return makeInteger(kWarpSize, false);
    }
    if (token.kind == Token::Kind::integer) {
      cursor_.next();
      return integerLiteral(token);
    }
    if (token.kind == Token::Kind::floating) {
      cursor_.next();
      return floatLiteral(token);
    }
    cursor_.fail(token, "expected a constant, found " + Cursor::describe(token));
  }

  Constant integerLiteral(const Token& token) const {
    std::string_view digits = token.text;
    bool isUnsigned = digits.ends_with('U') || digits.ends_with('u');
    if (isUnsigned) digits.remove_suffix(1);
    int base = 10;
    if (digits.starts_with("0x") || digits.starts_with("0X")) base = 16;
    if (digits.starts_with("0b") || digits.starts_with("0B")) base = 2;
    if (base != 10) digits.remove_prefix(2);
    if (base == 10 && digits.size() > 1 && digits[0] == '0') base = 8;
    u64 value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error == std::errc::result_out_of_range) cursor_.fail(token, "the integer " + Cursor::describe(token) + " does not fit 64 bits");
    if (error != std::errc{} || end != digits.data() + digits.size())
      cursor_.fail(token, "a malformed integer: " + Cursor::describe(token));
    return makeInteger(value, isUnsigned || value > static_cast<u64>(std::numeric_limits<s64>::max()));
  }

  Constant floatLiteral(const Token& token) const {
    const std::string_view text = token.text;
    const bool bits = text.size() > 1 && text[0] == '0' && (text[1] == 'f' || text[1] == 'F' || text[1] == 'd' || text[1] == 'D');
    if (!bits) return decimalLiteral(token);
    Constant result{Constant::Kind::floating, text[1] == 'f' || text[1] == 'F', 0};
    std::from_chars(text.data() + 2, text.data() + text.size(), result.bits, 16);
    return result;
  }

  Constant decimalLiteral(const Token& token) const {
    double value = 0;
    const auto [end, error] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
    if (error != std::errc{}) cursor_.fail(token, "the number " + Cursor::describe(token) + " does not fit an f64");
    return makeDouble(value);
  }

  const Constant& integerOnly(const Constant& operand, const Token& op) const {
    if (operand.isFloat()) cursor_.fail(op, "the operator " + Cursor::describe(op) + " takes integers only");
    return operand;
  }

  bool truth(const Constant& condition, const Token& op) const { return integerOnly(condition, op).bits != 0; }

  Constant apply(const Token& op, const Constant& left, const Constant& right) const {
    if (left.isFloat() != right.isFloat()) cursor_.fail(op, "the operator " + Cursor::describe(op) + " joins an integer and a float");
    return left.isFloat() ? applyFloat(op, left.asDouble(), right.asDouble()) : applyInteger(op, left, right);
  }

  Constant applyFloat(const Token& op, double left, double right) const {
    if (op.is("+")) return makeDouble(left + right);
    if (op.is("-")) return makeDouble(left - right);
    if (op.is("*")) return makeDouble(left * right);
    if (op.is("/") && right != 0) return makeDouble(left / right);
    if (op.is("/")) cursor_.fail(op, "a division by zero in a constant expression");
    if (op.is("<")) return makeInteger(left < right, false);
    if (op.is("<=")) return makeInteger(left <= right, false);
    if (op.is(">")) return makeInteger(left > right, false);
    if (op.is(">=")) return makeInteger(left >= right, false);
    if (op.is("==")) return makeInteger(left == right, false);
    if (op.is("!=")) return makeInteger(left != right, false);
    cursor_.fail(op, "the operator " + Cursor::describe(op) + " takes integers only");
  }

  Constant applyInteger(const Token& op, const Constant& left, const Constant& right) const {
    const bool isUnsigned = left.kind == Constant::Kind::unsigned_ || right.kind == Constant::Kind::unsigned_;
    const u64 a = left.bits, b = right.bits;
    if (op.is("+")) return makeInteger(a + b, isUnsigned);
    if (op.is("-")) return makeInteger(a - b, isUnsigned);
    if (op.is("*")) return makeInteger(a * b, isUnsigned);
    if (op.is("/") || op.is("%")) return divide(op, a, b, isUnsigned);
    if (op.is("&")) return makeInteger(a & b, isUnsigned);
    if (op.is("|")) return makeInteger(a | b, isUnsigned);
    if (op.is("^")) return makeInteger(a ^ b, isUnsigned);
    if (op.is("&&")) return makeInteger(a != 0 && b != 0, false);
    if (op.is("||")) return makeInteger(a != 0 || b != 0, false);
    if (op.is("<<")) return makeInteger(b < 64 ? a << b : 0, left.kind == Constant::Kind::unsigned_);
    if (op.is(">>")) return shiftRight(left, b);
    return compare(op, a, b, isUnsigned);
  }

  Constant divide(const Token& op, u64 a, u64 b, bool isUnsigned) const {
    if (b == 0) cursor_.fail(op, "a division by zero in a constant expression");
    const bool quotient = op.is("/");
    if (isUnsigned) return makeInteger(quotient ? a / b : a % b, true);
    if (b == ~u64{0}) return makeInteger(quotient ? u64{0} - a : 0, false);
    const s64 x = static_cast<s64>(a), y = static_cast<s64>(b);
    return makeInteger(static_cast<u64>(quotient ? x / y : x % y), false);
  }

  static Constant shiftRight(const Constant& value, u64 amount) {
    const u64 distance = std::min<u64>(amount, 63);
    if (value.kind == Constant::Kind::signed_) return makeInteger(static_cast<u64>(static_cast<s64>(value.bits) >> distance), false);
    return makeInteger(amount > 63 ? 0 : value.bits >> amount, true);
  }

  Constant compare(const Token& op, u64 a, u64 b, bool isUnsigned) const {
    const bool less = isUnsigned ? a < b : static_cast<s64>(a) < static_cast<s64>(b);
    if (op.is("<")) return makeInteger(less, false);
    if (op.is(">=")) return makeInteger(!less, false);
    if (op.is("==")) return makeInteger(a == b, false);
    if (op.is("!=")) return makeInteger(a != b, false);
    if (op.is("<=")) return makeInteger(less || a == b, false);
    return makeInteger(!less && a != b, false);
  }

  Cursor& cursor_;
  u32 depth_ = 0;
};

}  // namespace

double Constant::asDouble() const {
  return isSingle ? static_cast<double>(std::bit_cast<float>(static_cast<u32>(bits))) : std::bit_cast<double>(bits);
}

bool startsConstant(const Cursor& cursor) {
  const Token& token = cursor.peek();
  if (token.kind == Token::Kind::integer || token.kind == Token::Kind::floating) return true;
  if (token.is("!")) return cursor.peek(1).kind != Token::Kind::word || cursor.peek(1).is("WARP_SZ");
  return token.is("(") || token.is("-") || token.is("+") || token.is("~") || token.is("WARP_SZ");
}

Constant parseConstant(Cursor& cursor) { return Expression(cursor).run(); }

u64 parseInteger(Cursor& cursor, std::string_view what, u64 low, u64 high) {
  const Token token = cursor.peek();
  const Constant constant = parseConstant(cursor);
  const bool negative = constant.kind == Constant::Kind::signed_ && static_cast<s64>(constant.bits) < 0;
  if (constant.isFloat() || negative || constant.bits < low || constant.bits > high) {
    cursor.fail(token, std::string(what) + " must be an integer from " + std::to_string(low) + " to " + std::to_string(high));
  }
  return constant.bits;
}

s64 parseDisplacement(Cursor& cursor) {
  constexpr s64 kFarthest = s64{1} << 40;
  const Token token = cursor.peek();
  const Constant constant = parseConstant(cursor);
  const s64 value = static_cast<s64>(constant.bits);
  if (constant.isFloat() || value > kFarthest || value < -kFarthest)
    cursor.fail(token, "an address displacement must be an integer between -2^40 and 2^40");
  return value;
}

std::optional<u64> bitsAs(const Constant& constant, Type type) {
  const u32 size = sizeOf(type);
  if (!constant.isFloat()) {
    if (isFloat(type)) return std::nullopt;
    if (type == Type::pred) return constant.bits != 0;
    return size >= 8 ? constant.bits : constant.bits & ((u64{1} << (8 * size)) - 1);
  }
  const bool single = size == 4 && (type == Type::f32 || type == Type::b32);
  const bool twice = size == 8 && (type == Type::f64 || type == Type::b64);
  if (twice) return std::bit_cast<u64>(constant.asDouble());
  if (!single) return std::nullopt;
  // A 0f… literal keeps its very bits, NaN payloads included.
  if (constant.isSingle) return constant.bits;
  return std::bit_cast<u32>(static_cast<float>(constant.asDouble()));
}

}  // namespace warpwright::ptx
