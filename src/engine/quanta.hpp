// Runs domains in quanta, in parallel, with the same result for any number of threads: within a quantum domains share nothing but channels,
// whose ends write to different sides of them (channel.hpp).
#pragma once

#include <array>
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

// A channel between two domains, by their indices.
struct Link {
  ChannelBase* channel = nullptr;
  u32 from = 0, to = 0;
};

class Quanta {
 public:
  // The domains and channels must outlive it. The quantum is the shortest latency of the channels.
  Quanta(const std::vector<Domain*>& domains, const std::vector<Link>& links, const QuantaOptions& options);
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

  // Between quanta: the domain of that index may have something to do earlier than it said at the end of the last one. Before run() all
  // are asked anyway.
  void noteChange(u32 index) { next_[index] = nodes_[index].domain->nextUseful(); }

 private:
  class Workers;

  // What the thread that runs a domain writes down at the end of a quantum, so that nobody else need look into what lies in its caches.
  struct Note {
    Cycle first = kNever;       // of a domain: its next useful time; of an end of a link: of what it left there in this quantum
    bool outOfCredits = false;  // of a sending end
  };
  // Notes of one domain: no other thread writes to the cache line.
  struct alignas(kCacheLine) NoteLine {
    std::array<Note, kCacheLine / sizeof(Note)> notes;
  };
  struct LinkEnd {
    ChannelBase* channel = nullptr;
    u32 other = 0;  // the domain at the other end
    Note* note = nullptr;
    const Note* sender = nullptr;  // of a receiving end: what the other one writes down
  };
  // A domain with its ends of the links.
  struct alignas(kCacheLine) Node {
    Domain* domain = nullptr;
    std::vector<LinkEnd> sends, receives;
    std::vector<NoteLine> notes;
    Note* next = nullptr;
    u32 owner = 0;  // the thread that ran it last
  };

  // Throws Error for a channel without latency.
  void connect(const std::vector<Link>& links);
  void countWhatIsUnderWay();
  Cycle nextUseful() const;
  void runDomains(Cycle until);
  void runDomain(Node& node, Cycle until);

  std::vector<Node> nodes_;  // by index, as the domains came
  QuantaOptions options_;
  u64 quantum_ = 0;
  u32 side_ = 0;  // of the channels, in the quantum at hand
  Cycle now_{};

  // Of the thread that calls run(), by index.
  std::vector<Cycle> next_;  // the next useful time, at last with what is on its way
  std::vector<u8> isLeft_;   // something was left for it in the last quantum
  std::vector<u32> work_;    // indices, in the quantum at hand or the last: those that run, and those for which something was left

  std::unique_ptr<Workers> workers_;
};

}  // namespace warpwright::engine
