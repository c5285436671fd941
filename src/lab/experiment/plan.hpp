// The runs that an experiment asks for, each with everything its result depends on.
#pragma once

#include <string>
#include <vector>

#include "lab/experiment/experiment.hpp"
#include "lab/identity/simulator.hpp"

namespace warpwright::lab {

// One call of `warpwright run`. Equal keys give equal results, whatever the experiment is called.
struct RunSpec {
  std::string key;  // SHA-256 over what follows, the simulator's revision, and the files that arguments name
  std::string program, programHash;
  std::vector<std::string> arguments;
  std::string machine;        // its name, for people
  std::string configuration;  // resolved, as TOML
  std::string configurationHash;
  Settings options;     // by name
  std::string command;  // that repeats it
};

// Where a run stands in the experiment.
struct Cell {
  RunSpec run;
  std::string program, application, machine;  // labels
  Settings parameters;                        // swept, in the order of the file's sweeps
};

struct Plan {
  Experiment experiment;
  Simulator simulator;
  std::vector<Cell> cells;  // program by program, machine by machine, the last parameter fastest
  std::string hash;         // of the experiment's text and its runs: another plan has another
};

// Looks for programs and machines, and adds what is missing or refused to `mistakes`; relative paths start at the file's folder.
Plan plan(const Experiment& experiment, const Simulator& simulator, Mistakes& mistakes);

// Reads, parses and plans a file. Throws MistakesFound.
Plan planFile(const std::string& file, const Simulator& simulator);

// The program of a workload's name, compiled for addresses of so many bits, or of a path. Throws Error.
std::string findProgram(const std::string& run, const std::string& addressBits, const std::string& folder, const Simulator& simulator);

}  // namespace warpwright::lab
