// Threads that work together for a moment, again and again: the caller, and helpers that come when they can. A helper that the host gives
// no processor is not waited for, unless it has begun.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "base/types.hpp"
#include "engine/channel.hpp"

namespace warpwright::engine {

class Crew {
 public:
  // work(thread) takes what there is to do, piece by piece, until nothing is left that nobody has taken. Threads: 0 is the caller.
  Crew(u32 helpers, std::function<void(u32 thread)> work);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // The caller works, and those of the first `helpers` helpers that come meanwhile. Returns when all that was taken is done.
  void run(u32 helpers);

 private:
  struct alignas(kCacheLine) Helper {
    std::atomic<u32> called{0};
    std::thread thread;
  };
  static constexpr u32 kClosed = 1u << 31;

  void help(u32 thread, Helper& self);
  bool enter();
  void leave();

  const std::function<void(u32)> work_;
  const bool spins_;
  std::atomic<bool> stopping_{false};
  alignas(kCacheLine) std::atomic<u32> inside_{kClosed};  // helpers that work; kClosed: no more may begin
  std::vector<std::unique_ptr<Helper>> helpers_;
};

}  // namespace warpwright::engine
