// The rules, one list a part of the machine.
#pragma once

#include <string_view>
#include <vector>

#include "config/rules.hpp"

namespace warpwright::config {

std::vector<Rule> smRules();
std::vector<Rule> pipelineRules();
std::vector<Rule> cacheRules();
// The cache that a section describes, as "l1d".
Cache Machine::*cacheOfSection(std::string_view section);
std::vector<Rule> partitionRules();
std::vector<Rule> networkRules();
std::vector<Rule> dramRules();

}  // namespace warpwright::config
