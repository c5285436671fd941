#include "mechanisms/affine_tags/kind.hpp"

#include "mechanisms/affine_tags/compact_pipeline.hpp"
#include "mechanisms/affine_tags/energy_events.hpp"
#include "mechanisms/affine_tags/settings.hpp"
#include "mechanisms/affine_tags/tag_observer.hpp"
#include "mechanisms/kind_parts.hpp"

namespace warpwright::mechanisms::affine_tags {
namespace {

constexpr std::string_view kName = "affine-tags";

class Observer final : public LaunchObserver {
 public:
  Observer(const exec::LaunchRequest& request, TagRules rules) : tags_(request, rules) {}

  void issue(const exec::IssueEvent& event) override { tags_.issue(event); }
  void issueTakenBack(const exec::IssueEvent& event) override { tags_.issueTakenBack(event); }
  void result(const exec::ResultEvent& event) override { tags_.result(event); }
  void blockBegins(u64 block) override { tags_.blockBegins(block); }
  void blockEnds(u64 block) override { tags_.blockEnds(block); }
  void collect(stats::NamedStatistics& into) const override { into.add(kCounters, stats::Structure(tags_.statistics())); }

 private:
  TagObserver tags_;
};

// Tells the SM's pipeline of the instruction that is about to issue.
class Teller final : public exec::Observer {
 public:
  Teller(const exec::LaunchRequest& request, TagRules rules, SmTags& shared) : tags_(request, rules), shared_(shared) {}

  void issue(const exec::IssueEvent& event) override {
    shared_.last = &tags_.last();
    tags_.issue(event);
  }
  void issueTakenBack(const exec::IssueEvent& event) override { tags_.issueTakenBack(event); }
  void result(const exec::ResultEvent& event) override { tags_.result(event); }
  void blockBegins(u64 block) override { tags_.blockBegins(block); }
  void blockEnds(u64 block) override { tags_.blockEnds(block); }

 private:
  TagObserver tags_;
  SmTags& shared_;
};

class AffineTags final : public Mechanism {
 public:
  AffineTags(const Settings& settings, const config::Machine& machine)
      : settings_(settings), warpSize_(machine.warpSize), rules_{settings.powersAsShifts, settings.detection == Detection::code} {}

  std::unique_ptr<LaunchObserver> observe(const exec::LaunchRequest& request) override {
    return std::make_unique<Observer>(request, rules_);
  }

  void equip(sm::Parts& parts, SmId) override {
    SmTags& shared = *sms_.emplace_back(std::make_unique<SmTags>());
    parts.makeObservers.push_back(
        [&shared, rules = rules_](const exec::LaunchRequest& request) { return std::make_unique<Teller>(request, rules, shared); });
    parts.pipeline.wrap([this, &shared](std::unique_ptr<sm::Pipeline> inner, const sm::PipelineContext& context) {
      return std::make_unique<CompactPipeline>(std::move(inner), context, settings_, warpSize_, shared);
    });
  }

  void collect(stats::NamedStatistics& into) const override {
    for (const auto& each : sms_) into.add(kCounters, stats::Structure(each->statistics));
  }

 private:
  const Settings settings_;
  const u32 warpSize_;
  const TagRules rules_;
  std::vector<std::unique_ptr<SmTags>> sms_;
};

}  // namespace

const Kind kAffineTags{
    .description = {.name = kName,
                    .text =
                        "Two-bit tags say which registers hold uniform or affine vectors; operands and results of those take one or two "
                        "lanes.",
                    .paper =
                        "Collange, Defour, Zhang: Dynamic detection of uniform and affine vectors in GPGPU computations (2009), section 5",
                    .timed = false,
                    .defaults = Settings{},
                    .settings = config::settingsOf<Settings>(rows()),
                    .problem = {}},
    .make = makeFor<AffineTags, Settings>,
    .observed = [] { return zeroOf<AffineTagStats>(kCounters); },
    .counted = [] { return zeroOf<TimedTagStats>(kCounters); },
    .energyEvents = [](const std::any& settings, const config::Machine& machine,
                       const energy::Table& table) { return energyEvents(*std::any_cast<Settings>(&settings), machine, table); },
    .energyPaths = kEnergyPaths,
};

}  // namespace warpwright::mechanisms::affine_tags
