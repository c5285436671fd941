// What the launches of a program have touched so far, as far as caches of a machine could still hold it: the last-level cache their lines,
// instruction caches their code.
#pragma once

#include <deque>

#include "machines/touched.hpp"

namespace warpwright::runtime {

class TouchedHistory {
 public:
  // That are worth to be remembered. As a launch of one block brings its code to one SM, so many launches are remembered in any case.
  struct Most {
    u64 lines = 0, codeBytes = 0, launches = 0;
  };
  explicit TouchedHistory(const Most& most) : most_(most) {}

  void add(machines::Touched launch) {
    lines_ += launch.lines.size();
    codeBytes_ += launch.kernel.bytes;
    launches_.push_back(std::move(launch));
    forgetLines();
    forgetCode();
  }
  // In the order of time. Of the earlier ones no more is known than their code.
  const std::deque<machines::Touched>& launches() const { return launches_; }

 private:
  void forgetLines() {
    while (linesFrom_ + 1 < launches_.size() && lines_ - launches_[linesFrom_].lines.size() >= most_.lines) {
      machines::Touched& oldest = launches_[linesFrom_++];
      lines_ -= oldest.lines.size();
      oldest.lines = {};
      oldest.copied = {};
    }
  }
  void forgetCode() {
    while (linesFrom_ != 0 && launches_.size() > most_.launches && codeBytes_ - launches_.front().kernel.bytes >= most_.codeBytes) {
      codeBytes_ -= launches_.front().kernel.bytes;
      launches_.pop_front();
      --linesFrom_;
    }
  }

  Most most_;
  u64 lines_ = 0, codeBytes_ = 0;
  std::size_t linesFrom_ = 0;  // the first launch whose lines are remembered
  std::deque<machines::Touched> launches_;
};

}  // namespace warpwright::runtime
