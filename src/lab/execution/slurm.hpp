// Slurm's commands.
#pragma once

#include <string>

#include "lab/execution/batch.hpp"

namespace warpwright::lab {

// Throws Error when the commands are not installed, or no controller answers.
void requireSlurm();

// The most tasks that an array may have.
u32 mostTasks();

// Hands the batch to Slurm: a task for each run, at most `jobs` at a time (0: no bound), begun anew when a node fails. Throws Error.
void submit(const Batch& batch, u32 jobs, const std::string& executable);

enum class Queue { queued, gone, unknown };
// unknown: no controller answers.
Queue stateOf(const Batch& batch);

}  // namespace warpwright::lab
