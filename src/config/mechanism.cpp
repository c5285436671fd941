#include "config/mechanism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "config/machine.hpp"

namespace warpwright::config {
namespace {

std::span<const MechanismKind* const>& installed() {
  static std::span<const MechanismKind* const> kinds;
  return kinds;
}

constinit u32 installations = 0;

std::size_t rankOf(const MechanismKind& kind) {
  const auto kinds = mechanismKinds();
  return static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), &kind) - kinds.begin());
}

bool same(const Mechanisms::Chosen& one, const Mechanisms::Chosen& other) {
  if (one.kind != other.kind) return false;
  // Slots serve writing too; here they are only read, from copies.
  std::any left = one.settings, right = other.settings;
  const auto agrees = [&](const MechanismSetting& setting) { return sameValue(setting.slot(left), setting.slot(right)); };
  return std::all_of(one.kind->settings.begin(), one.kind->settings.end(), agrees);
}

bool keepsShared(const MechanismKind& kind, const std::any& settings) { return kind.keepsShared && kind.keepsShared(settings); }

// Told of the second of two.
std::optional<std::string> problemInShared(const MechanismKind& kind, const std::any& settings, const Machine& machine) {
  if (!keepsShared(kind, settings)) return std::nullopt;
  for (const auto& [other, theirs] : machine.mechanisms.all()) {
    if (other == &kind) break;
    if (keepsShared(*other, theirs))
      return fmt::format(
          "'{}' keeps words of shared memory that the banks do not have, as it does, and neither asks the other: leave one of them out, or "
          "set it so that it leaves shared memory alone",
          other->name);
  }
  return std::nullopt;
}

std::optional<std::string> problemOfAssistance(const MechanismKind& kind, const std::any& settings, const Machine& machine) {
  if (!kind.wantsAssistance || !kind.wantsAssistance(settings)) return std::nullopt;
  std::vector<std::string_view> assisting;
  for (const MechanismKind* each : mechanismKinds()) {
    if (!each->assists) continue;
    if (machine.mechanisms.has(each->name)) return std::nullopt;
    assisting.push_back(each->name);
  }
  return fmt::format("with these settings it asks for routines beside warps, and nobody runs any: add the mechanism '{}' before it",
                     fmt::join(assisting, "' or '"));
}

}  // namespace

std::optional<std::string> problemOf(const MechanismKind& kind, const std::any& settings, const Machine& machine) {
  if (kind.timed && !machine.timed)
    return fmt::format("the mechanism '{}' needs a timed machine; '{}' is functional only", kind.name, machine.name);
  auto problem = kind.problem ? kind.problem(settings, machine) : std::nullopt;
  if (!problem) problem = problemInShared(kind, settings, machine);
  if (!problem) problem = problemOfAssistance(kind, settings, machine);
  if (!problem) return std::nullopt;
  return fmt::format("mechanism '{}': {}", kind.name, *problem);
}

void installMechanisms(std::span<const MechanismKind* const> kinds) {
  installed() = kinds;
  ++installations;
}

u32 mechanismInstallations() { return installations; }

std::span<const MechanismKind* const> mechanismKinds() { return installed(); }

const MechanismKind& mechanismKind(std::string_view name) {
  std::vector<std::string> known;
  for (const MechanismKind* kind : mechanismKinds()) {
    if (kind->name == name) return *kind;
    known.emplace_back(kind->name);
  }
  const std::string near = nearestName(std::string(name), known);
  throw Error(fmt::format("no mechanism is called '{}'", name), {},
              near.empty() ? fmt::format("the mechanisms are: {}", fmt::join(known, ", ")) : "did you mean '" + near + "'?");
}

void Mechanisms::add(const MechanismKind& kind) {
  if (has(kind.name)) return;
  const auto isBehind = [&](const Chosen& each) { return rankOf(*each.kind) > rankOf(kind); };
  chosen_.insert(std::find_if(chosen_.begin(), chosen_.end(), isBehind), {&kind, kind.defaults});
}

void Mechanisms::remove(std::string_view name) {
  std::erase_if(chosen_, [&](const Chosen& each) { return each.kind->name == name; });
}

const std::any* Mechanisms::find(std::string_view name) const {
  const auto found = std::find_if(chosen_.begin(), chosen_.end(), [&](const Chosen& each) { return each.kind->name == name; });
  return found == chosen_.end() ? nullptr : &found->settings;
}

std::any* Mechanisms::find(std::string_view name) { return const_cast<std::any*>(std::as_const(*this).find(name)); }

bool Mechanisms::operator==(const Mechanisms& other) const {
  return std::equal(chosen_.begin(), chosen_.end(), other.chosen_.begin(), other.chosen_.end(), same);
}

}  // namespace warpwright::config
