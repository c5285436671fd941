// Runs domains in quanta, in parallel, with the same result for any number of threads: within a quantum domains share nothing; between
// quanta the channels hand over their items, in a fixed order.
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
  // The quantum ended before `now`. False: stop.
  virtual bool quantumEnded(Cycle now) = 0;
  // The earliest time for which it has something to do of its own, as the domains say it.
  virtual Cycle nextUseful() const { return kNever; }
};

struct QuantaOptions {
  u32 threads = 1;
  bool skip = true;  // jump over time in which nothing happens; false must give the same bits
};

class Quanta {
 public:
  // The domains and channels must outlive it. The quantum is the shortest latency of the channels.
  Quanta(std::vector<Domain*> domains, std::vector<ChannelBase*> channels, const QuantaOptions& options);
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

 private:
  class Workers;
  void runDomains(Cycle from, Cycle until);
  Cycle nextUseful() const;

  std::vector<Domain*> domains_;
  std::vector<ChannelBase*> channels_;
  QuantaOptions options_;
  u64 quantum_ = 0;
  Cycle now_{};
  std::vector<u32> awake_;  // of the quantum at hand
  std::unique_ptr<Workers> workers_;
};

}  // namespace warpwright::engine
