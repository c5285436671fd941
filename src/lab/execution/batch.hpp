// A folder through which a job array is told what to run, and tells what came of it: it needs no database on the nodes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/execution/limits.hpp"
#include "lab/store/store.hpp"

namespace warpwright::lab {

struct Task {
  Id run = 0;
  RunSpec spec;
};

class Batch {
 public:
  // A new one without tasks, in a folder of its own within `parent`.
  static Batch make(const std::string& parent);
  explicit Batch(const std::string& folder) : folder_(folder) {}

  const std::string& folder() const { return folder_; }
  std::string name() const;           // of the job in Slurm: "warpwright-" and the folder's
  std::string owner() const;          // in the store
  std::string outputPattern() const;  // for Slurm: what tasks print

  void write(const std::vector<Task>& tasks, const Limits& limits, const std::string& revision) const;
  // Slurm has it.
  void markSubmitted() const;
  bool isSubmitted() const;

  std::vector<Id> runs() const;
  Task task(u32 index) const;
  Limits limits() const;
  std::string revision() const;

  void writeOutcome(u32 index, const Outcome& outcome) const;
  // Nothing: not there yet.
  std::optional<Outcome> outcome(u32 index) const;
  bool hasOutcome(u32 index) const;
  // What the task printed, where it gave no outcome.
  std::string printed(u32 index) const;
  void remove() const;

 private:
  std::string file(u32 index, const char* extension) const;

  std::string folder_;
};

// Owners that batches have begin with it.
inline constexpr std::string_view kSlurmOwner = "slurm ";

}  // namespace warpwright::lab
