// Which launches of a program are timed. Each is executed first; then it is known what it did, and it is timed, as if it had not been
// executed, or its time follows from those that did the like.
#pragma once

#include <map>
#include <utility>

#include "exec/observer_list.hpp"
#include "sampling/block_events.hpp"
#include "sampling/groups.hpp"
#include "sampling/recent_lines.hpp"
#include "sampling/state_errors.hpp"
#include "sampling/undo_log.hpp"

namespace warpwright::sampling {

class Sampler {
 public:
  // error: of the cycles of a group of launches, to either side, as a share. sizes, mostLines: of the lines that are remembered, and how
  // many are.
  Sampler(double error, const LineSizes& sizes, u64 mostLines) : error_(error), sizes_(sizes), mostLines_(mostLines), groups_(error) {}

  double error() const { return error_; }

  // Whether a launch can be put back after it has been executed.
  bool canExecuteFirst(const exec::LaunchRequest& request);

  // --- of a launch that is executed first
  // Who hears of it; others: who does besides. The listener is there until the launch has been settled or given up.
  exec::Observer& listen(const exec::LaunchRequest& request, exec::Observer* others);
  // It has been executed; use: what the profile counted. Whether it must be timed.
  bool mustTime(const exec::LaunchRequest& request, const exec::LaunchResult& result, const profile::Counters& use);
  // Memory is as it was before the launch.
  void putBack() { listeners_->undo.undo(); }
  const std::vector<u64>& blockEvents() const { return listeners_->blocks.counts(); }
  // The lines that it touched last, in the order of the last touch.
  std::vector<TouchedLine> lines() const { return listeners_->lines.latest(mostLines_); }
  // What it executed, by pc.
  const std::vector<Signature::Executed>& executed() const { return signature_.executed; }
  stats::Estimate predicted() const { return groups_.predict(group_, signature_); }
  // It was timed, so many of its instructions in detail.
  void timed(const stats::Estimate& cycles, u64 instructionsInDetail, Begin begin = Begin::behindTimed);
  // Whether a launch behind a timed one shall be timed both ways, and what came of it.
  bool isStateCheckDue() const { return errors_.isDue(); }
  void stateChecked(double recalled, double behindTimed) { errors_.checked(recalled, behindTimed); }
  // It must be timed, and another run of the program does so.
  void leftToOthers() { groups_.leftToOthers(group_); }
  void forgetLaunch() { listeners_.reset(); }

  // A launch was timed that could not be executed first: beside others, or because it cannot be put back.
  void timedInFull(const exec::LaunchRequest& request, const exec::LaunchResult& result, const stats::Estimate& cycles);

  // Of a kernel, and of all.
  Sampled of(const std::string& kernel, const std::string& module) const;
  Sampled all() const;

 private:
  struct Listeners {
    Listeners(const LineSizes& sizes, u64 blocksOfGrid) : lines(sizes), blocks(blocksOfGrid) {}
    UndoLog undo;
    RecentLines lines;
    BlockEvents blocks;
    exec::ObserverList all;
  };
  using Kernel = std::pair<std::string, std::string>;  // its name, and its module's
  struct TimedCycles {
    double all = 0, recalled = 0;
    TimedCycles& operator+=(const TimedCycles& other);
  };

  // The cycles of launches, with what is to be added because some began behind others that were not timed.
  Sampled withStates(Sampled sampled, const TimedCycles& timed) const;

  double error_;
  LineSizes sizes_;
  u64 mostLines_;
  Groups groups_;
  std::map<Kernel, Sampled> inFull_;
  std::map<Kernel, TimedCycles> timedCycles_;
  StateErrors errors_;
  std::map<std::pair<u64, Pc>, bool> isReplayable_;  // by the number of the program, and where the kernel begins
  std::unique_ptr<Listeners> listeners_;
  Signature signature_;
  GroupId group_;
};

}  // namespace warpwright::sampling
