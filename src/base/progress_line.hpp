// How far long work is, on standard error: on a terminal a line that changes, in a log a line now and then. Work that is soon done shows
// nothing.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace warpwright {

class ProgressLine {
 public:
  enum class In { nothing, terminals, terminalsAndLogs };

  explicit ProgressLine(In in);
  ~ProgressLine();  // leaves a terminal's line empty
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Whether it is time for show(): after two seconds, on a terminal five times a second, in a log twice a minute.
  bool isDue() const { return enabled_ && Clock::now() >= next_; }
  void show(std::string_view text);
  void clear();  // a terminal's line
  // Since the work began.
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  bool onTerminal_, enabled_;
  bool drawn_ = false;
  Clock::time_point begin_ = Clock::now(), next_;
};

// "7 s", "2 min 10 s", "3 h 5 min"; what is begun counts whole.
std::string durationText(double seconds);

}  // namespace warpwright
