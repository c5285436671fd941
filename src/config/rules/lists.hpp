// The rules, one list a part of the machine.
#pragma once

#include <vector>

#include "config/rules.hpp"

namespace warpwright::config {

std::vector<Rule> smRules();
std::vector<Rule> pipelineRules();
std::vector<Rule> cacheRules();
std::vector<Rule> partitionRules();
std::vector<Rule> networkRules();
std::vector<Rule> dramRules();

}  // namespace warpwright::config
