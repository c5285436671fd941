// Every field of a machine, section by section; parsing, validation, the resolved dump and the reference page walk this list.
#pragma once

#include <any>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/field.hpp"
#include "config/machine.hpp"

namespace warpwright::config {

struct Field {
  std::string section;  // "sm.pipes"; empty: top level
  std::string name;     // "sfu.width"
  std::string_view unit;
  Range range;
  std::string text;
  // Where the machine holds the value. Nothing: it does not have the mechanism, or has not chosen the policy, whose setting this is.
  std::function<std::optional<Slot>(Machine&)> slot;
  // Where the default lies that such a machine shows, for reading alone; nothing for what every machine has.
  std::optional<Slot> fallback = std::nullopt;

  std::string key() const;        // "sm.pipes.sfu.width"
  std::string rangeText() const;  // "4 to 64, a power of two"
  // The value as TOML writes it: 32, true, "stack".
  std::string valueText(const Machine& machine) const;
  // Sets the value. False when the field is of another type, `value` is not one of its names, or the machine does not hold it.
  bool set(Machine& machine, u64 value) const;
  bool set(Machine& machine, bool value) const;
  bool set(Machine& machine, std::string_view value) const;
  std::string_view typeText() const;  // "an integer"
  // What is wrong with the machine's value, or nothing.
  std::optional<std::string> problem(const Machine& machine) const;
};

struct Section {
  std::string name;                          // "l1d"; empty: top level
  std::string_view text;                     // what it describes
  bool timed = false;                        // belongs to the timed machine
  bool required = false;                     // a timed machine must have it
  std::string_view list;                     // sections with the same list of fields have the same name here
  const MechanismKind* mechanism = nullptr;  // whose settings these are; null: of the baseline
  const PolicyKind* policy = nullptr;        // the same; they exist where `chosenBy` chooses it
  std::function<std::optional<Slot>(Machine&)> chosenBy = {};
  std::shared_ptr<std::any> defaults = {};  // of the mechanism or the policy; what the fields' fallbacks point into
  std::vector<Field> fields;
};

// Made when they are first asked for. What was given before stays when mechanisms or policies are added.
std::span<const Section> sections();
bool sectionsAreMade();
std::span<const Field* const> fields();  // of all sections, in their order
const Field* findField(std::string_view key);

const Section* findSection(std::string_view name);
// Of a section of a policy: whether the machine has chosen it there.
bool isChosen(const Section& section, const Machine& machine);

// A policy that the machine has chosen and cannot have.
struct PolicyProblem {
  std::string key;  // of the field that chooses it
  std::string text;
};
std::vector<PolicyProblem> policyProblems(const Machine& machine);

// Do the sections of this kind take part? Those of the timed machine only when it is one, those of a mechanism when the machine has it,
// those of a policy where it is chosen.
inline bool applies(const Section& section, const Machine& machine) {
  if (section.policy != nullptr && !isChosen(section, machine)) return false;
  if (section.mechanism != nullptr) return machine.mechanisms.has(section.mechanism->name);
  return machine.timed || !section.timed;
}

}  // namespace warpwright::config
