// The options that say how to simulate. `run` and `kernel` share them; each is a variable of the environment (runtime/environment.hpp).
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace warpwright::cli {

struct SimulationOptions {
  std::string machine, json, csv, check, onFault, dump;
  std::vector<std::string> overrides;  // of the machine's keys: "l1d.ways=8"
  int addressBits = 0;                 // 0: as the code says
  u32 maxRegisters = 0;                // 0: as many as the machine has
  u32 devices = 0;                     // 0: as the environment says
  std::string spillFirst;
  bool lines = false, data = false, quiet = false;
  std::string kernel;
  bool timed = false, functional = false, noSkip = false, sample = false;
  u32 threads = 0;                    // 0: as the environment says
  u64 maxCycles = 0, maxSeconds = 0;  // 0: no limit
  std::string inject;
  std::string trace, traceWindow, konata, series, functionalUntil, sampleBlocks, sampleError, sampleTimes, samplePart, checkpoint,
      pcHistogram, energy;
  u64 interval = 0, pcInterval = 0;  // 0: as the environment says

  void addTo(CLI::App& command);
  // Those that have a meaning where nothing is executed: the machine, how its time is simulated, and what is written down of it.
  void addForRecorded(CLI::App& command);
  // Puts what was given in the environment. Throws Error for a machine or a check that does not exist.
  void exportToEnvironment() const;

 private:
  void addMachine(CLI::App& command);
  void addReports(CLI::App& command);
  void addTiming(CLI::App& command);
  void addSimulation(CLI::App& command);
  void addTraces(CLI::App& command);
  void addParts(CLI::App& command);
};

// `--set KEY=VALUE` and `--mechanism NAME,…`, as often as wanted.
void addOverrides(CLI::App& command, std::vector<std::string>& overrides);

// `--max-registers N` and `--spill-first POLICY`.
void addRegisterOptions(CLI::App& command, u32& maxRegisters, std::string& spillFirst);

// The list of variables, for help texts.
std::string environmentHelp();

}  // namespace warpwright::cli
