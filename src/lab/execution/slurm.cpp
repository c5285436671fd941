#include "lab/execution/slurm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.hpp"
#include "cc/driver/process.hpp"

namespace warpwright::lab {
namespace {

constexpr u32 kDefaultMostTasks = 1000;  // Slurm's own default for MaxArraySize is 1001
constexpr u64 kMebi = u64{1} << 20;
// Slurm's own limits stand behind those that a task enforces itself, and must not come first.
constexpr u64 kSpareMebi = 512;
constexpr s64 kSpareMinutes = 2;

std::string trimmed(std::string text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
  return text;
}

std::string scriptFor(const Batch& batch, const std::string& executable) {
  return "exec " + cc::quoted({executable, "lab", "task", batch.folder()}) + " \"$SLURM_ARRAY_TASK_ID\"";
}

}  // namespace

void requireSlurm() {
  for (const char* tool : {"sbatch", "squeue", "scontrol"}) {
    int status = 0;
    cc::capture({"/bin/sh", "-c", fmt::format("command -v {}", tool)}, &status);
    if (status != 0)
      throw Error(fmt::format("Slurm is not installed here: no '{}' in PATH", tool), {},
                  "install slurm-client (slurm-wlm), add its folder to PATH, or use --launcher local");
  }
  int status = 0;
  const std::string answer = cc::capture({"scontrol", "ping"}, &status);
  if (status != 0 || answer.find(" UP") == std::string::npos)
    throw Error("Slurm's controller does not answer: " + trimmed(answer), {}, "start slurmctld, or use --launcher local");
}

u32 mostTasks() {
  const std::string text = cc::capture({"scontrol", "show", "config"});
  const std::size_t line = text.find("MaxArraySize");
  const std::size_t number = line == std::string::npos ? line : text.find_first_of("0123456789", line);
  u32 size = 0;
  if (number != std::string::npos) std::from_chars(text.data() + number, text.data() + text.size(), size);
  return size > 1 ? size - 1 : kDefaultMostTasks;
}

std::vector<std::string> submission(const Batch& batch, u32 jobs, const std::vector<std::string>& options, const std::string& executable) {
  const std::size_t tasks = batch.runs().size();
  const Limits limits = batch.limits();
  cc::Command command = {"sbatch"};
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"--parsable", "--requeue", "--job-name", batch.name(), "--output", batch.outputPattern(),
                                 "--open-mode=append", "--cpus-per-task=1"});
  command.push_back(fmt::format("--array=0-{}{}", tasks - 1, jobs == 0 ? "" : fmt::format("%{}", jobs)));
  if (limits.memoryBytes != 0) command.push_back(fmt::format("--mem={}M", limits.memoryBytes / kMebi + kSpareMebi));
  if (limits.timeout.count() != 0) command.push_back(fmt::format("--time={}", limits.timeout.count() / 60 + kSpareMinutes));
  command.insert(command.end(), {"--wrap", scriptFor(batch, executable)});
  return command;
}

void submit(const Batch& batch, u32 jobs, const std::vector<std::string>& options, const std::string& executable) {
  const cc::Command command = submission(batch, jobs, options, executable);
  int status = 0;
  const std::string answer = cc::capture(command, &status);
  if (status != 0)
    throw Error("sbatch refuses the job: " + trimmed(answer), {},
                "the command was: " + cc::quoted(command) + "; --slurm-option passes on what your site asks for (a partition, an account)");
}

Queue stateOf(const Batch& batch) {
  int status = 0;
  const std::string answer = cc::capture({"squeue", "--noheader", "--format=%i", "--name", batch.name()}, &status);
  if (status != 0) return Queue::unknown;
  return trimmed(answer).empty() ? Queue::gone : Queue::queued;
}

}  // namespace warpwright::lab
