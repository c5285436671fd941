// Runs domains in quanta, in parallel, with the same result for any number of threads: within a quantum domains share nothing but channels,
// whose ends write to different sides of them (channel.hpp).
#pragma once

#include <memory>
#include <vector>

#include "engine/channel.hpp"
#include "engine/domain.hpp"

namespace warpwright::engine {

// What happens between two quanta, on one thread.
class QuantumEnd {
 public:
  virtual ~QuantumEnd() = default;
  // The quantum ended before `now`. What changes the next useful time of a domain is told to Quanta::noteChange(). False: stop.
  virtual bool quantumEnded(Cycle now) = 0;
  // The earliest time for which it has something to do of its own, as the domains say it.
  virtual Cycle nextUseful() const { return kNever; }
};

struct QuantaOptions {
  u32 threads = 1;
  bool skip = true;  // jump over time in which nothing happens; false must give the same bits
};

// A channel between two domains, by their places.
struct Link {
  ChannelBase* channel = nullptr;
  u32 from = 0, to = 0;
};

class Quanta {
 public:
  // The domains and channels must outlive it. The quantum is the shortest latency of the channels.
  Quanta(std::vector<Domain*> domains, std::vector<Link> links, const QuantaOptions& options);
  ~Quanta();
  Quanta(const Quanta&) = delete;
  Quanta& operator=(const Quanta&) = delete;

  u64 quantum() const { return quantum_; }
  Cycle now() const { return now_; }

  enum class End : u8 {
    stopped,  // quantumEnded() said so
    idle,     // no domain has anything to do any more
  };
  // Runs until one of these.
  End run(QuantumEnd& hook);

  // Between quanta: the domain in that place may have something to do earlier than it said at the end of the last one. Before run() all
  // are asked anyway.
  void noteChange(u32 place) { next_[place] = domains_[place]->nextUseful(); }

 private:
  class Workers;

  struct Ends {
    std::vector<u32> sends, receives;  // places of links
  };

  void countWhatIsUnderWay();
  Cycle nextUseful() const;
  void runDomains(Cycle until);
  void runDomain(u32 place, Cycle until);

  std::vector<Domain*> domains_;
  std::vector<Link> links_;
  std::vector<Ends> ends_;  // by domain
  QuantaOptions options_;
  u64 quantum_ = 0;
  u32 side_ = 0;  // of the channels, in the quantum at hand
  Cycle now_{};
  std::vector<u32> work_;     // domains of the quantum at hand: those that run, and those for which something was left
  std::vector<bool> isLeft_;  // by domain: something was left for it

  // What the thread that runs a domain writes down of it, so that nobody else need look into what lies in its caches.
  struct Sent {
    Cycle first = kNever;  // arrives, of what was sent in the last quantum
    bool outOfCredits = false;
  };
  std::vector<Cycle> next_;      // by domain: its next useful time, at last with what is on its way to it
  std::vector<Sent> sent_;       // by link
  std::vector<Cycle> returned_;  // by link: the first credit given back in the last quantum is back

  std::unique_ptr<Workers> workers_;
};

}  // namespace warpwright::engine
