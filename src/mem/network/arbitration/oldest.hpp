#pragma once

#include "mem/network/arbitration/arbitration.hpp"

namespace warpwright::mem {

// The one whose packet was accepted first; of several the lowest number.
class OldestPacket final : public Arbitration {
 public:
  u32 pick(const Contest& contest) override {
    u32 best = IndexSet::kNone;
    NetworkTick bestTime = kNeverOf<NetworkClock>;
    contest.waiting().forEach([&](u32 local) {
      if (!contest.isEligible(local)) return;
      const NetworkTick accepted = contest.accepted(local);
      if (accepted >= bestTime) return;
      best = local;
      bestTime = accepted;
    });
    return best;
  }
};

inline constexpr ArbitrationEntry kOldestPacket{
    {.name = "oldest",
     .text = "The packet that has been in the network longest.",
     .source = "Dally and Towles, \"Principles and Practices of Interconnection Networks\", chapter 15 (age-based fairness)"},
    [](const std::any&) -> std::unique_ptr<Arbitration> { return std::make_unique<OldestPacket>(); }};

}  // namespace warpwright::mem
