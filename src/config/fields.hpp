// Every field of a machine, section by section; parsing, validation, the resolved dump and the reference page walk this list.
#pragma once

#include <functional>
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
  std::function<Slot(Machine&)> slot;

  std::string key() const;        // "sm.pipes.sfu.width"
  std::string rangeText() const;  // "4 to 64, a power of two"
  // The value as TOML writes it: 32, true, "stack".
  std::string valueText(const Machine& machine) const;
  // Sets the value. False when the field is of another type, or `value` is not one of its names.
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
  std::vector<Field> fields;
};

// Made when they are first asked for, with those of all mechanisms that there are then.
std::span<const Section> sections();
bool sectionsAreMade();
std::span<const Field* const> fields();  // of all sections, in their order
const Field* findField(std::string_view key);

const Section* findSection(std::string_view name);

// Do the sections of this kind take part? Those of the timed machine only when it is one, those of a mechanism when the machine has it.
inline bool applies(const Section& section, const Machine& machine) {
  if (section.mechanism != nullptr) return machine.mechanisms.has(section.mechanism->name);
  return machine.timed || !section.timed;
}

}  // namespace warpwright::config
