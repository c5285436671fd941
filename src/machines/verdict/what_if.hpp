// Machines without one of their limits: what a kernel would take on them says what the limit costs it. Each is a few keys of the machine.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/machine.hpp"

namespace warpwright::machines {

struct WhatIf {
  std::string_view name;  // "no-bank-conflicts"
  std::string_view text;  // "with no bank conflicts in shared memory"
  // As --set has them; nothing where the machine has no such limit.
  std::vector<std::string> (*settings)(const config::Machine& machine);
};

std::span<const WhatIf> whatIfs();
// Null: there is none of that name.
const WhatIf* findWhatIf(std::string_view name);

}  // namespace warpwright::machines
