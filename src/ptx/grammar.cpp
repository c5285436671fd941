#include "ptx/grammar.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace warpwright::ptx {
namespace {

struct Form {
  Opcode opcode;
  std::string_view slots, operands;
};

constexpr Form kForms[] = {
#define WW_FORM(opcode, slots, operands) {Opcode::opcode, slots, operands},
#include "ptx/grammar.def"
#define WW_FORM(opcode, slots, operands) {Opcode::opcode, slots, operands},
#include "ptx/grammar_narrow.def"
};

// A mistake in grammar.def itself; every program that uses the grammar would show it at once, and so does its unit test.
[[noreturn]] void badTable(std::string_view where) { throw std::logic_error("grammar.def: cannot read '" + std::string(where) + "'"); }

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    std::string_view part = text.substr(0, end);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    if (!part.empty()) parts.push_back(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool dropSuffix(std::string_view& text, char suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(1);
  return true;
}

struct CategoryName {
  std::string_view text;
  Category category;
};
constexpr std::array kCategories = {
    CategoryName{"T", Category::type},           CategoryName{"S", Category::source},        CategoryName{"rnd", Category::rounding},
    CategoryName{"cmp", Category::compare},      CategoryName{"bool", Category::combine},    CategoryName{"keep", Category::mul},
    CategoryName{"space", Category::space},      CategoryName{"vec", Category::vector},      CategoryName{"op", Category::atomic},
    CategoryName{"sem", Category::ordering},     CategoryName{"scope", Category::scope},     CategoryName{"cop", Category::cache},
    CategoryName{"shfl", Category::shuffle},     CategoryName{"vote", Category::vote},       CategoryName{"bar", Category::barrier},
    CategoryName{"prmt", Category::prmt},        CategoryName{"test", Category::test},       CategoryName{"clamp", Category::clamp},
    CategoryName{"shape", Category::shape},      CategoryName{"A", Category::elementA},      CategoryName{"B", Category::elementB},
    CategoryName{"C", Category::elementC},       CategoryName{"D", Category::elementD},      CategoryName{"layout", Category::layoutA},
    CategoryName{"layoutB", Category::layoutB},  CategoryName{"part", Category::matrixPart}, CategoryName{"num", Category::matrixCount},
    CategoryName{"trans", Category::transposed}, CategoryName{"mbar", Category::mbarrier},   CategoryName{"do", Category::async},
    CategoryName{"dir", Category::direction},    CategoryName{"half", Category::half},       CategoryName{"match", Category::match},
    CategoryName{"geom", Category::geometry},    CategoryName{"edge", Category::boundary},   CategoryName{"query", Category::query},
    CategoryName{"comp", Category::component},   CategoryName{"second", Category::second},   CategoryName{"acc", Category::accumulate},
    CategoryName{"dim", Category::dimensions},   CategoryName{"field", Category::field},
};

Category categoryNamed(std::string_view text) {
  const auto found = std::find_if(kCategories.begin(), kCategories.end(), [&](const CategoryName& entry) { return entry.text == text; });
  return found == kCategories.end() ? badTable(text), Category::flag : found->category;
}

ModifierValue valueNamed(Category category, std::string_view text) {
  if (category == Category::flag) return {text, 0};
  for (const ModifierValue& value : valuesOf(category))
    if (value.text == text) return value;
  badTable(text);
}

// "name?", "a/b" or "kind(a/b)?"
Slot readSlot(std::string_view text) {
  Slot slot;
  slot.optional = dropSuffix(text, '?');
  if (dropSuffix(text, ')')) {
    const std::size_t open = text.find('(');
    if (open == std::string_view::npos) badTable(text);
    slot.category = categoryNamed(text.substr(0, open));
    text.remove_prefix(open + 1);
  }
  for (const std::string_view name : split(text, '/')) slot.values.push_back(valueNamed(slot.category, name));
  return slot;
}

using Class = OperandPattern::Class;
using TypeOf = OperandPattern::TypeOf;

struct ClassName {
  std::string_view text;
  Class kind;
  TypeOf typeOf;
};
constexpr std::array kClasses = {
    ClassName{"T", Class::value, TypeOf::instruction},
    ClassName{"S", Class::value, TypeOf::source},
    ClassName{"W", Class::value, TypeOf::wide},
    ClassName{"=T", Class::destination, TypeOf::instruction},
    ClassName{"=W", Class::destination, TypeOf::wide},
    ClassName{"=V", Class::vectorTo, TypeOf::instruction},
    ClassName{"V", Class::vectorFrom, TypeOf::instruction},
    ClassName{"[a]", Class::address, TypeOf::none},
    ClassName{"[texel]", Class::texel, TypeOf::source},
    ClassName{"[tensor]", Class::tensor, TypeOf::none},
    ClassName{"gradient", Class::gradient, TypeOf::source},
    ClassName{"[x]", Class::anyAddress, TypeOf::none},
    ClassName{"=unpack", Class::unpack, TypeOf::instruction},
    ClassName{"pack", Class::pack, TypeOf::instruction},
    ClassName{"move", Class::moved, TypeOf::instruction},
    ClassName{"pointer", Class::pointer, TypeOf::none},
    ClassName{"convert", Class::converted, TypeOf::source},
    ClassName{"byte", Class::byteLiteral, TypeOf::none},
    ClassName{"bit", Class::bit, TypeOf::none},
    ClassName{"sign", Class::sign, TypeOf::none},
    ClassName{"constant", Class::constant, TypeOf::none},
    ClassName{"part", Class::part, TypeOf::none},
    ClassName{"policy", Class::policy, TypeOf::none},
    ClassName{"label", Class::label, TypeOf::none},
    ClassName{"labels", Class::labelList, TypeOf::none},
};

OperandPattern readOperand(std::string_view text) {
  OperandPattern pattern;
  pattern.optional = dropSuffix(text, '?');
  pattern.needsSecond = dropSuffix(text, '&');
  pattern.secondPredicate = dropSuffix(text, '|') || pattern.needsSecond;
  pattern.discardable = dropSuffix(text, '_');
  pattern.relaxed = dropSuffix(text, '+');
  for (const ClassName& entry : kClasses) {
    if (entry.text != text) continue;
    pattern.kind = entry.kind;
    pattern.typeOf = entry.typeOf;
    return pattern;
  }
  const bool isDestination = text.starts_with('=');
  if (isDestination) pattern.kind = Class::destination;
  if (isDestination) text.remove_prefix(1);
  if (text.size() > 2 && text[0] >= '1' && text[0] <= '8' && text[1] == 'x') {  // "4xb32"
    pattern.kind = isDestination ? Class::fragmentTo : Class::fragmentFrom;
    pattern.count = static_cast<u8>(text[0] - '0');
    text.remove_prefix(2);
  }
  if (isDestination && text.size() > 4 && text.starts_with("N/")) {  // "=N/2xf32"
    pattern.kind = Class::accumulators;
    pattern.columnsEach = static_cast<u8>(text[2] - '0');
    text.remove_prefix(4);
  }
  pattern.typeOf = TypeOf::fixed;
  pattern.fixed = typeNamed(text);
  if (pattern.fixed == Type::none) badTable(text);
  return pattern;
}

Row readRow(const Form& form) {
  Row row;
  row.opcode = form.opcode;
  row.slotText = form.slots;
  row.operandText = form.operands;
  for (const std::string_view slot : split(form.slots, ' ')) {
    if (slot == "any")
      row.anyOrder = true;
    else
      row.slots.push_back(readSlot(slot));
  }
  for (const std::string_view operand : split(form.operands, ',')) row.operands.push_back(readOperand(operand));
  return row;
}

std::vector<Row> readTable() {
  std::vector<Row> rows;
  for (const Form& form : kForms) rows.push_back(readRow(form));
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.opcode < b.opcode; });
  return rows;
}

}  // namespace

std::span<const Row> grammar() {
  static const std::vector<Row> rows = readTable();
  return rows;
}

std::span<const Row> rowsOf(Opcode opcode) {
  const std::span<const Row> rows = grammar();
  const auto before = [](const Row& row, Opcode wanted) { return row.opcode < wanted; };
  const auto begin = std::lower_bound(rows.begin(), rows.end(), opcode, before);
  const auto end = std::find_if(begin, rows.end(), [&](const Row& row) { return row.opcode != opcode; });
  return {begin, end};
}

}  // namespace warpwright::ptx
