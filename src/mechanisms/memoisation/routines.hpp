// The text of the routines that look results up, and keep them.
#pragma once

#include <span>
#include <string>

#include "compiler/regions/region.hpp"
#include "mechanisms/memoisation/settings.hpp"

namespace warpwright::mechanisms::memoisation {

std::string textOf(const Settings& settings, std::span<const compiler::SkippableRegion> regions, u32 addressBits);

}  // namespace warpwright::mechanisms::memoisation
