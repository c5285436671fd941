// What launches of a sampled program take, kept in a folder: each is timed once, by whichever run of the program, on whichever host.
//
// A run has a file of its own there, part-K-of-N.jsonl: a line for what its times hang on, and one for each launch that it has timed, so
// that nothing is lost when it is stopped. What a launch takes follows from the program and the machine alone (Launches::executeFirst), not
// from which other launches a run has timed.
#pragma once

#include <fstream>
#include <map>
#include <string>

#include "runtime/sample_part.hpp"
#include "stats/estimate.hpp"
#include "stats/json_type.hpp"

namespace warpwright::runtime {

class LaunchTimes {
 public:
  struct Key {
    u64 number = 0;  // of the launch in its program, from 1 on
    std::string kernel;
    u64 warpInstructions = 0;
  };
  struct Time {
    stats::Estimate cycles;
    u64 instructionsInDetail = 0;  // warp instructions of the blocks that were not left out
  };

  // Reads what the folder holds. conditions: whatever decides what a launch takes, as text. Throws Error for a folder that cannot be read
  // or written, and for one with times of other conditions.
  LaunchTimes(const std::string& folder, SamplePart part, const std::string& conditions);

  // Null: nobody has timed it. Throws Error where the folder holds another launch of that number.
  const Time* find(const Key& launch) const;
  // Whether this run times it, if somebody must.
  bool isMine(const Key& launch) const;
  // This run has timed it. Throws Error when that cannot be written.
  void add(const Key& launch, const Time& time);

 private:
  struct Known {
    Key launch;
    Time time;
    std::string file;
  };

  void read(const std::string& file, const std::string& conditions);
  void addKnown(const stats::Json& record, const std::string& file);
  void open(const std::string& conditions);
  void write(const std::string& line);

  std::string file_;
  SamplePart part_;
  std::map<u64, Known> known_;  // by number
  std::ofstream out_;
};

}  // namespace warpwright::runtime
