#include "mechanisms/assist_warps/settings.hpp"

#include <array>
#include <bit>
#include <sstream>

namespace warpwright::mechanisms::assist_warps {
namespace {

using config::row;

constexpr std::array kRows = {
    row<&Settings::routines>(
        "routines", "", {},
        "PTX files with routines, separated by commas, which are linked into each program; a path is relative to the current folder. "
        "Routines in the program's own code are taken, too. Default: none."),
    row<&Settings::only>("only", "", {},
                         "Names of the routines that are enabled, separated by commas; where there are files of routines, they must have "
                         "them, or the program. Default: all; section 4.2.3 lets the programmer enable and disable them."),
    row<&Settings::storeInstructions>(
        "store_instructions", "instructions", {1, 65536},
        "Of the assist warp store, which holds all routines of a program. Default: 1024, chosen: room for those of "
        "all codecs; the paper gives no size."),
    row<&Settings::mapEntries>("map_entries", "trigger conditions", {1, 4096},
                               "Of the controller's map from triggers to routines (section 4.3), which holds those of all routines of a "
                               "program. Default: 64, chosen: room for those of all codecs; the paper gives no size."),
    row<&Settings::entries>("entries", "assist warps", {1, 4096},
                            "Of the assist warp table, of normal and low priority; of high priority there is one for each warp. Default: "
                            "48, chosen: the warps of an SM (table 1)."),
    row<&Settings::lowEntries>("low_entries", "instructions", {1, 64},
                               "Of low priority that are staged at once: their partition of the instruction buffer. Default: 2, section "
                               "4.3."),
    row<&Settings::warpEntries>("warp_entries", "instructions", {1, 64},
                                "Of high and normal priority that are staged at once for a warp, in its own partition of the instruction "
                                "buffer (section 4.3). Default: 2, chosen: what a warp's instruction buffer holds in GPGPU-Sim, with which "
                                "the paper simulates."),
    row<&Settings::width>("width", "instructions", {1, 64},
                          "Of all assist warps together that are staged in a cycle. Default: 2, section 4.3: at most the issue width, of "
                          "two schedulers in table 1."),
    row<&Settings::moveLatency>("move_latency", "cycles", {0, 100},
                                "For each register that is moved to an assist warp before it begins, and from it to its warp when it has "
                                "ended (section 4.4). Default: 1, chosen: a move a cycle."),
    row<&Settings::mapLatency>(
        "map_latency", "cycles", {1000, 1'000'000'000},
        "From the end of a routine that asks for a page to the resumption of its warp: what the host takes to handle "
        "a page fault. Default: 28000, which is 20 microseconds at 1.4 GHz; Zheng and others, \"Towards High "
        "Performance Paged Memory for GPUs\" (HPCA 2016), give 20 to 50 microseconds."),
    row<&Settings::pageBytes>("page_bytes", "bytes", {4096, 2u << 20},
                              "Of what the host maps at a time. Default: 4096, the smallest page of x86-64 hosts (AMD64 Architecture "
                              "Programmer's Manual, volume 2, section 5.1)."),
    row<&Settings::mostLive>("most_live", "assist warps", {1, 4096},
                             "Of normal and low priority that are deployed at once: static throttle (section 4.4). Default: 48, chosen: as "
                             "many as the table holds."),
    row<&Settings::window>("window", "cycles", {0, 1u << 20},
                           "In which the controller watches issue slots and functional units, for its dynamic throttle (section 4.4); 0: "
                           "it does not. Default: 256, chosen: a few times the latency of DRAM."),
    row<&Settings::busyPercent>("busy_percent", "% of issue slots", {1, 100},
                                "From which on, taken by warps, a window is busy, and nothing of normal or low priority is deployed in the "
                                "next. Default: 90, chosen: the paper gives no limit."),
    row<&Settings::unitPercent>(
        "unit_percent", "% of cycles", {1, 100},
        "From which on, in a window, a functional unit is busy (section 4.4): pipes of a kind by the cycles in which "
        "instructions occupy their entrances, the load/store unit by its transactions and passes. In the next window "
        "no routine of normal or low priority that uses it is deployed. Default: 90, chosen: the paper gives no "
        "limit."),
    row<&Settings::idlePercent>("idle_percent", "% of issue slots", {0, 100},
                                "That neither warps nor assist warps took in a window, below which nothing of low priority is deployed in "
                                "the next (section 4.4, idleness of the cores). Default: 0, chosen: slots that are idle are taken one by "
                                "one, and the paper gives no limit."),
};

}  // namespace

std::vector<config::MechanismSetting> settingRows() { return config::settingsOf<Settings>(kRows); }

std::vector<std::string> listed(const std::string& setting) {
  std::vector<std::string> parts;
  std::istringstream text(setting);
  for (std::string part; std::getline(text, part, ',');)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

std::optional<std::string> problem(const std::any& settings, const config::Machine& machine) {
  if (!std::has_single_bit(std::any_cast<const Settings&>(settings).pageBytes)) return "page_bytes must be a power of two";
  if (machine.sm.pipeline == config::Pipeline::inOrder)
    return "assist warps share the scoreboard of their warps: they need sm.pipeline.model = \"scoreboard\"";
  return std::nullopt;
}

}  // namespace warpwright::mechanisms::assist_warps
