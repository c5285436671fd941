#include "engine/quanta.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

#include "base/error.hpp"

namespace warpwright::engine {
namespace {

// How often a thread looks for work before it lets the processor go: about 100 microseconds. A quantum takes about as long, and to wake a
// thread that sleeps takes tens.
constexpr u32 kSpins = 1u << 17;

}  // namespace

// Threads that share the work of each quantum. A domain stays with the thread in whose caches its state lies; a thread that is done takes
// what others have not begun, and keeps it. Which thread runs which domain does not change what it computes.
class Quanta::Workers {
 public:
  Workers(u32 helpers, const std::vector<Domain*>& domains) : domains_(domains), owners_(domains.size()), shares_(helpers + 1) {
    for (u32 place = 0; place < owners_.size(); ++place) owners_[place] = place % (helpers + 1);
    for (Share& share : shares_) share.places.reserve(domains.size());
    for (u32 i = 1; i <= helpers; ++i) threads_.emplace_back([this, i] { help(i); });
  }
  ~Workers() {
    stopping_ = true;
    round_.fetch_add(1);
    round_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // places: of the domains to run, in the order of all.
  void run(const std::vector<u32>& places, Cycle from, Cycle until) {
    from_ = from;
    until_ = until;
    for (Share& share : shares_) {
      share.places.clear();
      share.next = 0;
    }
    for (const u32 place : places) shares_[owners_[place]].places.push_back(place);
    busy_ = static_cast<u32>(threads_.size());
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    work(0);
    for (u32 spins = 0; busy_.load(std::memory_order_acquire) != 0; ++spins) {
      if (spins > kSpins) std::this_thread::yield();
    }
  }

 private:
  struct alignas(64) Share {
    std::vector<u32> places;
    std::atomic<std::size_t> next{0};
  };

  void work(u32 thread) {
    for (std::size_t i = 0; i < shares_.size(); ++i) take(thread, shares_[(thread + i) % shares_.size()]);
  }
  void take(u32 thread, Share& share) {
    for (;;) {
      const std::size_t i = share.next.fetch_add(1, std::memory_order_relaxed);
      if (i >= share.places.size()) return;
      const u32 place = share.places[i];
      owners_[place] = thread;
      domains_[place]->run(from_, until_);
    }
  }
  void help(u32 thread) {
    u64 seen = 0;
    for (;;) {
      u32 spins = 0;
      while (round_.load(std::memory_order_acquire) == seen) {
        if (++spins > kSpins) round_.wait(seen);
      }
      ++seen;
      if (stopping_) return;
      work(thread);
      busy_.fetch_sub(1, std::memory_order_release);
    }
  }

  const std::vector<Domain*>& domains_;
  std::vector<u32> owners_;    // by place: the thread that ran it last
  std::vector<Share> shares_;  // by thread; the first is the caller's
  std::vector<std::thread> threads_;
  std::atomic<u64> round_{0};
  std::atomic<u32> busy_{0};
  std::atomic<bool> stopping_{false};
  Cycle from_{}, until_{};
};

Quanta::Quanta(std::vector<Domain*> domains, std::vector<ChannelBase*> channels, const QuantaOptions& options)
    : domains_(std::move(domains)), channels_(std::move(channels)), options_(options) {
  quantum_ = ~u64{0};
  for (const ChannelBase* channel : channels_) quantum_ = std::min(quantum_, channel->latency());
  if (channels_.empty()) quantum_ = 1;
  if (quantum_ == 0) throw Error("a channel between domains has no latency", {}, "give it at least one core cycle");
  if (options_.threads > 1) workers_ = std::make_unique<Workers>(options_.threads - 1, domains_);
}

Quanta::~Quanta() = default;

Cycle Quanta::nextUseful() const {
  Cycle next = kNever;
  for (const Domain* domain : domains_) next = std::min(next, domain->nextUseful());
  return next;
}

void Quanta::runDomains(Cycle from, Cycle until) {
  awake_.clear();
  for (u32 place = 0; place < domains_.size(); ++place) {
    if (!options_.skip || domains_[place]->nextUseful() < until) awake_.push_back(place);
  }
  if (workers_ && awake_.size() > 1) return workers_->run(awake_, from, until);
  for (const u32 place : awake_) domains_[place]->run(from, until);
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
