#include "mechanisms/precomputation/settings.hpp"

#include <array>

namespace warpwright::mechanisms::precomputation {
namespace {

using config::choice;
using config::row;

constexpr std::array kRows = {
    row<&Settings::distance>("distance", "iterations", {1, 64},
                             "By which a routine is ahead of the loop whose addresses it computes. Default: 2, chosen: one of them passes "
                             "while the routine waits for the indices."),
    choice<&Settings::direct>("direct",
                              "Whether it fetches also where an address is computed without a load, which a stride prefetcher can do as "
                              "well. Default: false."),
    row<&Settings::kernels>("kernels", "", {},
                            "Whose loops are run ahead of, by their names in the PTX or the source, separated by commas. Default: all."),
};

}  // namespace

std::vector<config::MechanismSetting> settingRows() { return config::settingsOf<Settings>(kRows); }

}  // namespace warpwright::mechanisms::precomputation
