// How many helpers pay. On a host whose processors are taken by others, threads that need each other at every step may lose more than
// they gain, and how much depends on the load of the moment: so it is measured. Now and then, for a short while, another number of them
// works; the quicker one stays.
#pragma once

#include <chrono>

#include "base/types.hpp"

namespace warpwright::engine {

class CrewSize {
 public:
  using Time = std::chrono::duration<double>;  // seconds

  explicit CrewSize(u32 most) : most_(most), kept_(most) {}

  // For the next piece of work.
  u32 helpers() const { return stretch_ == Stretch::trial ? tried_ : kept_; }
  // A piece of work of so many parts took so long.
  void worked(u64 parts, Time time);

 private:
  // measured: right before a trial, so that both see the same phase of the program.
  enum class Stretch : u8 { held, measured, trial };

  void enter(Stretch stretch, Time length);
  u32 nextTrial();

  u32 most_, kept_, tried_ = 0;
  bool triesMore_ = false;
  Stretch stretch_ = Stretch::held;
  Time length_{}, spent_{};  // of the stretch at hand
  u64 parts_ = 0;            // done in it
  Time measured_{};          // a part took
};

}  // namespace warpwright::engine
