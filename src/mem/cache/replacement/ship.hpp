// Signature-based hit prediction (Wu, Jaleel, Hasenplaugh, Martonosi, Steely, Emer: "SHiP: Signature-based Hit Predictor for High
// Performance Caching", MICRO 2011) over re-reference interval prediction (Jaleel, Theobald, Steely, Emer: "High Performance Cache
// Replacement Using Re-Reference Interval Prediction (RRIP)", ISCA 2010).
#pragma once

#include <algorithm>
#include <vector>

#include "mem/cache/replacement/replacement.hpp"

namespace warpwright::mem {

struct ShipSettings {
  u32 signatureBits = 14, counterBits = 3, intervalBits = 2;
};

inline std::span<const config::Row<ShipSettings>> shipRows() {
  static constexpr std::array kRows = {
      config::row<&ShipSettings::signatureBits>("signature_bits", "bits", {1, 20},
                                                "Of the signature, the pc folded by exclusive-or; so many counters are there. Default: 14 "
                                                "(Wu and others, SHiP-PC)."),
      config::row<&ShipSettings::counterBits>("counter_bits", "bits", {1, 8}, "Of a counter. Default: 3 (Wu and others)."),
      config::row<&ShipSettings::intervalBits>(
          "interval_bits", "bits", {1, 8}, "Of a line's predicted re-reference interval. Default: 2 (Jaleel and others; Wu and others)."),
  };
  return kRows;
}

// Each line has a predicted re-reference interval, and a line with the largest makes room. A counter for each signature says whether lines
// that its instructions brought were used again: up on a hit, down when one leaves unused. A line of a signature whose counter is 0 comes
// with the largest interval, any other with the one below; a hit makes it 0.
class Ship final : public Replacement {
 public:
  Ship(const ShipSettings& settings, const ReplacementContext& context)
      : signatureBits_(settings.signatureBits),
        mostCount_((1u << settings.counterBits) - 1),
        distant_((1u << settings.intervalBits) - 1),
        ways_(context.ways),
        lines_(u64{context.sets} * context.ways),
        // A signature that nobody knows yet is as one that is used again: lines come as without prediction.
        counters_(u64{1} << settings.signatureBits, 1) {}

  void touched(u32 set, u32 way, const Request&, bool) override {
    Line& line = at(set, way);
    line.interval = 0;
    line.isReused = true;
    if (line.isPredicted && counters_[line.signature] < mostCount_) ++counters_[line.signature];
  }
  void installed(u32 set, u32 way, const Request& access) override {
    const u32 signature = signatureOf(access.origin.pc);
    const bool isPredicted = access.origin.isKnown(), isDistant = isPredicted && counters_[signature] == 0;
    at(set, way) = {signature, isDistant ? distant_ : distant_ - 1, isPredicted, false};
  }
  void left(u32 set, u32 way, bool isDisplaced) override {
    if (!isDisplaced) return;
    const Line line = at(set, way);
    if (line.isPredicted && !line.isReused && counters_[line.signature] != 0) --counters_[line.signature];
    // The lines of the set have grown older until this one was as old as can be.
    for (u32 other = 0; other < ways_; ++other) {
      u32& interval = at(set, other).interval;
      interval = std::min(distant_, interval + (distant_ - line.interval));
    }
  }
  u32 victim(u32 set, WaySet candidates) const override {
    u32 best = candidates.takeLeast();
    for (const u32 way : candidates) {
      if (at(set, way).interval > at(set, best).interval) best = way;
    }
    return best;
  }

 private:
  struct Line {
    u32 signature = 0, interval = 0;
    bool isPredicted = false, isReused = false;
  };

  u32 signatureOf(Pc pc) const {
    u32 signature = 0;
    for (u32 rest = pc; rest != 0; rest >>= signatureBits_) signature ^= rest;
    return signature & ((1u << signatureBits_) - 1);
  }
  Line& at(u32 set, u32 way) { return lines_[u64{set} * ways_ + way]; }
  const Line& at(u32 set, u32 way) const { return lines_[u64{set} * ways_ + way]; }

  u32 signatureBits_, mostCount_, distant_, ways_;
  std::vector<Line> lines_;
  std::vector<u32> counters_;
};

inline constexpr ReplacementEntry kShip{
    {.name = "ship",
     .text = "Re-reference intervals, predicted by the instruction that brings a line: lines of instructions whose lines leave unused go "
             "first.",
     .source = "Wu and others, \"SHiP: Signature-based Hit Predictor for High Performance Caching\", MICRO 2011 (SHiP-PC)",
     .defaults = config::policyDefaults<ShipSettings>,
     .settings = config::policySettings<ShipSettings, shipRows>},
    [](const std::any& settings, const ReplacementContext& context) -> std::unique_ptr<Replacement> {
      return std::make_unique<Ship>(std::any_cast<const ShipSettings&>(settings), context);
    }};

}  // namespace warpwright::mem
