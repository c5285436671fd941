// The memory side is made of sections: the two networks, and each partition with its DRAM channel. A domain simulates one of them, or
// several in step.
#pragma once

#include <vector>

#include "engine/domain.hpp"

namespace warpwright::mem {

class Section {
 public:
  virtual ~Section() = default;
  // Before the cycles of a quantum: its channels have turned.
  virtual void begin() {}
  // One core cycle: the ticks of the section's own clocks that fall into it. False: nothing changed.
  virtual bool cycle(Cycle now) = 0;
  // Before cycle(now): the earliest cycle, from then on, in which it could do something, unless something arrives.
  virtual Cycle nextEvent(Cycle now) const = 0;
};

// Sections that go from one cycle to the next together, in their order, and may look into one another.
class InStep final : public engine::Domain {
 public:
  // The sections must outlive it. skip: false makes every cycle.
  InStep(std::vector<Section*> sections, bool skip) : sections_(std::move(sections)), skip_(skip) {}

  void run(Cycle from, Cycle until) override;
  Cycle nextUseful() const override { return nextEvent(now_); }

 private:
  Cycle nextEvent(Cycle now) const;

  std::vector<Section*> sections_;
  bool skip_;
  Cycle now_{};  // simulated up to it
};

}  // namespace warpwright::mem
