#include "mechanisms/access_patterns/kind.hpp"

#include <set>

#include "mechanisms/access_patterns/counts.hpp"
#include "mechanisms/access_patterns/observer.hpp"
#include "mechanisms/kind_parts.hpp"

namespace warpwright::mechanisms::access_patterns {
namespace {

constexpr const compiler::AnalysisKind* kAnalyses[] = {&compiler::kAccessPatterns};

class AccessPatterns final : public Mechanism {
 public:
  AccessPatterns(const Settings& settings, const config::Machine&) : settings_(settings) {}

  std::unique_ptr<LaunchObserver> observe(const exec::LaunchRequest& request) override {
    const exec::Launch& launch = *request.launch;
    if (launch_ != request.launch) prediction_ = std::make_shared<const Prediction>(launch);
    launch_ = request.launch;
    const bool isNew = counted_.insert({launch.program->number, launch.kernel->begin}).second;
    return std::make_unique<Observer>(request, prediction_, isNew ? countsOf(request, settings_) : AccessPatternStats{});
  }

 private:
  const Settings settings_;
  std::shared_ptr<const exec::Launch> launch_;  // the last one, of which each SM's part is observed
  std::shared_ptr<const Prediction> prediction_;
  std::set<std::pair<u64, Pc>> counted_;  // kernels, by program and first pc
};

}  // namespace

const Kind kAccessPatterns{
    .description = {.name = "access-patterns",
                    .text = "Changes nothing: holds the addresses of loads and stores against the patterns that the compiler finds in the "
                            "code, and counts the sizes that loads would fetch from DRAM.",
                    .paper = "Gou, \"Customizable Memory Schemes for Data Parallel Accelerators\", 2011, sections 6.3.2 and 6.3.3",
                    .defaults = Settings{},
                    .settings = config::settingsOf<Settings>(rows())},
    .make = makeFor<AccessPatterns, Settings>,
    .observed = [] { return zeroOf<AccessPatternStats>("access_patterns"); },
    .analyses = kAnalyses,
};

}  // namespace warpwright::mechanisms::access_patterns
