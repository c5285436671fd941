#pragma once

#include "mem/network/arbitration/arbitration.hpp"

namespace warpwright::mem {

// The first one after the one that went last.
class RoundRobin final : public Arbitration {
 public:
  u32 pick(const Contest& contest) override {
    return contest.waiting().findFrom(contest.nextTurn(), [&](u32 local) { return contest.isEligible(local); });
  }
};

inline constexpr ArbitrationEntry kRoundRobin{
    {.name = "round_robin",
     .text = "Packets take turns: the next channel of the router behind the one that went last.",
     .source = "Dally and Towles, \"Principles and Practices of Interconnection Networks\", chapter 18"},
    [](const std::any&) -> std::unique_ptr<Arbitration> { return std::make_unique<RoundRobin>(); }};

}  // namespace warpwright::mem
