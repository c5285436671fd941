#include "ptx/initialiser.hpp"

#include <bit>

#include "ptx/constant.hpp"
#include "ptx/declaration.hpp"

namespace warpwright::ptx {
namespace {

class Initialiser {
 public:
  Initialiser(Context& context, Variable& variable, const std::vector<u64>& bounds) : context_(context), variable_(variable) {
    bounds_ = bounds;
    if (variable.vector > 1) bounds_.push_back(variable.vector);
    strides_.assign(bounds_.size(), sizeOf(variable.type));
    for (std::size_t level = bounds_.size(); level-- > 1;) strides_[level - 1] = strides_[level] * bounds_[level];
  }

  void run() {
    if (bounds_.empty()) return element(0);
    const u64 count = list(0, 0);
    if (!variable_.unsized) return;
    variable_.size = count * strides_[0];
    variable_.unsized = false;
  }

 private:
  // One "{ … }" of the nesting; returns the number of its elements.
  u64 list(std::size_t level, u64 offset) {
    context_.cursor.expect("{", "at the beginning of an array's initial values");
    const bool open = bounds_[level] == 0;
    u64 count = 0;
    if (context_.cursor.accept("}")) return count;
    do {
      if (!open && count == bounds_[level]) context_.fail(context_.cursor.peek(), "more initial values than the array has elements");
      const u64 at = offset + count * strides_[level];
      if (level + 1 < bounds_.size())
        list(level + 1, at);
      else
        element(at);
      ++count;
    } while (context_.cursor.accept(","));
    context_.cursor.expect("}", "after initial values");
    return count;
  }

  void element(u64 offset) {
    const Token token = context_.cursor.peek();
    const bool mask = token.kind == Token::Kind::integer && context_.cursor.peek(1).is("(");
    if (mask) return maskedAddress(offset);
    if (token.kind == Token::Kind::word && !token.is("WARP_SZ")) return store(offset, address());
    const Constant constant = parseConstant(context_.cursor);
    const std::optional<u64> bits = bitsAs(constant, variable_.type);
    if (!bits || (constant.isFloat() && !isFloat(variable_.type)))
      context_.fail(token, "the initial value is no ." + std::string(name(variable_.type)));
    storeBytes(token, offset, *bits);
  }

  void storeBytes(const Token& token, u64 offset, u64 bits) {
    const u32 size = sizeOf(variable_.type);
    if (offset + size > kMostInitialBytes) context_.fail(token, "the initial value lies beyond 2^26 bytes");
    if (variable_.image.size() < offset + size) variable_.image.resize(offset + size);
    for (u32 byte = 0; byte < size && byte < 8; ++byte) variable_.image[offset + byte] = static_cast<u8>(bits >> (8 * byte));
  }

  // "sym", "sym+4", "generic(sym)+4"
  Relocation address() {
    Relocation result;
    const bool generic = context_.cursor.at("generic") && context_.cursor.peek(1).is("(");
    if (generic) {
      context_.cursor.next();
      context_.cursor.next();
    }
    result.generic = generic;
    result.symbol = symbol();
    if (generic) context_.cursor.expect(")", "after generic(symbol");
    if (context_.cursor.at("+") || context_.cursor.at("-")) result.addend = parseDisplacement(context_.cursor);
    return result;
  }

  SymbolRef symbol() {
    const Token token = context_.cursor.expectName("the name of a variable or function");
    const auto found = context_.names.find(token.text);
    if (found == context_.names.end())
      context_.fail(token, Cursor::describe(token) + " is not declared", "declare the variable or function before its address is used");
    return found->second;
  }

  void store(u64 offset, Relocation relocation) {
    const u32 size = sizeOf(variable_.type);
    if (isFloat(variable_.type) || size < 4 || size > 8)
      context_.fail(context_.cursor.peek(), "an address needs a variable of 4 or 8 bytes, not ." + std::string(name(variable_.type)));
    storeBytes(context_.cursor.peek(), offset, 0);
    relocation.offset = offset;
    relocation.width = static_cast<u8>(size);
    variable_.relocations.push_back(relocation);
  }

  // "0xFF00(sym+4)": one byte of an address, in a variable of bytes.
  void maskedAddress(u64 offset) {
    const Token token = context_.cursor.next();
    const u64 mask = maskValue(token);
    context_.cursor.expect("(", "after an address mask");
    Relocation relocation = address();
    context_.cursor.expect(")", "after a masked address");
    if (sizeOf(variable_.type) != 1) context_.fail(token, "address masks are for variables of bytes only");
    storeBytes(token, offset, 0);
    relocation.offset = offset;
    relocation.width = 1;
    relocation.shift = static_cast<u8>(std::countr_zero(mask));
    variable_.relocations.push_back(relocation);
  }

  // 0xFF, 0xFF00, … 0xFF00000000000000
  u64 maskValue(const Token& token) const {
    u64 mask = 0xff;
    Cursor literal({token, {Token::Kind::end, token.line, token.column, {}}}, context_.cursor.sourceName());
    const u64 value = parseConstant(literal).bits;
    while (mask != value && mask != 0) mask <<= 8;
    if (mask == 0) context_.fail(token, "an address mask must select one byte, such as 0xFF00");
    return value;
  }

  Context& context_;
  Variable& variable_;
  std::vector<u64> bounds_, strides_;
};

}  // namespace

void parseInitialiser(Context& context, Variable& variable, const std::vector<u64>& bounds) {
  Initialiser(context, variable, bounds).run();
}

}  // namespace warpwright::ptx
