// Carrying out what an experiment still lacks.
#pragma once

#include <string>
#include <vector>

#include "lab/execution/limits.hpp"
#include "lab/store/store.hpp"

namespace warpwright::lab {

struct SweepOptions {
  u32 jobs = 1;
  Limits limits;
  bool quiet = false;                     // no progress
  std::vector<std::string> slurmOptions;  // further ones of sbatch: "--partition=long"
};

enum class SweepEnd { finished, interrupted };

// Runs that processes took and did not finish before they died wait again. Those that Slurm has are left alone.
void releaseAbandoned(Store& store);

// As processes of this machine, `jobs` at a time, until nothing waits and nobody runs anything. SIGINT and SIGTERM end it early; what runs
// then waits again. Other processes may work on the same experiment.
SweepEnd runHere(Store& store, Id experiment, const Simulator& simulator, const SweepOptions& options);

// As job arrays of Slurm, at most `jobs` tasks at a time (0: as many as Slurm allows). Results come as files in FILE.slurm beside the
// store, which must be a folder that the nodes share, and are merged as they come. Ended early, it leaves the jobs to Slurm; the next call
// goes on with them.
SweepEnd runOnSlurm(Store& store, Id experiment, const Simulator& simulator, const SweepOptions& options);

// A task of such an array, on a node: number `index` of the batch in `folder`. False: a signal ended it before it had a result.
bool runSlurmTask(const std::string& folder, u32 index, const Simulator& simulator);

}  // namespace warpwright::lab
