// Mechanisms of a machine: what it has beyond the baseline. Each kind brings a table of settings, [mechanism.NAME], whose keys exist only
// in machines that have the mechanism. This room knows no kind by name; src/mechanisms installs them.
#pragma once

#include <any>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/field.hpp"

namespace warpwright::config {

struct Machine;

// A setting of a mechanism; the std::any holds the mechanism's own structure.
struct MechanismSetting {
  std::string_view name, unit;
  Range range;
  std::string_view text;
  std::function<Slot(std::any&)> slot;
};

struct MechanismKind {
  std::string_view name;   // "affine-tags"
  std::string_view text;   // what it does, in one sentence
  std::string_view paper;  // which describes it, with the section
  bool timed = false;      // it changes or counts what only the timed machine has
  bool assists = false;    // it runs routines beside warps for others that ask (sm/assistance.hpp)
  std::any defaults;       // its settings
  std::vector<MechanismSetting> settings;
  // What makes these settings impossible in this machine; nothing: they fit.
  std::function<std::optional<std::string>(const std::any& settings, const Machine& machine)> problem;
  // Whether, with these settings, it keeps words of shared memory that the banks do not have yet, so that whoever goes to the banks has to
  // ask it. A machine has one such mechanism at most. Null: never.
  std::function<bool(const std::any& settings)> keepsShared;
  // Whether, with these settings, it asks for routines: the machine needs a mechanism that assists, too. Null: never.
  std::function<bool(const std::any& settings)> wantsAssistance;
};

// The rows of a settings structure S, for MechanismKind::settings.
template <class S>
std::vector<MechanismSetting> settingsOf(std::span<const Row<S>> rows) {
  std::vector<MechanismSetting> result;
  for (const Row<S>& row : rows) {
    result.push_back(
        {row.name, row.unit, row.range, row.text, [slot = row.slot](std::any& settings) { return slot(*std::any_cast<S>(&settings)); }});
  }
  return result;
}

// As Mechanisms holds it: also asks whether the machine is a timed one, if the mechanism needs one, and whether another of its mechanisms
// excludes it.
std::optional<std::string> problemOf(const MechanismKind& kind, const std::any& settings, const Machine& machine);

// All kinds that exist, in the order in which they are applied to a machine. Called before the first machine is read, each time with all of
// them; the last `kinds` must stay.
void installMechanisms(std::span<const MechanismKind* const> kinds);
std::span<const MechanismKind* const> mechanismKinds();
// How often kinds have been installed.
u32 mechanismInstallations();
// Throws Error naming the nearest kind when none has this name.
const MechanismKind& mechanismKind(std::string_view name);

// Those of a machine, with their settings, in the order of mechanismKinds().
class Mechanisms {
 public:
  struct Chosen {
    const MechanismKind* kind = nullptr;
    std::any settings;
  };

  bool has(std::string_view name) const { return find(name) != nullptr; }
  // With its defaults; a mechanism that is there already keeps its settings.
  void add(const MechanismKind& kind);
  void remove(std::string_view name);
  std::any* find(std::string_view name);
  const std::any* find(std::string_view name) const;
  std::span<const Chosen> all() const { return chosen_; }
  bool operator==(const Mechanisms& other) const;

 private:
  std::vector<Chosen> chosen_;
};

}  // namespace warpwright::config
