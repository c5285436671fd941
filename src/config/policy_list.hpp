// Policies with their factories: what the rooms that simulate add to the families of config/policy.hpp.
#pragma once

#include <concepts>
#include <memory>
#include <utility>

#include "base/error.hpp"
#include "config/mechanism.hpp"
#include "config/policy.hpp"

namespace warpwright::config {

// A function that makes a Made. An entry of a list cannot be written without one.
template <class Made, class... Context>
class PolicyFactory {
 public:
  using Make = std::unique_ptr<Made> (*)(const std::any& settings, Context... context);
  template <std::convertible_to<Make> F>
  requires(!std::same_as<F, std::nullptr_t>) constexpr PolicyFactory(F make) : make_(make) {}

  std::unique_ptr<Made> operator()(const std::any& settings, Context... context) const { return make_(settings, context...); }

 private:
  Make make_;
};

// settings: the structure that `defaults` gives; empty for a policy without settings.
template <class Made, class... Context>
struct PolicyEntry {
  PolicyKind kind;
  PolicyFactory<Made, Context...> make;
};

// The settings structure S with `rows`, a function that gives its rows: PolicyKind::defaults and settings.
template <class S>
std::any policyDefaults() {
  return S{};
}
template <class S, std::span<const Row<S>> (*rows)()>
std::span<const MechanismSetting> policySettings() {
  static const auto& all = *new std::vector<MechanismSetting>(settingsOf<S>(rows()));  // never destroyed, as the policies are not
  return all;
}

template <class Made, class... Context>
class PolicyList {
 public:
  using Entry = PolicyEntry<Made, Context...>;

  // With the policies that this program brings.
  template <std::same_as<Entry>... Entries>
  explicit PolicyList(PolicyFamily& family, const Entries&... entries) : family_(family) {
    (add(entries), ...);
  }

  // The entry must stay. Throws Error when another one has its name.
  void add(const Entry& entry) {
    family_.add(entry.kind);
    entries_.push_back(&entry);
  }

  // Never null. Throws Error when none has this name.
  std::unique_ptr<Made> make(const Policy& chosen, Context... context) const {
    const PolicyKind& kind = family_.get(chosen.name);
    Policy complete = chosen;
    if (kind.hasSettings()) complete.settingsOf(kind);
    for (const Entry* entry : entries_) {
      if (&entry->kind != &kind) continue;
      if (std::unique_ptr<Made> made = entry->make(complete.settings, context...)) return made;
    }
    throw Error("the policy '" + chosen.name + "' made nothing", {}, "its factory must give an object");
  }

 private:
  PolicyFamily& family_;
  std::vector<const Entry*> entries_;
};

}  // namespace warpwright::config
