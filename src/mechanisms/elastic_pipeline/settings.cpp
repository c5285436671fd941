#include "mechanisms/elastic_pipeline/settings.hpp"

namespace warpwright::config {

template <>
inline constexpr std::array<std::string_view, 2> kNamesOf<mechanisms::elastic_pipeline::Queues> = {"equations", "given"};
template <>
inline constexpr std::array<std::string_view, 2> kNamesOf<mechanisms::elastic_pipeline::Commit> = {"out_of_order", "in_order"};

}  // namespace warpwright::config

namespace warpwright::mechanisms::elastic_pipeline {
namespace {

using config::choice;
using config::row;

constexpr std::array kRows = {
    choice<&Settings::queues>(
        "queues",
        "`equations`: the NONMEM queue has an entry for each memory stage (5.4), the PREMEM queue warp size / lanes - 1 "
        "(5.5); `given`: as long as the two settings below say. Default: equations, section 5.4.3."),
    row<&Settings::nonmemQueue>("nonmem_queue", "sub-warps", {0, 64},
                                "`given`: results without memory access that wait for write-back. 0: the machine's own memory stages, as "
                                "without the mechanism. Default: 0."),
    row<&Settings::prememQueue>("premem_queue", "sub-warps", {0, 64},
                                "`given`: sub-warps that wait for the first memory stage. Default: 0."),
    choice<&Settings::commit>(
        "commit",
        "Of the instructions of one warp, where a relaxed barrel has several in the pipeline: `out_of_order`, as they "
        "are ready, which needs a reorder buffer for precise exceptions; `in_order`, as they issued: a result waits for "
        "those before it (section 5.7). Default: out_of_order, section 5.4.2."),
};

}  // namespace

Depths depthsOf(const Settings& settings, const config::Machine& machine) {
  if (settings.queues == Queues::given) return {settings.nonmemQueue, settings.prememQueue};
  const u32 lanes = machine.sm.loadStore.width;
  return {machine.sm.memoryStages, (machine.warpSize + lanes - 1) / lanes - 1};
}

std::vector<config::MechanismSetting> settingRows() { return config::settingsOf<Settings>(kRows); }

std::optional<std::string> problem(const std::any& any, const config::Machine& machine) {
  if (machine.sm.pipeline != config::Pipeline::inOrder) return "sm.pipeline.model must be \"in_order\": it is a form of that pipeline";
  const Settings& settings = *std::any_cast<Settings>(&any);
  const Depths depths = depthsOf(settings, machine);
  if (depths.nonmem == 0 && depths.premem != 0) return "a PREMEM queue needs a NONMEM queue beside it: set nonmem_queue";
  return std::nullopt;
}

}  // namespace warpwright::mechanisms::elastic_pipeline
