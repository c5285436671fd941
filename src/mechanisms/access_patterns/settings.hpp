// What access-patterns chooses sizes with: [mechanism.access-patterns].
#pragma once

#include <span>

#include "compiler/patterns/granularity.hpp"
#include "config/field.hpp"

namespace warpwright::mechanisms::access_patterns {

struct Settings {
  u32 leastBytes = 32, mostBytes = 256;
  compiler::GranularityRules::Skewed skewed = compiler::GranularityRules::Skewed::bytes;
  bool roundsDown = true;
};

std::span<const config::Row<Settings>> rows();

}  // namespace warpwright::mechanisms::access_patterns
