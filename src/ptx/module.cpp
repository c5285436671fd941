#include "ptx/module.hpp"

#include <algorithm>

namespace warpwright::ptx {
namespace {

template <typename Entry>
u32 indexOf(const std::vector<Entry>& entries, std::string_view name) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.name == name; });
  return found == entries.end() ? kNoIndex : static_cast<u32>(found - entries.begin());
}

}  // namespace

u32 Module::findFunction(std::string_view name) const { return indexOf(functions, name); }
u32 Module::findVariable(std::string_view name) const { return indexOf(variables, name); }

}  // namespace warpwright::ptx
