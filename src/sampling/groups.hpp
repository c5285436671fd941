// Launches that are alike, and what is known of the time of a group by those of its launches that were timed. Launches come one after the
// other, and each is decided upon when it comes.
#pragma once

#include <string>
#include <vector>

#include "sampling/signature.hpp"
#include "stats/estimate.hpp"

namespace warpwright::sampling {

using GroupId = Id<struct LaunchGroup>;

// Of the launches of a kernel, or of a program.
struct Sampled {
  stats::Estimate cycles;  // of all of them
  u64 launches = 0, timed = 0, groups = 0;
  // Of those timed: all of a group, which are like no others; beside launches of other streams; and those that cannot be run again.
  u64 unlike = 0, besideOthers = 0, notReplayable = 0;
  u64 leftToOthers = 0;  // that must be timed and are by another run
  // Of those timed: that executed other numbers of instructions than before, when they were executed alone. What they do depends on the
  // order in which their threads run, and may so of later launches.
  u64 otherwise = 0;
  u64 warpInstructions = 0, timedWarpInstructions = 0;
};
Sampled operator+(const Sampled& one, const Sampled& other);

class Groups {
 public:
  // error: how wide the interval of a group's cycles may be to either side, as a share of them.
  explicit Groups(double error) : error_(error) {}

  // A launch has been executed: the group that it is in from now on.
  GroupId add(const Signature& signature);
  // Whether the launch that was added last must be timed: it is the first of its group, or behind that the first, second, sixth,
  // twenty-ninth, 122nd …, so that what changes in the course of the program is seen, or the interval is too wide without it. Where others
  // time some of the group, its interval is not known, and does not ask for more.
  bool mustTime(GroupId group) const;
  // It must, and another run times it.
  void leftToOthers(GroupId group) { ++groups_[group].leftToOthers; }
  // That launch was timed.
  void timed(GroupId group, const Signature& signature, const stats::Estimate& cycles, u64 instructionsInDetail);
  // What the launch that was added last takes if it is not timed: like the last that was.
  stats::Estimate predict(GroupId group, const Signature& signature) const;

  // Of a kernel, and of all.
  Sampled of(const std::string& kernel, const std::string& module) const;
  Sampled all() const;

 private:
  struct Group {
    Signature first;
    u64 launches = 0;
    u64 warpInstructions = 0;
    u64 inDetail = 0;  // of those, in blocks of timed launches that were not left out
    // The first launch stands for no other: it finds caches cold that others find warm.
    stats::Estimate ofFirst;
    // The others that were timed, in their order. Of the launches between two of them, half go like the one and half like the other: what
    // drifts is followed, where the mean of those timed, most of which come early, is not that of all. Size: warp instructions.
    std::vector<stats::Representative> measured;
    double behindLast = 0;  // size of the launches that came behind the last of them
    u64 timed = 0, leftToOthers = 0, otherwise = 0;
    // A launch was timed that is not the first.
    void measure(double size, const stats::Estimate& cycles);
    stats::Estimate whole() const;
    Sampled sampled() const;
  };

  double error_;
  std::vector<Group> groups_;
};

}  // namespace warpwright::sampling
