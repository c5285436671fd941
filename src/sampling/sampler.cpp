#include "sampling/sampler.hpp"

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
  listeners_ = std::make_unique<Listeners>(lineBytes_, request.launch->grid.count());
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

void Sampler::timedInFull(const exec::LaunchRequest& request, const exec::LaunchResult& result, const stats::Estimate& cycles) {
  const exec::Launch& launch = *request.launch;
  Sampled& sum = inFull_[{launch.kernel->name, launch.program->program.sourceName}];
  Sampled one{.cycles = cycles, .launches = 1, .timed = 1, .warpInstructions = result.warpInstructions};
  one.timedWarpInstructions = result.warpInstructions;
  (canExecuteFirst(request) ? one.besideOthers : one.notReplayable) = 1;
  sum = sum + one;
}

Sampled Sampler::of(const std::string& kernel, const std::string& module) const {
  const Sampled grouped = groups_.of(kernel, module);
  const auto found = inFull_.find({kernel, module});
  return found == inFull_.end() ? grouped : grouped + found->second;
}

Sampled Sampler::all() const {
  Sampled sum = groups_.all();
  for (const auto& [kernel, each] : inFull_) sum = sum + each;
  return sum;
}

}  // namespace warpwright::sampling
