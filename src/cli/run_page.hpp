// `warpwright run --html`: what a program's kernels did, as the page that `warpwright report` writes of an experiment.
#pragma once

#include <string>
#include <vector>

namespace warpwright::cli {

struct PageRequest {
  std::string file;                    // to write
  std::vector<std::string> command;    // the program, and its arguments
  std::string machine;                 // a preset or a file
  std::vector<std::string> overrides;  // of its keys: "l1d.ways=8"
  std::string profile;                 // the JSON of the run
  std::string series;                  // CSV; empty: none
};

// Before the program runs: throws Error for a file that cannot be written.
void checkPage(const std::string& file);
void writePage(const PageRequest& request);

}  // namespace warpwright::cli
