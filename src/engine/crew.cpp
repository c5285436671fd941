#include "engine/crew.hpp"

#include <chrono>
#include <utility>

namespace warpwright::engine {
namespace {

using Clock = std::chrono::steady_clock;

// How long a thread looks before it sleeps: what it takes to be woken. Whoever then sleeps has spent at most twice what was needed.
constexpr std::chrono::microseconds kSpinTime{50};

// Lets the other thread of a core work.
void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// Until the value is no longer `old`.
void waitFor(std::atomic<u32>& value, u32 old, bool spins) {
  const auto changed = [&] { return value.load(std::memory_order_acquire) != old; };
  if (changed()) return;
  const Clock::time_point end = spins ? Clock::now() + kSpinTime : Clock::time_point{};
  while (spins && Clock::now() < end) {
    relax();
    if (changed()) return;
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

// Where there are more threads than processors, whoever looks keeps another from working: nobody does.
Crew::Crew(u32 helpers, std::function<void(u32)> work) : work_(std::move(work)), spins_(helpers < std::thread::hardware_concurrency()) {
  for (u32 i = 0; i < helpers; ++i) helpers_.push_back(std::make_unique<Helper>());
  for (u32 i = 0; i < helpers; ++i) helpers_[i]->thread = std::thread([this, i] { help(i + 1, *helpers_[i]); });
}

Crew::~Crew() {
  stopping_ = true;
  for (const auto& helper : helpers_) {
    ++helper->called;
    helper->called.notify_one();
  }
  for (const auto& helper : helpers_) helper->thread.join();
}

void Crew::run(u32 helpers) {
  inside_.store(0, std::memory_order_release);
  for (u32 i = 0; i < helpers; ++i) {
    helpers_[i]->called.fetch_add(1, std::memory_order_release);
    helpers_[i]->called.notify_one();
  }
  work_(0);
  u32 left = inside_.fetch_or(kClosed, std::memory_order_acq_rel) | kClosed;
  while (left != kClosed) {
    waitFor(inside_, left, spins_);
    left = inside_.load(std::memory_order_acquire);
  }
}

void Crew::help(u32 thread, Helper& self) {
  u32 seen = 0;
  for (;;) {
    waitFor(self.called, seen, spins_);
    seen = self.called.load(std::memory_order_acquire);
    if (stopping_) return;
    if (!enter()) continue;
    work_(thread);
    leave();
  }
}

// False when it comes too late. It may have been called for an earlier piece of work: what counts is whether there is one now.
bool Crew::enter() {
  u32 inside = inside_.load(std::memory_order_relaxed);
  while ((inside & kClosed) == 0) {
    if (inside_.compare_exchange_weak(inside, inside + 1, std::memory_order_acq_rel)) return true;
  }
  return false;
}

void Crew::leave() {
  if (inside_.fetch_sub(1, std::memory_order_acq_rel) == (kClosed | 1)) inside_.notify_one();
}

}  // namespace warpwright::engine
