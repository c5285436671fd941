#include "mechanisms/avc/kind.hpp"

#include "mechanisms/avc/energy_events.hpp"
#include "mechanisms/avc/link.hpp"
#include "mechanisms/avc/shared_vectors.hpp"
#include "mechanisms/kind_parts.hpp"

namespace warpwright::mechanisms::avc {
namespace {

constexpr const char* kName = kCounters;

class Avc final : public Mechanism {
 public:
  Avc(const Settings& settings, const config::Machine& machine) : settings_(settings), machine_(machine) {}

  void equip(sm::Parts& parts, SmId) override {
    parts.lineStages.add([this](const sm::StageContext& context) {
      auto link = std::make_unique<Link>(settings_, machine_.l1d, context);
      links_.push_back(link.get());
      return link;
    });
    if (!settings_.isPresent() || !settings_.shared) return;
    parts.laneStages.add([this](const sm::StageContext&) {
      auto vectors = std::make_unique<SharedVectors>(settings_);
      shared_.push_back(vectors.get());
      return vectors;
    });
  }
  void collect(stats::NamedStatistics& into) const override {
    for (const Link* link : links_) into.add(kName, stats::Structure(link->stats()));
    for (const SharedVectors* vectors : shared_) into.add(kSharedCounters, stats::Structure(vectors->stats()));
  }

 private:
  Settings settings_;
  const config::Machine& machine_;
  std::vector<const Link*> links_;  // by SM
  std::vector<const SharedVectors*> shared_;
};

}  // namespace

const Kind kAvc{
    .description = {.name = kName,
                    .text = "Affine Vector Cache: beside the first-level data cache, vectors of private memory that are uniform or affine "
                            "across the lanes of a warp are kept as a base and a stride.",
                    .paper = "Collange, Kouyoumdjian, \"Affine Vector Cache for memory bandwidth savings\", 2011, section 4",
                    .timed = true,
                    .defaults = Settings{},
                    .settings = settingRows(),
                    .problem = [](const std::any& settings,
                                  const config::Machine& machine) { return problem(*std::any_cast<Settings>(&settings), machine); },
                    .keepsShared =
                        [](const std::any& any) {
                          const auto& settings = *std::any_cast<Settings>(&any);
                          return settings.isPresent() && settings.shared;
                        }},
    .make = makeFor<Avc, Settings>,
    .counted =
        [] {
          stats::NamedStatistics result = zeroOf<LinkStats>(kName);
          result.add(kSharedCounters, stats::Structure(SharedStats{}));
          return result;
        },
    .energyEvents = [](const std::any& settings, const config::Machine& machine,
                       const energy::Table& table) { return energyEvents(*std::any_cast<Settings>(&settings), machine, table); },
    .energyPaths = kEnergyPaths,
};

}  // namespace warpwright::mechanisms::avc
