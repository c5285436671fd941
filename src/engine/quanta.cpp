#include "engine/quanta.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

#include "base/error.hpp"

namespace warpwright::engine {
namespace {

// How often a thread looks for work before it lets the processor go: a quantum takes microseconds.
constexpr u32 kSpins = 4096;

}  // namespace

// Threads that help with each quantum. Which thread runs which domain does not matter.
class Quanta::Workers {
 public:
  explicit Workers(u32 helpers) {
    for (u32 i = 0; i < helpers; ++i) threads_.emplace_back([this] { help(); });
  }
  ~Workers() {
    stopping_ = true;
    round_.fetch_add(1);
    round_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void run(const std::vector<Domain*>& domains, Cycle from, Cycle until) {
    domains_ = &domains;
    from_ = from;
    until_ = until;
    next_ = 0;
    busy_ = static_cast<u32>(threads_.size());
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    takeDomains();
    for (u32 spins = 0; busy_.load(std::memory_order_acquire) != 0; ++spins) {
      if (spins > kSpins) std::this_thread::yield();
    }
  }

 private:
  void takeDomains() {
    for (;;) {
      const std::size_t place = next_.fetch_add(1, std::memory_order_relaxed);
      if (place >= domains_->size()) return;
      (*domains_)[place]->run(from_, until_);
    }
  }
  void help() {
    u64 seen = 0;
    for (;;) {
      u32 spins = 0;
      while (round_.load(std::memory_order_acquire) == seen) {
        if (++spins > kSpins) round_.wait(seen);
      }
      ++seen;
      if (stopping_) return;
      takeDomains();
      busy_.fetch_sub(1, std::memory_order_release);
    }
  }

  std::vector<std::thread> threads_;
  std::atomic<u64> round_{0};
  std::atomic<u32> busy_{0};
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stopping_{false};
  const std::vector<Domain*>* domains_ = nullptr;
  Cycle from_{}, until_{};
};

Quanta::Quanta(std::vector<Domain*> domains, std::vector<ChannelBase*> channels, const QuantaOptions& options)
    : domains_(std::move(domains)), channels_(std::move(channels)), options_(options) {
  quantum_ = ~u64{0};
  for (const ChannelBase* channel : channels_) quantum_ = std::min(quantum_, channel->latency());
  if (channels_.empty()) quantum_ = 1;
  if (quantum_ == 0) throw Error("a channel between domains has no latency", {}, "give it at least one core cycle");
  if (options_.threads > 1) workers_ = std::make_unique<Workers>(options_.threads - 1);
}

Quanta::~Quanta() = default;

Cycle Quanta::nextUseful() const {
  Cycle next = kNever;
  for (const Domain* domain : domains_) next = std::min(next, domain->nextUseful());
  return next;
}

void Quanta::runDomains(Cycle from, Cycle until) {
  awake_.clear();
  for (Domain* domain : domains_) {
    if (!options_.skip || domain->nextUseful() < until) awake_.push_back(domain);
  }
  if (workers_ && awake_.size() > 1) return workers_->run(awake_, from, until);
  for (Domain* domain : awake_) domain->run(from, until);
}

Quanta::End Quanta::run(QuantumEnd& hook) {
  for (;;) {
    const Cycle next = std::min(nextUseful(), hook.nextUseful());
    if (next == kNever) return End::idle;
    // Quanta begin at multiples of their length, so that what happens between them does not depend on what was skipped.
    if (options_.skip && next >= now_ + quantum_) now_ = Cycle{next.ticks / quantum_ * quantum_};
    const Cycle until = now_ + quantum_;
    runDomains(now_, until);
    now_ = until;
    for (ChannelBase* channel : channels_) channel->exchange();
    if (!hook.quantumEnded(now_)) return End::stopped;
  }
}

}  // namespace warpwright::engine
