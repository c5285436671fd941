// What the loads and stores of a program's kernels access, and the sizes that each launch chooses for them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "compiler/patterns/granularity.hpp"
#include "mechanisms/mechanism.hpp"

namespace warpwright::cli {

struct PatternChoice {
  compiler::GranularityLimits limits;
  compiler::GranularityRules rules;  // but for blocksContinueRows: both are shown
};

// Launches in which an instruction has the same pattern and sizes.
struct LaunchedAccess {
  compiler::LaunchPattern pattern;
  u32 literal = 0, relaxed = 0;  // bytes; of loads
  exec::LaunchShape shape;       // of the first
  std::vector<u64> launches;     // numbers in the program's order, from 1
};

struct SurveyedAccess {
  u32 pc = 0;  // in the kernel
  std::string file;
  u32 line = 0, bytes = 0;
  bool isLoad = false;
  std::string text, reason;  // of the code: one of them is empty
  std::vector<LaunchedAccess> launched;
};

struct SurveyedKernel {
  std::string name, module;
  u64 launches = 0;
  std::vector<SurveyedAccess> accesses;
};

// Loads by size and failure, each as its kernel's first launch has it.
struct SurveyTotals {
  u64 loads = 0, failed = 0;
  std::vector<std::pair<u32, u64>> literal, relaxed;  // bytes, loads; in ascending order
};

class PatternSurvey {
 public:
  explicit PatternSurvey(const PatternChoice& choice) : choice_(choice) {}

  void add(const exec::LaunchRequest& request);

  const std::vector<SurveyedKernel>& kernels() const { return kernels_; }
  SurveyTotals totals() const;

 private:
  SurveyedKernel& kernelOf(const exec::Launch& launch);

  PatternChoice choice_;
  u64 launches_ = 0;
  std::vector<SurveyedKernel> kernels_;
};

// A mechanism that shows launches to the survey, which outlives it.
std::unique_ptr<mechanisms::Mechanism> surveying(PatternSurvey& survey);

// Of kernels of this name, or all.
std::string surveyText(const PatternSurvey& survey, const std::string& kernel);
nlohmann::json surveyJson(const PatternSurvey& survey);

}  // namespace warpwright::cli
