// Traces of a timed machine: a Chrome trace (Perfetto opens it), a Konata pipeline log and a time series of the counters.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "machines/statistics.hpp"
#include "machines/trace/recorder.hpp"

namespace warpwright::machines::trace {

// The counters of the machine over [from, until).
struct Sample {
  Cycle from{}, until{};
  GpuStats stats;
};

// Of one machine's life. Listeners and observers belong to one SM or channel each, so that these may run in parallel.
class Tracer {
 public:
  Tracer(const config::Machine& machine, Settings settings);
  ~Tracer();

  const Settings& settings() const { return settings_; }
  // Null where nothing asks for it, and after stop().
  sm::PipelineListener* listenerOf(SmId sm);
  mem::DramObserver* dramObserverOf(PartitionId channel);
  // What the machine has counted until `now`.
  void sample(Cycle now, const GpuStats& all);
  // The machine's time ends here: nothing more is recorded.
  void stop() { stopped_ = true; }

  // Writes the files. Throws Error where one cannot be written.
  void write() const;

 private:
  bool recordsPipelines() const { return !settings_.chromeFile.empty() || !settings_.konataFile.empty(); }

  config::Machine machine_;
  Settings settings_;
  bool stopped_ = false;
  std::vector<std::unique_ptr<PipelineRecorder>> pipelines_;  // by SM
  std::vector<std::unique_ptr<DramRecorder>> channels_;
  std::vector<Sample> samples_;
  GpuStats last_;
};

// What the writers get.
struct Recording {
  const config::Machine& machine;
  const Settings& settings;
  const std::vector<std::unique_ptr<PipelineRecorder>>& pipelines;
  const std::vector<std::unique_ptr<DramRecorder>>& channels;
  const std::vector<Sample>& samples;
  bool isComplete = true;  // nothing was left out for want of room
};
std::string chromeTrace(const Recording& recording);
std::string konataLog(const Recording& recording);
// A row an interval, below a row of names.
std::string series(const Recording& recording);

}  // namespace warpwright::machines::trace
