// Slurm's commands.
#pragma once

#include <string>
#include <vector>

#include "lab/execution/batch.hpp"

namespace warpwright::lab {

// Throws Error when the commands are not installed, or no controller answers.
void requireSlurm();

// The most tasks that an array may have.
u32 mostTasks();

// The call of sbatch for a batch: a task for each run, at most `jobs` at a time (0: no bound), begun anew when a node fails. `options` are
// sbatch's own, and go before what the batch needs.
std::vector<std::string> submission(const Batch& batch, u32 jobs, const std::vector<std::string>& options, const std::string& executable);
// Hands the batch to Slurm. Throws Error, with what sbatch says.
void submit(const Batch& batch, u32 jobs, const std::vector<std::string>& options, const std::string& executable);

enum class Queue { queued, gone, unknown };
// unknown: no controller answers.
Queue stateOf(const Batch& batch);

}  // namespace warpwright::lab
