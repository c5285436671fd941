// What happens between quanta: effects on memory, blocks for the SMs, and when to stop.
#include <fmt/format.h>

#include <algorithm>

#include "machines/gpu.hpp"

namespace warpwright::machines {

bool Gpu::quantumEnded(Cycle now) {
  for (const auto& sm : sms_) sm->publishStores();
  performAtomics(now);
  for (const auto& sm : sms_) sm->runSerial(now);
  if (stopForFault()) return false;
  dispatch(now);
  if (now >= nextSample_) takeSample(now);
  if (stopForSilence(now) || !reportProgress()) return false;
  const auto isDone = [](const Running& running) { return running.done == running.blocks; };
  const auto isIdle = [](const auto& sm) { return sm->idle(); };
  return !std::all_of(running_.begin(), running_.end(), isDone) || !std::all_of(sms_.begin(), sms_.end(), isIdle);
}

// Launches whose latency has not passed wake the machine when it has.
Cycle Gpu::nextUseful() const {
  // What is due at a time happens at the first end of a quantum from then on: the quantum of the cycle before must run.
  const auto before = [](Cycle due) { return due == Cycle{} ? due : previous(due); };
  Cycle next = nextSample_ == kNever ? kNever : before(nextSample_);
  for (const Running& running : running_) {
    if (running.next == 0) next = std::min(next, before(running.mayStart));
  }
  return next;
}

void Gpu::takeSample(Cycle now) {
  for (const auto& sm : sms_) sm->catchUp(now);
  options_.sample(now, stats(now));
  nextSample_ = Cycle{(now.ticks / options_.sampleInterval + 1) * options_.sampleInterval};
}

// In the order in which the partitions performed them: by time, then by partition.
void Gpu::performAtomics(Cycle now) {
  for (const mem::PerformedAtomic& atomic : memorySide_->takePerformed()) sms_[atomic.sm]->atomicPerformed(atomic.id, now);
}

// Blocks of the earliest launch first; SMs in turn, one block each, for as long as one has room.
void Gpu::dispatch(Cycle now) {
  for (Running& running : running_) {
    const u64 before = running.done;
    for (const auto& sm : sms_) running.done += sm->takeFinishedBlocks(*running.plan);
    if (running.done == running.blocks && before != running.blocks) running.ended = now;
    if (now < running.mayStart) continue;
    const auto count = static_cast<u32>(sms_.size());
    for (u32 refused = 0; running.next < running.blocks && refused < count; nextSm_ = (nextSm_ + 1) % count) {
      sm::Sm& sm = *sms_[nextSm_];
      if (!sm.canHost(*running.plan)) {
        ++refused;
        continue;
      }
      refused = 0;
      sm.host(*running.plan, running.next++, now);
    }
  }
}

// The first fault in simulated time stops the grid; of faults in the same cycle, that of the lowest SM.
bool Gpu::stopForFault() {
  const sm::Sm* first = nullptr;
  for (const auto& sm : sms_) {
    if (sm->fault() && (!first || sm->faultTime() < first->faultTime())) first = sm.get();
  }
  if (!first) return false;
  stop_ = first->fault()->status;
  stopMessage_ = first->fault()->message;
  return true;
}

bool Gpu::stopForSilence(Cycle now) {
  u64 instructions = 0, done = 0;
  for (const auto& sm : sms_) instructions += sm->instructionsIssued();
  for (const Running& running : running_) done += running.done;
  if (instructions != lastInstructions_) lastProgress_ = now;
  if (done != lastDone_) lastExit_ = now;
  lastInstructions_ = instructions;
  lastDone_ = done;
  if (now - lastProgress_ > options_.deadlockCycles) {
    stop_ = exec::LaunchStatus::hang;
    stopMessage_ = fmt::format("no instruction was issued for {} cycles; at cycle {}:\n{}", options_.deadlockCycles, now.ticks, waits());
    return true;
  }
  if (now - lastExit_ > options_.hangCycles) {
    stop_ = exec::LaunchStatus::hang;
    stopMessage_ = fmt::format("no block finished for {} cycles; at cycle {}:\n{}", options_.hangCycles, now.ticks, waits());
    return true;
  }
  return false;
}

std::string Gpu::waits() const {
  std::string text;
  for (const auto& sm : sms_) text += sm->describeWaits();
  return text + memorySide_->describeWaits();
}

bool Gpu::reportProgress() {
  constexpr u64 kInterval = 1 << 16;  // quanta
  if (++quantaSinceReport_ < kInterval) return true;
  quantaSinceReport_ = 0;
  for (const Running& running : running_) {
    const auto& progress = running.plan->request.progress;
    if (!progress || progress({running.done, running.blocks, lastInstructions_})) continue;
    stop_ = exec::LaunchStatus::stopped;
    stopMessage_ = "stopped on request";
    return false;
  }
  return true;
}

exec::LaunchStatus Gpu::statusOf(engine::Quanta::End end, Cycle now, std::string& message) const {
  switch (end) {
    case engine::Quanta::End::stopped:
      message = stopMessage_;
      return stop_;
    case engine::Quanta::End::limit:
      message = fmt::format("stopped after {} cycles, as --max-cycles asks", options_.most.ticks);
      return exec::LaunchStatus::stopped;
    case engine::Quanta::End::idle:
      break;
  }
  message = fmt::format("every warp waits for another, and nothing is under way; at cycle {}:\n{}", now.ticks, waits());
  return exec::LaunchStatus::hang;
}

}  // namespace warpwright::machines
