#include "ptx/context.hpp"

namespace warpwright::ptx {

std::optional<Name> Context::find(std::string_view name) {
  if (function != nullptr)
    if (const auto found = function->find(name)) return found;
  const auto found = names.find(name);
  if (found == names.end()) return std::nullopt;
  return Name{Name::Kind::symbol, kNoIndex, found->second};
}

const std::vector<Match>& Context::matchesOf(std::string_view word) {
  const auto [entry, isNew] = matches.try_emplace(word);
  if (isNew) entry->second = matchForms(word);
  return entry->second;
}

}  // namespace warpwright::ptx
