#pragma once

#include <any>
#include <optional>
#include <string>
#include <vector>

#include "config/machine.hpp"

namespace warpwright::mechanisms::elastic_pipeline {

// How long the queues are.
enum class Queues : u8 {
  equations,  // as equations 5.4 and 5.5 say
  given,      // as Settings says
};

// In which order the instructions of one warp are written back. Only a relaxed barrel has several of them in the pipeline.
enum class Commit : u8 {
  outOfOrder,  // as they are ready; precise exceptions then need a reorder buffer (section 5.7, first choice)
  inOrder,     // as they issued (section 5.7, second choice)
};

struct Settings {
  Queues queues = Queues::equations;
  u32 nonmemQueue = 0, prememQueue = 0;  // given: sub-warps
  Commit commit = Commit::outOfOrder;
};

// Sub-warps that the queues hold. Without a NONMEM queue there is no elastic pipeline.
struct Depths {
  u32 nonmem = 0, premem = 0;
};
Depths depthsOf(const Settings& settings, const config::Machine& machine);

std::vector<config::MechanismSetting> settingRows();
std::optional<std::string> problem(const std::any& settings, const config::Machine& machine);

}  // namespace warpwright::mechanisms::elastic_pipeline
