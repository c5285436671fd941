// Policies of a machine: choices among ways to do one thing, such as which line of a set makes room. They are open lists: the rooms that
// simulate bring them with name, text, source, settings and factory in one place (config/policy_list.hpp), and so may whoever is loaded at
// run time. This room knows the families, and none of their members by name.
#pragma once

#include <any>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace warpwright::config {

struct Machine;
struct MechanismSetting;

// A member of a family. Trivially destructible, so that it outlives whatever reports at the end of a program.
struct PolicyKind {
  std::string_view name;    // as machine files say it: "tree_plru"
  std::string_view text;    // what it does, in one sentence
  std::string_view source;  // who describes it
  // Its settings: a structure with its default values, and its rows (policySettings()); null: it has none.
  std::any (*defaults)() = nullptr;
  std::span<const MechanismSetting> (*settings)() = nullptr;
  // What makes these settings impossible in this machine; nothing, or null: they fit.
  std::optional<std::string> (*problem)(const std::any& settings, const Machine& machine) = nullptr;

  bool hasSettings() const { return defaults != nullptr; }
};

// The policies for one decision.
class PolicyFamily {
 public:
  // title: for pages and messages, as in "replacement policy". isSwitch: two members are called "false" and "true", and machine files write
  // them as TOML's.
  constexpr explicit PolicyFamily(std::string_view title, bool isSwitch = false) : title_(title), isSwitch_(isSwitch) {}

  std::string_view title() const { return title_; }
  bool isSwitch() const { return isSwitch_; }
  std::span<const PolicyKind* const> all() const { return {kinds_.data(), count_}; }
  // Null when none has this name. A program that simulates nothing has no members, and cannot tell.
  const PolicyKind* find(std::string_view name) const;
  // Throws Error that names the nearest one and all others.
  const PolicyKind& get(std::string_view name) const;
  // What to do about a name that none has.
  std::string remedy(std::string_view name) const;
  // Throws Error when another one has its name. Before machine files are read, or between them; the policy must stay.
  void add(const PolicyKind& kind);

 private:
  static constexpr std::size_t kMost = 128;
  std::string_view title_;
  bool isSwitch_;
  std::array<const PolicyKind*, kMost> kinds_{};
  std::size_t count_ = 0;
};

inline constinit PolicyFamily replacementPolicies{"replacement policy"};
inline constinit PolicyFamily setHashes{"set hash"};
inline constinit PolicyFamily warpSchedulers{"warp scheduler"};
inline constinit PolicyFamily arbitrations{"arbitration of a network's outputs"};
inline constinit PolicyFamily dramSchedulers{"DRAM scheduler"};
inline constinit PolicyFamily channelHashes{"channel hash", true};

std::span<const PolicyFamily* const> policyFamilies();

// How many policies there are in all families: grows with each that is added.
u32 policyCount();

// The policy that a machine has chosen, with its settings.
struct Policy {
  Policy(std::string_view chosen) : name(chosen) {}
  Policy(const char* chosen) : name(chosen) {}
  Policy(const PolicyKind& kind);  // with its defaults

  std::string name;
  const PolicyKind* kind = nullptr;  // that of the settings
  std::any settings;                 // empty: its defaults

  // Of `member` of a family, with settings.
  std::any& settingsOf(const PolicyKind& member);
  bool operator==(const Policy& other) const;
  bool operator==(std::string_view other) const { return name == other; }
  bool operator==(const char* other) const { return name == other; }
};

}  // namespace warpwright::config
