#include "cli/patterns/survey.hpp"

#include <algorithm>
#include <map>

#include "compiler/patterns/pattern_text.hpp"
#include "mechanisms/launch_patterns.hpp"
#include "profile/kernel_profile.hpp"

namespace warpwright::cli {
namespace {

class Surveying final : public mechanisms::Mechanism {
 public:
  explicit Surveying(PatternSurvey& survey) : survey_(survey) {}
  std::unique_ptr<mechanisms::LaunchObserver> observe(const exec::LaunchRequest& request) override {
    survey_.add(request);
    return nullptr;
  }

 private:
  PatternSurvey& survey_;
};

SurveyedAccess accessOf(const exec::Launch& launch, Pc pc, const compiler::AccessPattern& pattern) {
  const isa::Program& program = launch.program->program;
  const profile::SourceLine line = profile::sourceLineOf(program, program.code[pc]);
  SurveyedAccess access{pc - launch.kernel->begin, line.file, line.line, pattern.bytes, pattern.isLoad, {}, {}, {}};
  access.text = compiler::textOf(pattern, program, *launch.kernel);
  if (pattern.failure != compiler::PatternFailure::none) access.reason = compiler::reasonOf(pattern);
  return access;
}

}  // namespace

SurveyedKernel& PatternSurvey::kernelOf(const exec::Launch& launch) {
  const isa::Program& program = launch.program->program;
  const auto isIt = [&](const SurveyedKernel& kernel) { return kernel.name == launch.kernel->name && kernel.module == program.sourceName; };
  const auto found = std::find_if(kernels_.begin(), kernels_.end(), isIt);
  if (found != kernels_.end()) return *found;
  SurveyedKernel& kernel = kernels_.emplace_back();
  kernel.name = launch.kernel->name;
  kernel.module = program.sourceName;
  for (Pc pc = launch.kernel->begin; pc < launch.kernel->end; ++pc)
    if (const compiler::AccessPattern* pattern = compiler::patternAt(program, pc))
      kernel.accesses.push_back(accessOf(launch, pc, *pattern));
  return kernel;
}

void PatternSurvey::add(const exec::LaunchRequest& request) {
  const exec::Launch& launch = *request.launch;
  SurveyedKernel& kernel = kernelOf(launch);
  const compiler::LaunchValues values = mechanisms::launchValues(launch);
  compiler::GranularityRules literal = choice_.rules, relaxed = choice_.rules;
  literal.blocksContinueRows = true;
  relaxed.blocksContinueRows = false;
  ++kernel.launches;
  ++launches_;
  for (SurveyedAccess& access : kernel.accesses) {
    const compiler::AccessPattern& code = *compiler::patternAt(launch.program->program, Pc(launch.kernel->begin + access.pc));
    LaunchedAccess now{compiler::evaluate(code, values), 0, 0, launch, {}};
    if (access.isLoad) {
      const auto sizeBy = [&](const compiler::GranularityRules& rules) {
        return compiler::granularityOf(code, now.pattern, launch.block, request.limits.warpSize, choice_.limits, rules);
      };
      now.literal = sizeBy(literal);
      now.relaxed = sizeBy(relaxed);
    }
    const auto isSame = [&](const LaunchedAccess& other) {
      return other.pattern == now.pattern && other.literal == now.literal && other.relaxed == now.relaxed;
    };
    auto found = std::find_if(access.launched.begin(), access.launched.end(), isSame);
    if (found == access.launched.end()) found = access.launched.insert(found, std::move(now));
    found->launches.push_back(launches_);
  }
}

SurveyTotals PatternSurvey::totals() const {
  SurveyTotals totals;
  std::map<u32, u64> literal, relaxed;
  for (const SurveyedKernel& kernel : kernels_) {
    for (const SurveyedAccess& access : kernel.accesses) {
      if (!access.isLoad) continue;
      const LaunchedAccess& first = access.launched.front();
      ++totals.loads;
      totals.failed += !first.pattern.isKnown();
      ++literal[first.literal];
      ++relaxed[first.relaxed];
    }
  }
  totals.literal.assign(literal.begin(), literal.end());
  totals.relaxed.assign(relaxed.begin(), relaxed.end());
  return totals;
}

std::unique_ptr<mechanisms::Mechanism> surveying(PatternSurvey& survey) { return std::make_unique<Surveying>(survey); }

}  // namespace warpwright::cli
