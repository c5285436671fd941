// The options of `warpwright run` that an experiment may fix ([options]) or sweep: those that change what a run gives.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/experiment/experiment.hpp"

namespace warpwright::lab {

inline constexpr std::string_view kSampleTimes = "sample_times", kSamplePart = "sample_part";

struct RunOption {
  std::string_view name;  // in experiment files
  std::string_view flag;  // on the command line; takes no value where the option is a switch
  std::string_view text;
  bool isSwitch = false;
  // Throws Error for a value that the command would refuse; nothing: the command line takes any.
  void (*check)(const std::string& value) = nullptr;
};

std::span<const RunOption> runOptions();
const RunOption* findRunOption(std::string_view name);

// A swept parameter is a run option, a machine's key, or, when it begins with "--", an argument of the program.
enum class ParameterKind { runOption, machineKey, argument, unknown };
ParameterKind kindOf(const std::string& parameter);

// Names for "did you mean".
std::vector<std::string> parameterNames();

// The options as words of the command `warpwright run`; the time series goes to `seriesFile`.
std::vector<std::string> wordsOf(const Settings& options, const std::string& seriesFile);

}  // namespace warpwright::lab
