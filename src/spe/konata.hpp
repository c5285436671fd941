// A pipeline log for the viewer Konata: when each instruction was issued, and when its result could be used.
#pragma once

#include <string>
#include <vector>

#include "spe/pipeline.hpp"

namespace warpwright::spe {

class KonataLog final : public PipelineListener {
 public:
  void issued(const Issue& issue) override;
  // All of it, in the order of time.
  std::string text() const;

 private:
  struct Event {
    u64 cycle = 0;
    std::string text;
  };

  u64 count_ = 0;
  std::vector<Event> events_;
};

}  // namespace warpwright::spe
