#include "sampling/sampler.hpp"

#include <algorithm>

#include "sampling/replayable.hpp"

namespace warpwright::sampling {

bool Sampler::canExecuteFirst(const exec::LaunchRequest& request) {
  const exec::LoadedProgram& program = *request.launch->program;
  const isa::Function& kernel = *request.launch->kernel;
  const auto [found, isNew] = isReplayable_.try_emplace({program.number, kernel.begin});
  if (isNew) found->second = isReplayable(program.program, kernel);
  return found->second;
}

exec::Observer& Sampler::listen(const exec::LaunchRequest& request, exec::Observer* others) {
  listeners_ = std::make_unique<Listeners>(sizes_, request.launch->grid.count());
  listeners_->all.add(others);
  for (exec::Observer* const own : std::initializer_list<exec::Observer*>{&listeners_->undo, &listeners_->lines, &listeners_->blocks})
    listeners_->all.add(own);
  return listeners_->all;
}

bool Sampler::mustTime(const exec::LaunchRequest& request, const exec::LaunchResult& result, const profile::Counters& use) {
  signature_ = signatureOf(request, result, use, listeners_->lines.count());
  group_ = groups_.add(signature_);
  return groups_.mustTime(group_);
}

void Sampler::timed(const stats::Estimate& cycles, u64 instructionsInDetail, Begin begin) {
  groups_.timed(group_, signature_, cycles, instructionsInDetail);
  const bool isRecalled = begin == Begin::recalled;
  timedCycles_[{signature_.kernel, signature_.module}] += {cycles.value, isRecalled ? cycles.value : 0};
  if (isRecalled) errors_.add();
}

Sampler::TimedCycles& Sampler::TimedCycles::operator+=(const TimedCycles& other) {
  all += other.all;
  recalled += other.recalled;
  return *this;
}

// Cycles that follow from those of timed launches are recalled ones to the share that those are.
Sampled Sampler::withStates(Sampled sampled, const TimedCycles& timed) const {
  if (timed.recalled == 0) return sampled;
  const double predicted = std::max(0.0, sampled.cycles.value - timed.all);
  sampled.cycles = sampled.cycles + errors_.errorOf(timed.recalled + predicted * timed.recalled / timed.all);
  return sampled;
}

void Sampler::timedInFull(const exec::LaunchRequest& request, const exec::LaunchResult& result, const stats::Estimate& cycles) {
  const exec::Launch& launch = *request.launch;
  Sampled& sum = inFull_[{launch.kernel->name, launch.program->program.sourceName}];
  Sampled one{.cycles = cycles, .launches = 1, .timed = 1, .warpInstructions = result.warpInstructions};
  one.timedWarpInstructions = result.warpInstructions;
  (canExecuteFirst(request) ? one.besideOthers : one.notReplayable) = 1;
  sum = sum + one;
}

Sampled Sampler::of(const std::string& kernel, const std::string& module) const {
  const auto timed = timedCycles_.find({kernel, module});
  const Sampled grouped = withStates(groups_.of(kernel, module), timed == timedCycles_.end() ? TimedCycles{} : timed->second);
  const auto found = inFull_.find({kernel, module});
  return found == inFull_.end() ? grouped : grouped + found->second;
}

Sampled Sampler::all() const {
  TimedCycles timed;
  for (const auto& [kernel, each] : timedCycles_) timed += each;
  Sampled sum = withStates(groups_.all(), timed);
  for (const auto& [kernel, each] : inFull_) sum = sum + each;
  return sum;
}

}  // namespace warpwright::sampling
