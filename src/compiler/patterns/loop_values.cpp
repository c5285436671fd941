// What loops add to registers, and who finds how much of it.
#include <algorithm>

#include "compiler/patterns/unit_values.hpp"

namespace warpwright::compiler {

using isa::ThreadSymbol;

// What an instruction at a position finds in the register. The iteration of a loop around it is that in which it reads: an update that
// comes before it has been made once more. Before a loop nothing has been added; behind it, what has been is another number for each
// reader.
UnitVersions UnitValues::seenAt(u32 position, u32 unit, UnitVersions versions) {
  if (!versions.isKnown() || unfinished_.contains(unit)) return versions;
  // What has been left from an iteration before.
  const auto isSet = [&](const Definition& definition) {
    return isAlwaysExecuted(function_.code[definition.position]) && comesBefore(definition.position, position);
  };
  if (std::ranges::none_of(definitions_[unit], isSet) && countsIterations(versions)) return UnitVersions::fail(PatternFailure::versions);
  for (const Growth& growth : growth_[unit]) {
    if (!contains(growth.loop, position)) continue;
    if (comesBefore(growth.update, position)) {
      versions = sum(versions, growth.step);
    } else if (mayFollow(growth.update, position, loops_.loops[growth.loop].header)) {
      return UnitVersions::fail(PatternFailure::step);
    }
  }
  for (UnitValue& value : versions.values) {
    const std::optional<Form> form = outsideOfLoops(value.form, position, unit);
    if (!form) return UnitVersions::fail(PatternFailure::step);
    value.form = *form;
  }
  return versions;
}

// With what loops that do not surround the position have added; nothing where that is no term of the sum.
std::optional<Form> UnitValues::outsideOfLoops(const Form& form, u32 position, u32 unit) {
  const auto isOutside = [&](ThreadSymbol symbol) {
    const NamedValue* value = valueOf(symbol);
    const bool counts = value != nullptr && value->operation == NamedValue::Operation::iteration && value->bytes == 0;
    return counts && !contains(static_cast<u32>(value->number), position);
  };
  Form result;
  for (const auto& [symbols, factor] : form.terms) {
    Form product = Form::constant(static_cast<s64>(factor));
    for (const ThreadSymbol symbol : symbols) {
      if (symbol == ThreadSymbol::none) continue;
      if (!isOutside(symbol)) {
        if (mentions(Form::symbol(symbol), isOutside)) return std::nullopt;
        product = forms_.product(product, Form::symbol(symbol));
        continue;
      }
      const u64 loop = valueOf(symbol)->number;
      const bool isLater = !isBehind(position, static_cast<u32>(loop));
      const NamedValue total{NamedValue::Operation::iteration, {}, {}, loop | (u64{position} + 1) << 32, unit + 1};
      product = isLater ? Form{} : forms_.product(product, forms_.named(total));
    }
    result = forms_.sum(result, product);
  }
  return result.isKnown ? std::optional(result) : std::nullopt;
}

bool UnitValues::comesBefore(u32 earlier, u32 later) const {
  const u32 a = flow_.blockAt(earlier), b = flow_.blockAt(later);
  return a == b ? earlier < later : dominators_.dominates(a, b);
}

// In the same iteration of the loop with this header.
bool UnitValues::mayFollow(u32 earlier, u32 later, u32 header) const {
  std::vector<bool> reached(flow_.blocks.size());
  for (std::vector<u32> left = flow_.successors[flow_.blockAt(earlier)]; !left.empty();) {
    const u32 block = left.back();
    left.pop_back();
    if (reached[block] || block == header) continue;
    reached[block] = true;
    left.insert(left.end(), flow_.successors[block].begin(), flow_.successors[block].end());
  }
  return reached[flow_.blockAt(later)];
}

// Inside the loop, or where control comes from it.
bool UnitValues::isBehind(u32 position, u32 loop) {
  std::vector<bool>& reached = reached_[loop];
  if (reached.empty()) {
    reached.resize(flow_.blocks.size());
    for (std::vector<u32> left = {loops_.loops[loop].header}; !left.empty();) {
      const u32 block = left.back();
      left.pop_back();
      if (reached[block]) continue;
      reached[block] = true;
      left.insert(left.end(), flow_.successors[block].begin(), flow_.successors[block].end());
    }
  }
  return reached[flow_.blockAt(position)];
}

// What all executions of an update in a loop have added.
UnitVersions UnitValues::grown(u32 unit, u32 position, const UnitVersions& step, const std::vector<u32>& beginnings) {
  const u32 loop = innermostLoop(position);
  const bool isFirst = loop != kNoNode && std::none_of(beginnings.begin(), beginnings.end(), [&](u32 at) { return contains(loop, at); });
  if (!step.isKnown()) return step;
  if (!isFirst || !runsOnce(loop, position) || step.values.size() != 1 || !isSame(step.values[0].form))
    return UnitVersions::fail(PatternFailure::step);
  growth_[unit].push_back({loop, position, step});
  return product(step, leaf(NamedValue::Operation::iteration, loop));
}

// In each iteration of the loop.
bool UnitValues::runsOnce(u32 loop, u32 position) const {
  if (!isAlwaysExecuted(function_.code[position])) return false;
  const u32 header = loops_.loops[loop].header;
  for (const u32 block : loops_.loops[loop].blocks) {
    const std::vector<u32>& successors = flow_.successors[block];
    const bool isLatch = std::find(successors.begin(), successors.end(), header) != successors.end();
    if (isLatch && !dominators_.dominates(flow_.blockAt(position), block)) return false;
  }
  return true;
}

u32 UnitValues::innermostLoop(u32 position) const {
  u32 result = kNoNode;
  for (const u32 loop : loops_.around[flow_.blockAt(position)])
    if (result == kNoNode || loops_.loops[loop].blocks.size() < loops_.loops[result].blocks.size()) result = loop;
  return result;
}

bool UnitValues::contains(u32 loop, u32 position) const {
  const std::vector<u32>& around = loops_.around[flow_.blockAt(position)];
  return std::find(around.begin(), around.end(), loop) != around.end();
}

}  // namespace warpwright::compiler
