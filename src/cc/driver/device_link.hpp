// The device link: what joins the relocatable device code (-rdc=true) of a program's objects.
//
// Each such object calls a function of its own name before main, __cudaRegisterLinkedBinary<id>, as objects of nvcc do; the device link
// defines these functions. They register one wrapper that leads to the PTX of every unit, and the runtime joins the units when the
// program first uses one of them (ptx/link.hpp). The names are resolved here too, so that mistakes are reported while linking.
#pragma once

#include <string>
#include <vector>

#include "cc/driver/options.hpp"
#include "cc/driver/relocatable_unit.hpp"

namespace warpwright::cc {

// The objects and archives of a link whose device code takes part: `objects` and the static libraries that -L and -l lead to.
std::vector<std::string> deviceLinkInputs(const Options& options, const std::vector<std::string>& objects);

// The units in these files that no earlier device link has registered. Throws Error as addRelocatableCode.
std::vector<RelocatableUnit> unitsToLink(const std::vector<std::string>& files, u32 smVersion);

// Throws Error, with the names and the objects they are in, when a symbol is defined twice or used and defined nowhere, and where a unit is
// no valid PTX.
void checkDeviceLink(const std::vector<RelocatableUnit>& units);

// C source of the object that registers the units.
std::string deviceLinkSource(const std::vector<RelocatableUnit>& units);

}  // namespace warpwright::cc
