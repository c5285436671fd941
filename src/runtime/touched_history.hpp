// What the launches of a program have touched so far, as far as the last-level cache of a machine could still hold it.
#pragma once

#include <deque>
#include <vector>

#include "base/touched_line.hpp"
#include "machines/copied.hpp"

namespace warpwright::runtime {

class TouchedHistory {
 public:
  struct Step {  // in the order of time: copies of the host, then what a launch touched
    std::vector<machines::Copied> copied;
    std::vector<TouchedLine> lines;
  };

  // mostLines: that are worth to be remembered.
  explicit TouchedHistory(u64 mostLines) : mostLines_(mostLines) {}

  void add(Step step) {
    count_ += step.lines.size();
    steps_.push_back(std::move(step));
    while (count_ - steps_.front().lines.size() >= mostLines_) {
      count_ -= steps_.front().lines.size();
      steps_.pop_front();
    }
  }
  const std::deque<Step>& steps() const { return steps_; }

 private:
  u64 mostLines_;
  u64 count_ = 0;
  std::deque<Step> steps_;
};

}  // namespace warpwright::runtime
