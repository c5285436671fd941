// Grids that can be proved never to end.
//
// While nothing changes that a thread may wait for, each warp does what follows from its own state (exec/warp_circle.hpp). When every warp
// of the machine goes in a circle, or waits for others, and nothing has changed since before the circles began, then nothing ever will:
// the first change would have to come from a warp, and each of them goes on as before. Caches, queues and the order of issue do not matter.
// Helpers of warps (sm/helpers.hpp) are followed as warps are: for one that goes in a circle, the warp that it holds, or the block that has
// otherwise ended, waits for ever. So does a warp that has waited all the while for nothing but an issue slot, as helpers that go in a
// circle took them all: it could not make them end but by an instruction, and none of it is issued.
//
// What follows the warps costs a little, so it begins only when nothing has changed for a while.
#include <fmt/format.h>

#include <algorithm>

#include "base/demangle.hpp"
#include "exec/host_threads.hpp"
#include "machines/gpu.hpp"

namespace warpwright::machines {
namespace {

// Core cycles without a change before warps are followed: longer than most waits for memory, so that following is rare.
constexpr u64 kPatience = 10'000;

}  // namespace

bool Gpu::stopForStandstill(u64 changes, Cycle now) {
  const u64 all = changesIn(changes);
  if (all != standstill_.changes) {
    standstill_.changes = all;
    standstill_.since = now;
    if (standstill_.isWatched) {
      standstill_.isWatched = false;
      for (const auto& sm : sms_) sm->watch(false);
    }
    return false;
  }
  if (!standstill_.isWatched) {
    if (now - standstill_.since >= kPatience) watch(now);
    return false;
  }
  if (now < standstill_.check) return false;
  standstill_.check = now + (now - standstill_.since) / 2;
  if (!isStuck() || releaseWaiting(now)) return false;
  // A thread of the program may have written what is waited for, and ended, since the warps looked.
  if (standstill_.hostMayWrite) {
    watch(now);
    return false;
  }
  stop_ = exec::LaunchStatus::hang;
  stopMessage_ = fmt::format("kernel '{}' hangs: {}, and nothing changes any more; at cycle {}:\n{}",
                             demangled(running_.front()->plan->request.launch->kernel->name), whyStuck(), now.ticks, waits());
  return true;
}

std::string Gpu::whyStuck() const {
  const std::string routine = circlingRoutine();
  if (routine.empty()) return "every warp waits or repeats the same for ever";
  return fmt::format("the routine {} beside a warp repeats the same for ever, and what waits for it does so, too", routine);
}

// One that takes all slots of its warp may keep it from issuing, without being waited for.
std::string Gpu::besideRoutine() const {
  const std::string routine = circlingRoutine();
  return routine.empty() ? "" : fmt::format(", while the routine {} beside a warp repeats the same for ever", routine);
}

// Of a mechanism: nothing that the program could mend. Empty: none is known.
std::string Gpu::circlingRoutine() const {
  for (const auto& sm : sms_)
    if (std::string routine = sm->launches().circlingRoutine(); !routine.empty()) return routine;
  return {};
}

// Those that SMs count, and blocks that begin or end.
u64 Gpu::changesIn(u64 sms) const {
  for (const auto& running : running_) sms += running->next + running->done;
  return sms;
}

void Gpu::watch(Cycle now) {
  standstill_.isWatched = true;
  standstill_.hostMayWrite = exec::hostMayWrite(memory_, options_.threads);
  standstill_.check = now + kPatience;
  for (const auto& sm : sms_) sm->watch(true);
}

bool Gpu::mayDispatch() const {
  return std::any_of(running_.begin(), running_.end(),
                     [](const auto& running) { return !running->begun || (running->next < running->blocks && !running->isRefused); });
}

// Blocks whose threads have all exited are none of it: they end when memory has taken their stores, however long that takes.
bool Gpu::isStuck() const {
  if (std::none_of(sms_.begin(), sms_.end(), [](const auto& sm) { return sm->launches().haveThreads(); })) return false;
  if (mayDispatch() || !std::all_of(sms_.begin(), sms_.end(), [](const auto& sm) { return sm->areStuck(); })) return false;
  // Atomics that were performed after the last quantum are not in what it counted.
  u64 changes = 0;
  for (const auto& sm : sms_) changes += sm->launches().changes();
  return changesIn(changes) == standstill_.changes;
}

// Lanes that wait for others of their warp may be what those wait for.
bool Gpu::releaseWaiting(Cycle now) {
  bool any = false;
  for (u32 i = 0; i < sms_.size(); ++i) {
    if (!sms_[i]->releaseWaiting(now)) continue;
    quanta_->noteChange(domainOf(SmId{i}));
    any = true;
  }
  return any;
}

}  // namespace warpwright::machines
