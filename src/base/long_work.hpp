// Work in pieces, each of which may itself take long: which one is under way, how many are done, and how long the rest will take, as soon
// as the whole takes longer than two seconds (base/progress_line.hpp).
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "base/progress_line.hpp"
#include "base/types.hpp"

namespace warpwright {

class LongWork {
 public:
  // pieces: how many there are; 0: nobody knows.
  explicit LongWork(std::string name, u64 pieces = 0, ProgressLine::In in = ProgressLine::In::terminalsAndLogs);
  ~LongWork();
  LongWork(const LongWork&) = delete;
  LongWork& operator=(const LongWork&) = delete;

  // The next piece begins, so that the one before has ended.
  void begin(std::string piece);
  // It has ended, and other work comes before the next: nothing is shown.
  void rest();

 private:
  void watch();

  const std::string name_;
  const u64 pieces_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string piece_;
  u64 done_ = 0;
  double pieceBegan_ = 0;  // seconds
  bool isUnderWay_ = false, isOver_ = false;
  ProgressLine line_;
  std::thread watcher_;  // last: it uses all the others
};

// "sweep: 3 of 14 done, now harper; 1 min 10 s left": of the pieces that are done, their mean is taken for the others. pieces 0: "sweep: 3
// done, now harper, for 12 s".
std::string longWorkText(const std::string& name, u64 pieces, u64 done, const std::string& piece, double seconds, double ofPiece);

}  // namespace warpwright
