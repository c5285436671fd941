// Programs and machines of `warpwright spe` in experiments: "spe:transpose" on "spe:sams" (docs/spe.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/experiment/experiment.hpp"

namespace warpwright::lab {

inline constexpr std::string_view kSpe = "spe:";

// Does "spe:NAME" name a program or a machine of this kind? What is behind the colon.
bool isSpe(std::string_view name);
std::string speName(std::string_view name);

// Throws Error for a program that there is not.
void requireSpeProgram(const std::string& run);

// Its keys with their values, as TOML, from which the words are made again that choose it on the command line. Throws Error for a machine
// that there is not, and for settings that it does not take.
std::string speConfiguration(const std::string& machine, const Settings& settings);
std::vector<std::string> speWords(const std::string& configuration);

}  // namespace warpwright::lab
