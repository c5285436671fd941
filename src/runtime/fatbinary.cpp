#include "runtime/fatbinary.hpp"

#include <algorithm>

#include "fatbin/in_process.hpp"
#include "fatbin/select.hpp"

namespace warpwright::runtime {

std::vector<PtxUnit> registeredPtx(const void* wrapper, const std::string& origin, u32 smVersion) {
  const auto containers = fatbin::wrapperContainers(wrapper, origin);
  std::vector<PtxUnit> units;
  for (const fatbin::Selection& selection : fatbin::selectPtx(containers, smVersion))
    units.push_back({selection.entry->ptx(), selection.entry->registerBound()});
  return units;
}

u32 registeredAddressBits(const void* wrapper, const std::string& origin) {
  const auto containers = fatbin::wrapperContainers(wrapper, origin);
  for (const fatbin::Container& container : containers)
    for (const fatbin::Entry& entry : container.entries)
      if (entry.kind == fatbin::Kind::ptx) return entry.addressBits;
  return 64;
}

}  // namespace warpwright::runtime
