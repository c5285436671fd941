// Bypass by the instruction that asks: saturating counters by pc, as Tyson, Farrens, Matthews and Pleszkun have ("A Modified Approach to
// Data Cache Management", MICRO-28, 1995), trained by lines that leave without having been used again, as Tian, Puthoor, Greathouse,
// Beckmann and Jiménez do for GPUs ("Adaptive GPU Cache Bypassing", GPGPU-8, 2015).
#pragma once

#include <vector>

#include "mem/cache/replacement/lru.hpp"

namespace warpwright::mem {

struct PcBypassSettings {
  u32 tableBits = 7, counterBits = 2, sampling = 32;
};

inline std::span<const config::Row<PcBypassSettings>> pcBypassRows() {
  static constexpr std::array kRows = {
      config::row<&PcBypassSettings::tableBits>("table_bits", "bits", {1, 20},
                                                "Of the pc that number a counter. Default: 7, more instructions than access memory in most "
                                                "kernels; no source is at hand."),
      config::row<&PcBypassSettings::counterBits>("counter_bits", "bits", {1, 8}, "Of a counter. Default: 2 (Tyson and others)."),
      config::row<&PcBypassSettings::sampling>("sampling", "accesses", {2, 65'536},
                                               "Of so many accesses in a row that would go by, one leaves a line all the same, so that an "
                                               "instruction that has changed its ways is found out. Default: 32; no source is at hand."),
  };
  return kRows;
}

// Among those that stay, the least recently used line makes room. A counter goes up when a line that its instructions brought leaves
// unused, down when one is used; where it is saturated, lines would be dead as they come, and the access goes by.
class PcBypass final : public Replacement {
 public:
  PcBypass(const PcBypassSettings& settings, const ReplacementContext& context)
      : lru_(context.sets, context.ways),
        mask_((1u << settings.tableBits) - 1),
        mostCount_((1u << settings.counterBits) - 1),
        sampling_(settings.sampling),
        ways_(context.ways),
        lines_(u64{context.sets} * context.ways),
        counters_(u64{1} << settings.tableBits) {}

  void touched(u32 set, u32 way, const Request& access, bool isHit) override {
    lru_.touched(set, way, access, isHit);
    Line& line = at(set, way);
    line.isReused = true;
    if (line.isKnown && counters_[line.counter].dead != 0) --counters_[line.counter].dead;
  }
  void installed(u32 set, u32 way, const Request& access) override {
    lru_.installed(set, way, access);
    at(set, way) = {indexOf(access), access.origin.isKnown(), false};
    counters_[indexOf(access)].inARow = 0;
  }
  void left(u32 set, u32 way, bool isDisplaced) override {
    const Line& line = at(set, way);
    if (isDisplaced && line.isKnown && !line.isReused && counters_[line.counter].dead < mostCount_) ++counters_[line.counter].dead;
  }
  u32 victim(u32 set, WaySet candidates) const override { return lru_.victim(set, candidates); }
  bool mayBypass() const override { return true; }
  bool bypasses(u32, const Request& access) const override {
    const Counter& counter = counters_[indexOf(access)];
    return access.origin.isKnown() && counter.dead == mostCount_ && counter.inARow + 1 < sampling_;
  }
  void bypassed(u32, const Request& access) override { ++counters_[indexOf(access)].inARow; }

 private:
  struct Line {
    u32 counter = 0;  // index of that of the instruction that brought the line
    bool isKnown = false, isReused = false;
  };
  struct Counter {
    u32 dead = 0;
    u32 inARow = 0;  // accesses that went by
  };

  u32 indexOf(const Request& access) const { return access.origin.pc & mask_; }
  Line& at(u32 set, u32 way) { return lines_[u64{set} * ways_ + way]; }

  Lru lru_;
  u32 mask_, mostCount_, sampling_, ways_;
  std::vector<Line> lines_;
  std::vector<Counter> counters_;
};

inline constexpr ReplacementEntry kPcBypass{
    {.name = "pc_bypass",
     .text = "lru, past which accesses go of instructions whose lines leave unused.",
     .source = "Tyson and others, \"A Modified Approach to Data Cache Management\", MICRO-28, 1995; Tian and others, \"Adaptive GPU Cache "
               "Bypassing\", GPGPU-8, 2015",
     .defaults = config::policyDefaults<PcBypassSettings>,
     .settings = config::policySettings<PcBypassSettings, pcBypassRows>},
    [](const std::any& settings, const ReplacementContext& context) -> std::unique_ptr<Replacement> {
      return std::make_unique<PcBypass>(std::any_cast<const PcBypassSettings&>(settings), context);
    }};

}  // namespace warpwright::mem
