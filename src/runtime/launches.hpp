// The launches of a device: side by side on the timed machine; on the functional one after the other, but that a launch which waits for
// what others or the host do gives way to them, and goes on when they have had their turn.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <utility>

#include "base/progress_line.hpp"
#include "exec/resumable_launch.hpp"
#include "machines/gpu.hpp"
#include "machines/pc_histogram/recorder.hpp"
#include "machines/timing_profile.hpp"
#include "machines/trace/listener_pair.hpp"
#include "machines/trace/tracer.hpp"
#include "mechanisms/launch_observers.hpp"
#include "profile/profile.hpp"
#include "runtime/fast_forward.hpp"
#include "runtime/injection.hpp"
#include "runtime/launch.hpp"
#include "runtime/launch_times.hpp"
#include "runtime/named_kernels.hpp"
#include "runtime/recorder.hpp"
#include "runtime/settings.hpp"
#include "runtime/touched_history.hpp"
#include "sampling/sampler.hpp"

namespace warpwright::runtime {

class Launches {
 public:
  using Ended = std::function<void(const LaunchOutcome&)>;

  // All of them must outlive it. Throws Error for settings that cannot be read.
  Launches(const Settings& settings, exec::GlobalMemory& memory, profile::Profile& profile, const Textures& resources);
  ~Launches();

  // See Device.
  void announce(Launch& launch);
  void submit(Launch launch, Ended ended);
  void copiedFromHost(GlobalAddress address, u64 bytes);
  void copiedToHost(const void* bytes, u64 count);
  void run();
  void runPatiently();
  bool hasWaiting() const { return !running_.empty(); }
  void endWaiting();
  void abandon();

  // What the machine's mechanisms need beside a kernel's own.
  mechanisms::BlockNeeds addedNeeds(const isa::Program& program, const isa::Function& kernel) const {
    return mechanisms::needsOf(mechanisms_, program, kernel);
  }
  // Of the machine, as they are on the functional one.
  const mechanisms::Mechanisms& mechanisms() const { return mechanisms_; }
  const machines::TimingProfile& timing() const { return timing_; }
  const std::optional<InjectionAccount>& injection() const { return injection_; }
  void writeTraces() const;
  // What a user may have got wrong, when all launches have ended.
  std::vector<std::string> remarks() const { return namedKernels_.remarks(); }

 private:
  struct Active;

  exec::LaunchRequest requestOf(Active& active);
  std::shared_ptr<Active> takeWaiting(bool timed);
  void beginFunctionally(const std::shared_ptr<Active>& active);
  bool takeTurn(exec::Patience patience);
  void endFunctionally(Active& active);
  void addToProfile(Active& active, LaunchOutcome& outcome);
  void runTimed();
  void beginTime();
  void place();
  // sampled_launches.cpp
  void makeSampler();
  void leaveOut(Active& active, machines::Gpu::Job& job) const;
  bool canExecuteFirst() const;
  void makeTimes();
  void executeFirst();
  std::optional<stats::Estimate> timeElsewhere(const Active& active);
  static LaunchTimes::Key keyOf(const Active& active);
  machines::Touched touchedBy(const Active& active) const;
  void recallTouched(machines::Gpu& gpu) const;
  machines::Gpu::Job jobOf(Active& active, std::vector<exec::Observer*> observers) const;
  std::optional<double> cyclesRecalled(Active& active);
  void computed(Active& active, exec::LaunchResult result, std::optional<stats::Estimate> known = {});
  profile::Counters profileOf(Active& active, const exec::LaunchResult& timed, u64 nanoseconds);
  void noteSampled(const Active& active, const machines::TimedResult& timed);

  void runRest(Active& active, exec::LaunchResult& sample);
  void timedEnded(Active& active, machines::TimedResult timed);
  std::unique_ptr<machines::Gpu> makeGpu();
  sm::PipelineListener* listenerOf(SmId sm);
  std::vector<exec::Observer*> observe(Active& active, u32 sms);
  void addObserved(Active& active);
  u64 functionalNanoseconds(const exec::LaunchRequest& request, const exec::LaunchResult& result) const;
  u64 nanosecondsAt(Cycle cycle) const;
  Cycle cycleAt(u64 nanoseconds) const;

  const Settings& settings_;
  exec::GlobalMemory& memory_;
  profile::Profile& profile_;
  const Textures& resources_;
  std::unique_ptr<exec::HostServices> output_;
  ProgressLine progress_;  // of its launches, one after the other
  machines::TimingProfile timing_;
  mechanisms::Mechanisms mechanisms_;  // as observers; those that equip the timed machine are its own
  std::unique_ptr<machines::trace::Tracer> tracer_;
  std::unique_ptr<machines::PcRecorder> pcRecorder_;
  std::optional<machines::trace::ListenerPair> bothListeners_;  // of the SM that they share
  std::optional<InjectionAccount> injection_;                   // none: no faults are injected
  NamedKernels namedKernels_;
  FastForward fastForward_;
  machines::SharedBanks sharedBanks_;
  std::unique_ptr<LaunchRecorder> recorder_;
  std::unique_ptr<sampling::Sampler> sampler_;  // null: every launch that takes time is timed
  std::unique_ptr<machines::Gpu> gpu_;          // made at the first timed launch
  // Where times of launches are kept: each launch is then timed on a machine of its own, whose caches hold what earlier ones have left.
  std::unique_ptr<LaunchTimes> times_;
  std::optional<TouchedHistory> touched_;  // with sampler_
  bool isBehindTimed_ = true;              // the last launch was timed in full, or there was none

  std::vector<Copied> copied_;                   // since the last launch that may be timed
  std::deque<std::shared_ptr<Active>> waiting_;  // to begin
  std::deque<std::shared_ptr<Active>> running_;  // on the functional machine, in the order of their turns
  u64 announced_ = 0;
  bool failed_ = false;  // a launch on the timed machine; its state is of no further use
  // The machine's clock stands still while nothing runs; simulated time goes on. They agreed when the machine last began to run.
  struct {
    Cycle cycle{};
    u64 nanoseconds = 0;
  } origin_;
  u64 busyUntil_ = 0;  // nanoseconds
};

}  // namespace warpwright::runtime
