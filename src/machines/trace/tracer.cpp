#include "machines/trace/tracer.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/error.hpp"
#include "engine/clock_ratio.hpp"

namespace warpwright::machines::trace {
namespace {

// Records of all SMs, respectively all channels: some hundred megabytes at most.
constexpr std::size_t kMostInstructions = 4'000'000, kMostCommands = 4'000'000;

void writeFile(const std::string& text, const std::string& what, const std::string& file) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.flush();
  if (out) return;
  const int failure = errno;
  out.close();
  out.open(file, std::ios::trunc);  // rather empty than half
  throw Error("cannot write the " + what + " to '" + file + "': " + std::strerror(failure), {}, "name a file in a writable folder");
}

}  // namespace

Tracer::Tracer(const config::Machine& machine, Settings settings) : machine_(machine), settings_(std::move(settings)) {
  const engine::ClockRatio clock(machine.dram.clockKhz, machine.coreClockKhz);
  const DramTick from{clock.before(settings_.window.from)};
  const DramTick until = settings_.window.until == kNever ? kNeverOf<DramClock> : DramTick{clock.before(settings_.window.until)};
  if (recordsPipelines()) {
    for (u32 i = 0; i < machine.multiprocessors; ++i)
      pipelines_.push_back(std::make_unique<PipelineRecorder>(settings_.window, kMostInstructions / machine.multiprocessors));
  }
  if (settings_.chromeFile.empty()) return;
  for (u32 i = 0; i < machine.dram.channels; ++i) {
    const u32 banksPerGroup = machine.dram.banks / std::max(1u, machine.dram.bankGroups);
    channels_.push_back(std::make_unique<DramRecorder>(from, until, banksPerGroup, kMostCommands / machine.dram.channels));
  }
}

Tracer::~Tracer() = default;

sm::PipelineListener* Tracer::listenerOf(SmId sm) { return stopped_ || pipelines_.empty() ? nullptr : pipelines_.at(sm).get(); }

mem::DramObserver* Tracer::dramObserverOf(PartitionId channel) {
  return stopped_ || channels_.empty() ? nullptr : channels_.at(channel).get();
}

void Tracer::sample(Cycle now, const GpuStats& all) {
  const Cycle from{last_.cycles};
  if (stopped_ || now <= from) return;
  samples_.push_back({from, now, stats::delta(all, last_)});
  last_ = all;
  last_.cycles = now.ticks;
}

void Tracer::write() const {
  bool isComplete = true;
  for (const auto& pipeline : pipelines_) isComplete = isComplete && !pipeline->isFull();
  for (const auto& channel : channels_) isComplete = isComplete && !channel->isFull();
  const Recording recording{machine_, settings_, pipelines_, channels_, samples_, isComplete};
  if (!settings_.chromeFile.empty()) writeFile(chromeTrace(recording), "trace", settings_.chromeFile);
  if (!settings_.konataFile.empty()) writeFile(konataLog(recording), "pipeline log", settings_.konataFile);
  if (!settings_.seriesFile.empty()) writeFile(series(recording), "time series", settings_.seriesFile);
}

}  // namespace warpwright::machines::trace
