// What memory-classes counts as affine: [mechanism.memory-classes].
#pragma once

#include <span>

#include "config/field.hpp"

namespace warpwright::mechanisms::memory_classes {

struct Settings {
  bool floatAffine = false;
};

std::span<const config::Row<Settings>> rows();

}  // namespace warpwright::mechanisms::memory_classes
