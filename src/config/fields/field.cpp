// What a field does, whatever its type.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include "config/fields.hpp"

namespace warpwright::config {
namespace {

template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Match(Cases...) -> Match<Cases...>;

// Slots are for writing too; those of a constant machine are only read.
Slot slotOf(const Field& field, const Machine& machine) {
  const std::optional<Slot> slot = field.slot(const_cast<Machine&>(machine));
  return slot ? *slot : field.fallback.value();
}

bool allows(const Range& range, u64 value) {
  return value >= range.minimum && value <= range.maximum && (!range.powerOfTwo || std::has_single_bit(value));
}

bool allows(const Range& range, const std::string& value) {
  return range.choices.empty() || std::find(range.choices.begin(), range.choices.end(), value) != range.choices.end();
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\u{:04X}", static_cast<int>(c));
      continue;
    }
    result += c;
  }
  return result + '"';
}

template <class List>
std::string alternatives(const List& names) {
  return fmt::format("`{}`", fmt::join(names, "` or `"));
}

std::string alternatives(const PolicyFamily& family) {
  std::vector<std::string_view> names;
  for (const PolicyKind* kind : family.all()) names.push_back(kind->name);
  return names.empty() ? fmt::format("a {}", family.title()) : alternatives(names);
}

// As `true` or `false`, not as a text.
bool isWritten(const PolicyFamily& family, std::string_view name) { return family.isSwitch() && (name == "true" || name == "false"); }

// A program without policies of the family takes any name.
bool allows(const PolicyFamily& family, std::string_view name) { return family.all().empty() || family.find(name) != nullptr; }

}  // namespace

bool sameValue(const Slot& one, const Slot& other) {
  const auto equal = []<class T>(const T& left, const T& right) {
    if constexpr (std::is_same_v<T, EnumSlot>) {
      return *left.value == *right.value;
    } else {
      return *left == *right;
    }
  };
  return std::visit([&]<class T>(const T& left) { return equal(left, std::get<T>(other)); }, one);
}

std::string Field::key() const { return section.empty() ? name : fmt::format("{}.{}", section, name); }

std::string Field::rangeText() const {
  const Machine any;
  return std::visit(
      Match{
          [](const bool*) { return std::string("`true` or `false`"); }, [](const EnumSlot& value) { return alternatives(value.names); },
          [&](const Policy*) { return alternatives(*range.policies); },
          [&](const std::string*) { return range.choices.empty() ? "text" : alternatives(range.choices); },
          [&](const auto*) { return fmt::format("{} to {}{}", range.minimum, range.maximum, range.powerOfTwo ? ", a power of two" : ""); }},
      slotOf(*this, any));
}

std::string Field::valueText(const Machine& machine) const {
  return std::visit(Match{[](const EnumSlot& value) { return quoted(value.names[*value.value]); },
                          [](const std::string* value) { return quoted(*value); },
                          [&](const Policy* value) { return isWritten(*range.policies, value->name) ? value->name : quoted(value->name); },
                          [](const auto* value) { return fmt::format("{}", *value); }},
                    slotOf(*this, machine));
}

std::string_view Field::typeText() const {
  if (range.policies != nullptr && range.policies->isSwitch()) return "true, false or a string";
  const Machine any;
  return std::visit(Match{[](bool*) { return "true or false"; }, [](u32*) { return "an integer"; }, [](u64*) { return "an integer"; },
                          [](const auto&) { return "a string"; }},
                    slotOf(*this, any));
}

bool Field::set(Machine& machine, u64 value) const {
  const auto assign = [&]<class T>(T* member) {
    if (value > std::numeric_limits<T>::max()) return false;
    *member = static_cast<T>(value);
    return true;
  };
  const std::optional<Slot> found = slot(machine);
  if (!found) return false;
  return std::visit(
      Match{[&](u32* member) { return assign(member); }, [&](u64* member) { return assign(member); }, [](const auto&) { return false; }},
      *found);
}

bool Field::set(Machine& machine, bool value) const {
  if (range.policies != nullptr && range.policies->isSwitch()) return set(machine, std::string_view(value ? "true" : "false"));
  const std::optional<Slot> found = slot(machine);
  bool* const* member = found ? std::get_if<bool*>(&*found) : nullptr;
  if (member != nullptr) **member = value;
  return member != nullptr;
}

bool Field::set(Machine& machine, std::string_view value) const {
  const std::optional<Slot> target = slot(machine);
  if (!target) return false;
  return std::visit(Match{[&](std::string* member) {
                            *member = value;
                            return true;
                          },
                          [&](Policy* member) {
                            if (!allows(*range.policies, value)) return false;
                            if (*member == value) return true;
                            const PolicyKind* kind = range.policies->find(value);
                            *member = kind ? Policy(*kind) : Policy(value);
                            return true;
                          },
                          [&](const EnumSlot& member) {
                            const auto found = std::find(member.names.begin(), member.names.end(), value);
                            if (found == member.names.end()) return false;
                            *member.value = static_cast<u8>(found - member.names.begin());
                            return true;
                          },
                          [](const auto&) { return false; }},
                    *target);
}

std::optional<std::string> Field::problem(const Machine& machine) const {
  const bool good =
      std::visit(Match{[](const bool*) { return true; }, [](const EnumSlot& value) { return *value.value < value.names.size(); },
                       [&](const std::string* value) { return allows(range, *value); },
                       [&](const Policy* value) { return allows(*range.policies, value->name); },
                       [&](const auto* value) { return allows(range, u64{*value}); }},
                 slotOf(*this, machine));
  if (good) return std::nullopt;
  return fmt::format("{} = {} is out of range: {}", key(), valueText(machine), rangeText());
}

}  // namespace warpwright::config
