// What was run, what is to be run, and what came of it. Many processes may use one store at once.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "lab/experiment/plan.hpp"
#include "lab/store/database.hpp"

namespace warpwright::lab {

using Id = s64;

enum class State { waiting, running, done, failed, timedOut };
std::string_view nameOf(State state);
State stateNamed(std::string_view name);

// How a run ended.
struct Outcome {
  State state = State::done;
  std::string message;  // why it failed, or was stopped
  int exitStatus = 0;
  double seconds = 0;
  u64 peakBytes = 0;
  std::string started;  // UTC, ISO 8601
  std::string profile;  // the JSON of `warpwright run --json`; empty: none
  std::string series;   // CSV; empty: none
};

struct ExperimentInfo {
  Id id = 0;
  std::string name, file, text, created, revision;
};

// A row of the view run_list.
struct RunInfo {
  Id run = 0;
  u64 position = 0;
  std::string program, application, machine;  // labels
  Settings parameters;
  State state = State::waiting;
  std::string message, command;
  double seconds = 0;
  // What the run is made of, to tell why two differ.
  std::string key, programHash, configurationHash, revision;
};

// How far the runs of a program are.
struct ProgramProgress {
  u64 waiting = 0, running = 0, done = 0, failed = 0;
  double seconds = 0;  // mean of those that ended
};

struct KernelInfo {
  std::string label, name;
  std::string statistics;  // JSON object
};

class Store {
 public:
  explicit Store(const std::string& file, const OpenOptions& options = {});
  const std::string& file() const { return database_.file(); }

  // Adds what is not there yet, in one transaction; the same plan again changes nothing.
  Id add(const Plan& plan);

  // The runs of an experiment that wait become `owner`'s, one at a time. Nothing: none waits.
  std::optional<Id> claim(Id experiment, const std::string& owner);
  // The first runs that wait, `most` at most.
  std::vector<Id> waiting(Id experiment, u64 most);
  // Those of them that still wait become `owner`'s, and are returned.
  std::vector<Id> take(const std::vector<Id>& runs, const std::string& owner);
  RunSpec specOf(Id run);
  // Only while the run is still `owner`'s: else another has it, and nothing happens.
  void finish(Id run, const std::string& owner, const Outcome& outcome);
  // What `owner` has not finished waits again.
  void release(const std::string& owner);
  // Of the runs that are under way, of one experiment or of all.
  std::vector<std::string> owners(std::optional<Id> experiment = {});
  // Failed and timed-out runs wait again.
  void retry(Id experiment);

  std::vector<ProgramProgress> progress(Id experiment);
  std::vector<ExperimentInfo> experiments();  // the oldest first
  // "NAME" (the latest of that name), "NAME@ID", or nothing (the latest). Throws Error that names the nearest.
  ExperimentInfo find(const std::string& name);
  std::vector<RunInfo> runs(Id experiment);  // in the order of the plan
  std::vector<KernelInfo> kernels(Id run);

  Database& database() { return database_; }

 private:
  Database database_;
};

}  // namespace warpwright::lab
