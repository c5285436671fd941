#include "mechanisms/shared_layouts/kind.hpp"

#include "compiler/analysis/shared_layouts.hpp"
#include "mechanisms/kind_parts.hpp"
#include "mechanisms/shared_layouts/observer.hpp"

namespace warpwright::mechanisms::shared_layouts {
namespace {

constexpr const char* kName = "shared-layouts";
constexpr const compiler::AnalysisKind* kAnalyses[] = {&compiler::kSharedLayouts};

struct Settings {
  bool operator==(const Settings&) const = default;
};

class SharedLayouts final : public Mechanism {
 public:
  SharedLayouts(const Settings&, const config::Machine&) {}
  std::unique_ptr<LaunchObserver> observe(const exec::LaunchRequest& request) override {
    return std::make_unique<Observer>(compiler::sharedLayouts(request.launch->program->program));
  }
};

}  // namespace

const Kind kSharedLayouts{
    .description = {.name = kName,
                    .text = "Changes nothing, and counts words of shared memory that are read in another layout than they were stored in "
                            "(bank-maps.md): on a memory whose accesses name their layouts, other words would come.",
                    .paper = "Gou, \"Customizable Memory Schemes for Data Parallel Accelerators\", 2011, section 4.3.2",
                    .defaults = Settings{}},
    .make = makeFor<SharedLayouts, Settings>,
    .observed = [] { return zeroOf<Statistics>("shared_layouts"); },
    .analyses = kAnalyses,
};

}  // namespace warpwright::mechanisms::shared_layouts
