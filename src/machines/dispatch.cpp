// What happens between quanta: effects on memory, blocks for the SMs, and when to stop.
#include <fmt/format.h>

#include <algorithm>

#include "base/demangle.hpp"
#include "machines/gpu.hpp"

namespace warpwright::machines {

bool Gpu::quantumEnded(Cycle now) {
  sm::QuantumOutcome all = outcome();
  if (all.hasStores) publishStores();
  if (all.hasRemote) {
    settleClusters(now);
    all = outcome();
  }
  performAtomics(now);
  if (all.hasSerial) {
    runSerial(now);
    all = outcome();
  }
  if (all.hasFault) {
    stopForFault();
    return false;
  }
  if (all.hasFinished) noteFinishedBlocks(now);
  settle(now);
  dispatch(now);
  if (now >= nextSample_) takeSample(now);
  if (running_.empty() || stopForSilence(all.instructions, now) || stopForStandstill(all.changes, now) || stopForLimit(now)) return false;
  return reportProgress(now);
}

// Of all SMs together.
sm::QuantumOutcome Gpu::outcome() const {
  sm::QuantumOutcome all;
  for (const auto& sm : sms_) {
    const sm::QuantumOutcome& each = sm->outcome();
    all.hasStores |= each.hasStores;
    all.hasRemote |= each.hasRemote;
    all.hasSerial |= each.hasSerial;
    all.hasFinished |= each.hasFinished;
    all.hasFault |= each.hasFault;
    all.instructions += each.instructions;
    all.changes += each.changes;
  }
  return all;
}

void Gpu::publishStores() {
  for (const auto& sm : sms_) {
    if (sm->outcome().hasStores) sm->launches().publishStores();
  }
}

void Gpu::runSerial(Cycle now) {
  for (u32 i = 0; i < sms_.size(); ++i) {
    if (!sms_[i]->outcome().hasSerial) continue;
    sms_[i]->runSerial(now);
    quanta_->noteChange(domainOf(SmId{i}));
  }
}

// Launches whose latency has not passed wake the machine when it has.
Cycle Gpu::nextUseful() const {
  // What is due at a time happens at the first end of a quantum from then on: the quantum of the cycle before must run.
  const auto before = [](Cycle due) { return due == Cycle{} ? due : previous(due); };
  Cycle next = nextSample_ == kNever ? kNever : before(nextSample_);
  for (const auto& running : running_) {
    if (!running->begun) next = std::min(next, before(running->begin));
    if (running->hasNext()) next = std::min(next, before(std::max(running->mayDispatch, startRate_.next())));
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
  for (const mem::PerformedAtomic& atomic : memorySide_->takePerformed()) {
    sms_[atomic.sm]->atomicPerformed(atomic.id, now);
    quanta_->noteChange(domainOf(atomic.sm));
  }
}

void Gpu::noteFinishedBlocks(Cycle now) {
  for (const auto& running : running_) {
    if (!running->begun || running->isDone()) continue;
    for (const auto& sm : sms_) {
      if (!sm->outcome().hasFinished) continue;
      const sm::FinishedBlocks finished = sm->launches().takeFinished(*running->plan);
      running->done += finished.count;
      running->lastBlock = std::max(running->lastBlock, std::min(finished.last, now));
    }
    const bool isFull = running->done != 0 && running->next != running->blocks;
    if (!running->work || !isFull || !running->fills.note(running->done, running->next, now) || running->error == 0) continue;
    if (isEnough(running->sample(0, running->next), *running->work, running->error)) running->blocks = running->next;
  }
  for (const auto& running : running_) running->isRefused = false;
}

// Ends the launches whose blocks are all done: at once where others run, else when what they have under way has arrived.
void Gpu::settle(Cycle now) {
  const auto isDone = [](const auto& running) { return running->isDone(); };
  if (std::none_of(running_.begin(), running_.end(), isDone)) return;
  const auto firstDone = std::stable_partition(running_.begin(), running_.end(), std::not_fn(isDone));
  if (firstDone == running_.begin() && !isIdle()) return;
  std::vector<std::unique_ptr<Running>> done(std::make_move_iterator(firstDone), std::make_move_iterator(running_.end()));
  running_.erase(firstDone, running_.end());
  for (const auto& sm : sms_) sm->catchUp(now);
  for (const auto& running : done) running->ended(resultOf(*running, now));
}

void Gpu::begin(Running& running, Cycle now) {
  for (const auto& sm : sms_) sm->catchUp(now);
  running.before = stats(now);
  running.unitsBefore = unitLoads(now);
  // What mechanisms count of copies is the launch's.
  for (const Copied& each : running.copied)
    for (const auto& mechanism : mechanisms_) mechanism->hostWrote(each.address, each.bytes);
  if (options_.lines) {
    running.trafficBefore = traffic();
    memorySide_->beginLaunch(running.plan->id);
  }
  running.begin = now;
  running.begun = true;
  running.mayDispatch = now + machine_.sm.launchLatency;
  for (const auto& other : running_) {
    if (other.get() == &running || !other->begun) continue;
    other->besideOthers = running.besideOthers = true;
  }
  for (u32 i = 0; i < sms_.size(); ++i)
    sms_[i]->beginLaunch(*running.plan, memory_, running.observers.empty() ? nullptr : running.observers[i]);
}

// Blocks of the first launch first.
void Gpu::dispatch(Cycle now) {
  // What has found no room, or was not there, when the last quantum began may have been able to start at any time since.
  if (!blocksWait_) startRate_.idle(Cycle{now.ticks - std::min(now.ticks, quanta_->quantum())});
  blocksWait_ = false;
  for (const auto& running : running_) {
    if (!running->begun && now >= running->begin) begin(*running, now);
    if (!running->hasNext() || now < running->mayDispatch) continue;
    if (running->clusterBlocks == 1)
      startBlocks(*running, now);
    else
      startClusters(*running, now);
    blocksWait_ |= running->hasNext();
  }
}

// SMs in turn, one block each, for as long as one has room and the rate allows it.
void Gpu::startBlocks(Running& running, Cycle now) {
  const auto count = static_cast<u32>(sms_.size());
  for (u32 refused = 0; running.next < running.blocks && refused < count; nextSm_ = SmId((nextSm_ + 1) % count)) {
    sm::Sm& sm = *sms_[nextSm_];
    if (!sm.canHost(*running.plan)) {
      running.isRefused = ++refused == count;
      continue;
    }
    if (!startRate_.mayStart(now)) return;
    refused = 0;
    startRate_.started();
    sm.host(*running.plan, exec::blockAt(running.plan->request, running.next++), now);
    quanta_->noteChange(domainOf(nextSm_));
  }
}

// The first fault in simulated time stops the grid; of faults in the same cycle, that of the lowest SM.
void Gpu::stopForFault() {
  const sm::Sm* first = nullptr;
  for (const auto& sm : sms_) {
    if (sm->outcome().hasFault && (!first || sm->faultTime() < first->faultTime())) first = sm.get();
  }
  stop_ = first->fault()->status;
  stopMessage_ = first->fault()->message;
}

bool Gpu::stopForSilence(u64 instructions, Cycle now) {
  u64 done = 0;
  for (const auto& running : running_) done += running->done;
  // Instructions of which memory serves one piece after another, such as atomics on one word, take long without being stuck.
  if (instructions != lastInstructions_ || memorySide_->answers() != lastAnswers_) lastProgress_ = now;
  if (done != lastDone_) lastExit_ = now;
  lastInstructions_ = instructions;
  lastAnswers_ = memorySide_->answers();
  lastDone_ = done;
  if (now - lastProgress_ > options_.deadlockCycles) {
    stop_ = exec::LaunchStatus::hang;
    stopMessage_ = fmt::format("no instruction was issued and no answer came from memory for {} cycles{}; at cycle {}:\n{}",
                               options_.deadlockCycles, besideRoutine(), now.ticks, waits());
    return true;
  }
  if (now - lastExit_ > options_.hangCycles) {
    stop_ = exec::LaunchStatus::hang;
    stopMessage_ =
        fmt::format("no block finished for {} cycles{}; at cycle {}:\n{}", options_.hangCycles, besideRoutine(), now.ticks, waits());
    return true;
  }
  return false;
}

std::string Gpu::waits() const {
  std::string text;
  for (const auto& sm : sms_) text += sm->describeWaits();
  text += memorySide_->describeWaits();
  // In detail for one SM: as a rule, the others are in the same situation.
  const auto detail = std::find_if(sms_.begin(), sms_.end(), [](const auto& sm) { return !sm->launches().whereThreadsWait().empty(); });
  return detail == sms_.end()
             ? text
             : fmt::format("{}in detail, SM {}:{}\n", text, detail - sms_.begin(), (*detail)->launches().whereThreadsWait());
}

bool Gpu::reportProgress(Cycle now) {
  constexpr u64 kInterval = 64;  // quanta: a tenth of a second where they are slowest
  if (++quantaSinceReport_ < kInterval) return true;
  quantaSinceReport_ = 0;
  for (const auto& running : running_) {
    const auto& progress = running->plan->request.progress;
    const std::string why = progress ? progress({running->done, running->blocks, lastInstructions_}) : std::string();
    if (why.empty()) continue;
    stop_ = exec::LaunchStatus::stopped;
    stopMessage_ =
        fmt::format("kernel '{}' is {}; at cycle {}:\n{}", demangled(running->plan->request.launch->kernel->name), why, now.ticks, waits());
    return false;
  }
  return true;
}

bool Gpu::stopForLimit(Cycle now) {
  if (options_.most == kNever) return false;
  const auto isOver = [&](const auto& running) { return running->begun && now - running->begin >= options_.most.ticks; };
  if (std::none_of(running_.begin(), running_.end(), isOver)) return false;
  stop_ = exec::LaunchStatus::stopped;
  stopMessage_ = fmt::format("stopped after {} cycles, as --max-cycles asks", options_.most.ticks);
  return true;
}

}  // namespace warpwright::machines
