#include "runtime/fatbinary.hpp"

#include <algorithm>

#include "fatbin/device_code.hpp"
#include "fatbin/in_process.hpp"
#include "fatbin/select.hpp"

namespace warpwright::runtime {
namespace {

std::vector<PtxUnit> unitsOf(const std::vector<fatbin::Container>& containers, u32 smVersion) {
  std::vector<PtxUnit> units;
  for (const fatbin::Selection& selection : fatbin::selectPtx(containers, smVersion))
    for (PtxUnit& unit : splitUnits(selection.entry->ptx())) {
      unit.maxRegisters = selection.entry->registerBound();
      units.push_back(std::move(unit));
    }
  return units;
}

}  // namespace

std::vector<PtxUnit> registeredPtx(const void* wrapper, const std::string& origin, u32 smVersion) {
  return unitsOf(fatbin::wrapperContainers(wrapper, origin), smVersion);
}

std::vector<PtxUnit> imagePtx(const void* image, const std::string& origin, u32 smVersion) {
  return unitsOf(fatbin::imageContainers(image, origin), smVersion);
}

std::vector<PtxUnit> filePtx(std::string_view bytes, const std::string& name, u32 smVersion) {
  return unitsOf(fatbin::fileContainers(bytes, name), smVersion);
}

u32 registeredAddressBits(const void* wrapper, const std::string& origin) {
  const auto containers = fatbin::wrapperContainers(wrapper, origin);
  for (const fatbin::Container& container : containers)
    for (const fatbin::Entry& entry : container.entries)
      if (entry.kind == fatbin::Kind::ptx) return entry.addressBits;
  return 64;
}

}  // namespace warpwright::runtime
