#include "compiler/patterns/unit_values.hpp"

#include <algorithm>

namespace warpwright::compiler {
namespace {

using isa::ThreadSymbol;

// Of one function: code whose addresses need more is not worth its time.
constexpr u32 kMostSteps = 20'000, kMostDepth = 400;

constexpr bool isNamed(ThreadSymbol symbol) { return symbol >= ThreadSymbol::derived; }

bool isBlockIndex(const NamedValue& value) {
  if (value.operation != NamedValue::Operation::special) return false;
  const auto which = static_cast<isa::SpecialRegister>(value.number);
  return which >= isa::SpecialRegister::ctaid_x && which <= isa::SpecialRegister::ctaid_z;
}

}  // namespace

UnitValues::UnitValues(const MachineFunction& function)
    : function_(function),
      flow_(buildControlFlow(function)),
      loops_(findLoops(flow_)),
      dominators_(flow_.successors, 0),
      definitions_(function.units()) {
  for (u32 i = 0; i < function.code.size(); ++i) {
    const MachineInstruction& instruction = function.code[i];
    for (u32 operand = 0; operand < instruction.destinations.size(); ++operand) {
      const isa::Operand& destination = instruction.destinations[operand];
      if (destination.kind == isa::Operand::Kind::predicate && destination.index >= kFirstVirtualPredicate)
        definitions_[function.unitOfPredicate(destination.index)].push_back({i, operand});
      if (destination.kind != isa::Operand::Kind::reg) continue;
      const u32 words = destinationWords(function, instruction, operand);
      for (u32 w = 0; w < words; ++w) definitions_[destination.index + w].push_back({i, operand});
    }
  }
}

UnitVersions UnitValues::source(const MachineInstruction& instruction, u32 index) {
  if (instruction.sources[index].kind == isa::Operand::Kind::none) return number(0);
  return operand(instruction, index);
}

// All that writes one of the two words writes both as one value.
bool UnitValues::isPair(u32 first) const {
  const RegisterGroup& group = function_.groups[function_.groupOf[first]];
  if (group.first != first || group.words != 2) return false;
  for (u32 unit = first; unit < first + 2; ++unit) {
    for (const Definition& definition : definitions_[unit]) {
      const MachineInstruction& instruction = function_.code[definition.position];
      if (instruction.destinations[definition.operand].index != first) return false;
      if (destinationWords(function_, instruction, definition.operand) != 2) return false;
    }
  }
  return true;
}

UnitVersions UnitValues::word(u32 position, u32 unit) {
  const u32 first = function_.groups[function_.groupOf[unit]].first;
  if (!isPair(first)) return seenAt(position, unit, resolve(unit));
  UnitVersions versions = seenAt(position, first, resolve(first));
  if (unit == first) return versions;
  for (UnitValue& value : versions.values) value.isHigh = true;
  return versions;
}

UnitVersions UnitValues::pair(u32 position, u32 first) {
  return isPair(first) ? seenAt(position, first, resolve(first)) : joinWords(word(position, first), word(position, first + 1));
}

// The form that both words are of.
UnitVersions UnitValues::joinWords(const UnitVersions& low, const UnitVersions& high) {
  return each(low, high, [&](const UnitValue& x, const UnitValue& y) -> UnitVersions {
    const std::optional<s64> left = x.form.value(), right = y.form.value();
    if (x.isHigh) return UnitVersions::fail(PatternFailure::operation, isa::Opcode::mov);
    if (y.isHigh && lowWord(x.form) == lowWord(y.form)) return formed(y.form, x, y);
    if (left && right) return number(static_cast<s64>(static_cast<u64>(*right) << 32 | static_cast<u32>(*left)));
    if (right == 0) return extend({{x}}, 4, false);
    if (y.form == signsOf(x.form)) return extend({{x}}, 4, true);
    const NamedValue *a = leafOf(x.form), *b = leafOf(y.form);
    const bool areParameter = a != nullptr && b != nullptr && a->operation == NamedValue::Operation::parameter &&
                              b->operation == NamedValue::Operation::parameter && a->bytes == 4 && b->bytes == 4;
    if (areParameter && a->number + 4 == b->number) return leaf(NamedValue::Operation::parameter, a->number, 8);
    return UnitVersions::fail(PatternFailure::operation, isa::Opcode::mov);
  });
}

// Factors modulo 2^32, and the low words of parameters.
Form UnitValues::lowWord(const Form& form) {
  Form result;
  for (const auto& [symbols, factor] : form.terms) {
    Form product = Form::constant(static_cast<s64>(static_cast<u32>(factor)));
    for (const ThreadSymbol symbol : symbols) {
      if (symbol == ThreadSymbol::none) continue;
      const NamedValue* value = valueOf(symbol);
      const bool isLong = value != nullptr && value->operation == NamedValue::Operation::parameter && value->bytes == 8;
      product = forms_.product(product, isLong ? forms_.named({value->operation, {}, {}, value->number, 4}) : Form::symbol(symbol));
    }
    result = forms_.sum(result, product);
  }
  return result;
}

// What the high word of a sign-extended value holds.
Form UnitValues::signsOf(const Form& form) { return forms_.derive(NamedValue::Operation::shr, form, Form::constant(31)); }

// Of a form that is one symbol.
const NamedValue* UnitValues::leafOf(const Form& form) const {
  if (form.terms.size() != 1 || form.terms.begin()->second != 1) return nullptr;
  const Symbols& symbols = form.terms.begin()->first;
  return symbols[symbols.size() - 2] == ThreadSymbol::none ? valueOf(symbols.back()) : nullptr;
}

UnitVersions UnitValues::resolve(u32 unit) {
  if (unfinished_.contains(unit)) return leaf(NamedValue::Operation::unfinished, unit);
  if (const auto found = found_.find(unit); found != found_.end()) return found->second;
  if (unit == kStackWord) return leaf(NamedValue::Operation::stack, 0);
  const std::vector<Definition>& definitions = definitions_[unit];
  if (definitions.empty()) return UnitVersions::fail(PatternFailure::argument);
  if (++steps_ > kMostSteps || depth_ == kMostDepth) return UnitVersions::fail(PatternFailure::tooComplex);
  ++depth_;
  UnitVersions versions =
      definitions.size() == 1 ? result(function_.code[definitions[0].position], definitions[0].operand) : resolveSeveral(unit);
  --depth_;
  // What the value of a register around it is made of is known when that is.
  if (!isUnfinished(versions)) found_[unit] = versions;
  return versions;
}

// Of a register with several definitions. Loops may give it next values: x, x + step, x + 2 step, …
UnitVersions UnitValues::resolveSeveral(u32 unit) {
  UnitVersions self = leaf(NamedValue::Operation::unfinished, unit);
  if (!self.isKnown()) return self;
  const ThreadSymbol symbol = self.values[0].form.terms.begin()->first.back();
  const auto isSelf = [&](const UnitValue& value) {
    return mentions(value.form, [symbol](ThreadSymbol other) { return other == symbol; });
  };
  UnitVersions begin;
  std::vector<u32> beginnings;
  std::vector<std::pair<u32, UnitVersions>> updates;  // by position
  unfinished_.insert(unit);
  for (const Definition& definition : definitions_[unit]) {
    UnitVersions versions = result(function_.code[definition.position], definition.operand);
    if (versions == self) continue;
    if (std::any_of(versions.values.begin(), versions.values.end(), isSelf)) {
      updates.emplace_back(definition.position, std::move(versions));
    } else {
      beginnings.push_back(definition.position);
      begin = both(std::move(begin), versions);
    }
  }
  unfinished_.erase(unit);
  // What a loop has given it on one of several ways may be of an iteration before.
  const bool isOfLoop = std::any_of(beginnings.begin(), beginnings.end(), [&](u32 at) { return innermostLoop(at) != kNoNode; });
  if (beginnings.size() > 1 && isOfLoop && countsIterations(begin)) return UnitVersions::fail(PatternFailure::versions);
  growth_[unit].clear();
  for (const auto& [position, next] : updates) begin = sum(begin, grown(unit, position, sum(next, self, ~u64{0}), beginnings));
  return begin;
}

const NamedValue* UnitValues::valueOf(ThreadSymbol symbol) const {
  return isNamed(symbol) ? &forms_.values()[static_cast<u32>(symbol) - static_cast<u32>(ThreadSymbol::derived)] : nullptr;
}

bool UnitValues::mentions(const Form& form, const std::function<bool(ThreadSymbol)>& is) const {
  for (const auto& [symbols, factor] : form.terms) {
    for (const ThreadSymbol symbol : symbols) {
      if (symbol == ThreadSymbol::none) continue;
      if (is(symbol)) return true;
      const NamedValue* value = valueOf(symbol);
      if (value != nullptr && (mentions(value->left, is) || mentions(value->right, is))) return true;
    }
  }
  return false;
}

// For all threads of the grid and all iterations of loops.
bool UnitValues::isSame(const Form& form) const {
  using enum NamedValue::Operation;
  return !mentions(form, [&](ThreadSymbol symbol) {
    const NamedValue* value = valueOf(symbol);
    if (value == nullptr) return symbol <= ThreadSymbol::tidZ;
    return isBlockIndex(*value) || value->operation == iteration || value->operation == unfinished;
  });
}

bool UnitValues::countsIterations(const UnitVersions& versions) const {
  const auto is = [&](ThreadSymbol symbol) {
    const NamedValue* value = valueOf(symbol);
    return value != nullptr && value->operation == NamedValue::Operation::iteration;
  };
  return std::any_of(versions.values.begin(), versions.values.end(), [&](const UnitValue& value) { return mentions(value.form, is); });
}

bool UnitValues::isUnfinished(const UnitVersions& versions) const {
  const auto is = [&](ThreadSymbol symbol) {
    const NamedValue* value = valueOf(symbol);
    return value != nullptr && value->operation == NamedValue::Operation::unfinished;
  };
  return std::any_of(versions.values.begin(), versions.values.end(), [&](const UnitValue& value) { return mentions(value.form, is); });
}

}  // namespace warpwright::compiler
