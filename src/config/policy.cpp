#include "config/policy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "config/mechanism.hpp"

namespace warpwright::config {
namespace {

constinit u32 added = 0;

}  // namespace

std::span<const PolicyFamily* const> policyFamilies() {
  static constexpr std::array<const PolicyFamily*, 6> kFamilies{&warpSchedulers, &replacementPolicies, &setHashes,
                                                                &arbitrations,   &dramSchedulers,      &channelHashes};
  return kFamilies;
}

u32 policyCount() { return added; }

const PolicyKind* PolicyFamily::find(std::string_view name) const {
  const auto kinds = all();
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const PolicyKind* kind) { return kind->name == name; });
  return found == kinds.end() ? nullptr : *found;
}

const PolicyKind& PolicyFamily::get(std::string_view name) const {
  if (const PolicyKind* kind = find(name)) return *kind;
  throw Error(fmt::format("no {} is called '{}'", title_, name), {}, remedy(name));
}

std::string PolicyFamily::remedy(std::string_view name) const {
  std::vector<std::string> known;
  for (const PolicyKind* kind : all()) known.emplace_back(kind->name);
  const std::string near = nearestName(std::string(name), known), list = fmt::format("there are: {}", fmt::join(known, ", "));
  return near.empty() ? list : fmt::format("did you mean '{}'? {}", near, list);
}

void PolicyFamily::add(const PolicyKind& kind) {
  if (find(kind.name)) throw Error(fmt::format("there is a {} called '{}' already", title_, kind.name), {}, "give it another name");
  if (count_ == kMost) throw Error(fmt::format("there are {} policies of the family '{}' already", kMost, title_));
  kinds_[count_++] = &kind;
  ++added;
}

Policy::Policy(const PolicyKind& chosen) : name(chosen.name) {
  if (chosen.hasSettings()) settingsOf(chosen);
}

std::any& Policy::settingsOf(const PolicyKind& member) {
  if (kind == &member) return settings;
  kind = &member;
  return settings = member.defaults();
}

bool Policy::operator==(const Policy& other) const {
  if (name != other.name) return false;
  const PolicyKind* const common = kind ? kind : other.kind;
  if (!common) return true;
  // Slots serve writing too; here they are only read, from copies.
  Policy left = *this, right = other;
  left.settingsOf(*common);
  right.settingsOf(*common);
  const auto rows = common->settings();
  return std::all_of(rows.begin(), rows.end(),
                     [&](const MechanismSetting& row) { return sameValue(row.slot(left.settings), row.slot(right.settings)); });
}

}  // namespace warpwright::config
