// Bimodal insertion, a replacement policy (README.md).
#include <cstdint>
#include <vector>
#include <warpwright/plugin.hpp>

namespace {

using namespace warpwright;

struct Settings {
  u32 every = 32;
};

std::span<const config::Row<Settings>> rows() {
  static constexpr std::array kRows = {
      config::row<&Settings::every>("every", "lines", {0, 1'000'000},
                                    "One in so many comes in as the most recently used; 0: none. Default: 32 (Qureshi and others, ISCA "
                                    "2007)."),
  };
  return kRows;
}

// Lines are ordered by stamps: the least of a set goes first.
class BimodalInsertion final : public mem::Replacement {
 public:
  BimodalInsertion(const Settings& settings, const mem::ReplacementContext& context)
      : every_(settings.every), ways_(context.ways), stamps_(u64{context.sets} * context.ways) {}

  void touched(u32 set, u32 way, const mem::Request&, bool) override { at(set, way) = ++newest_; }
  void installed(u32 set, u32 way, const mem::Request&) override {
    const bool isRecent = every_ != 0 && ++installed_ % every_ == 0;
    at(set, way) = isRecent ? ++newest_ : --oldest_;
  }
  u32 victim(u32 set, mem::WaySet candidates) const override {
    u32 first = candidates.takeLeast();
    for (const u32 way : candidates) {
      if (stamps_[u64{set} * ways_ + way] < stamps_[u64{set} * ways_ + first]) first = way;
    }
    return first;
  }

 private:
  std::int64_t& at(u32 set, u32 way) { return stamps_[u64{set} * ways_ + way]; }

  u32 every_, ways_;
  u64 installed_ = 0;
  std::int64_t newest_ = 0, oldest_ = 0;
  std::vector<std::int64_t> stamps_;
};

constexpr mem::ReplacementEntry kBimodalInsertion{
    {.name = "bip",
     .text = "A line that comes in is the next to go, unless it is used again; one in `every` is the last.",
     .source = "Qureshi and others, \"Adaptive Insertion Policies for High Performance Caching\", ISCA 2007",
     .defaults = config::policyDefaults<Settings>,
     .settings = config::policySettings<Settings, rows>},
    [](const std::any& settings, const mem::ReplacementContext& context) -> std::unique_ptr<mem::Replacement> {
      return std::make_unique<BimodalInsertion>(std::any_cast<const Settings&>(settings), context);
    }};

}  // namespace

WARPWRIGHT_PLUGIN("bimodal-insertion", "1.0", [](warpwright::plugins::Registrar& to) { to.add(kBimodalInsertion); })
