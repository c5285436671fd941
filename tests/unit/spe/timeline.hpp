// When the SPU issued what.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "spe/spu.hpp"

namespace warpwright::spe {

// "ila@0 lqd@2 …": what was issued when.
class Timeline : public PipelineListener {
 public:
  void issued(const Issue& issue) override {
    text += std::string(text.empty() ? "" : " ") + std::string(nameOf(issue.instruction.opcode)) + "@" + std::to_string(issue.cycle);
  }
  std::string text;
};

template <typename Body>
std::string timelineOf(const Machine& machine, Body&& body) {
  Spu spu(machine);
  Timeline timeline;
  spu.listen(&timeline);
  body(spu);
  spu.finish();
  EXPECT_TRUE(spu.statistics().isConserved());
  return timeline.text;
}

}  // namespace warpwright::spe
