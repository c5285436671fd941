// The elastic MSHRs in the way of an SM's data accesses, where a first-level data cache of no bytes would be. Queues, ports and latencies
// are those of that cache; with normal blocks alone it takes the same cycles.
#pragma once

#include "base/ring_queue.hpp"
#include "config/machine.hpp"
#include "mechanisms/elastic_mshr/chooser.hpp"
#include "mechanisms/elastic_mshr/mshrs.hpp"
#include "mechanisms/elastic_mshr/settings.hpp"
#include "mechanisms/elastic_mshr/statistics.hpp"
#include "mechanisms/elastic_mshr/store_buffer.hpp"
#include "mem/delay_queue.hpp"
#include "sm/access/stage.hpp"

namespace warpwright::mechanisms::elastic_mshr {

class Stage final : public sm::LineStage {
 public:
  Stage(const Settings& settings, const config::Machine& machine, Statistics& statistics);

  // Loads and stores that would go to the first-level data cache.
  bool takes(const sm::LineAccess& access) const override { return access.route == sm::Route::l1Data; }
  bool canAccept(const sm::LineAccess&) const override { return !input_.full(); }
  void accept(const sm::LineAccess& access, Cycle now) override;

  const mem::Request* peekResponse() const override;
  mem::Request takeResponse() override;
  const mem::Request* peekMiss() const override { return requests_.peek(); }
  mem::Request takeMiss() override;
  bool canFill(const mem::Request& response) const override;
  void fill(const mem::Request& response, Cycle now) override;

  bool tick(Cycle now) override;
  Cycle nextUseful(Cycle now) const override { return std::max(wake_, now + 1); }
  bool quiescent() const override;

 private:
  enum class Stall : u8 { none, entry, secondary, buffer, store };
  struct Access {
    mem::Request request;
    u32 hyper = 1;             // blocks that it asks for if it is primary, or that a store is combined to
    mem::SectorBytes bytes{};  // that its lanes touch
    Cycle accepted{};
  };

  bool processInput(Cycle now);
  Stall process(const Access& access, Cycle now);
  Stall load(const Access& access, Cycle now);
  Stall store(const Access& access, Cycle now);
  Stall combine(const Access& access, Cycle now);
  bool sendStores(Cycle now);
  bool isBehindStores(const Access& access);
  void learn(u64 block, const Access& access);
  void count(const Mshrs::Verdict& verdict, const Access& access);
  void fire(const Access& access, u32 entry, Cycle now);
  void finishFill(Cycle now);
  void acknowledge(const mem::Request& write, Cycle now);
  bool isCombined(const mem::Request& write) const { return write.lineBytes != blockBytes_; }
  void noteStall(Stall stall, Cycle now);
  u64 blockOf(const mem::Request& request) const { return request.address / blockBytes_; }
  Cycle nextEvent() const;

  const u32 blockBytes_, ports_, missLatency_, fillBytes_, storeWait_;
  Chooser chooser_;
  Mshrs mshrs_;
  StoreBuffer combined_;
  Statistics& stats_;
  RingQueue<Access> input_;
  mem::DelayQueue<mem::Request, CoreClock> requests_, acknowledgements_;
  mem::DelayQueue<u32, CoreClock> served_;  // SMSHRs
  mem::Request fill_;                       // being taken, while isFilling_
  bool isFilling_ = false;
  Cycle fillDone_{};  // in which it is complete
  Stall stall_ = Stall::none;
  Cycle stalledSince_{};
  Cycle wake_ = kNever;  // ticks before it change nothing
};

}  // namespace warpwright::mechanisms::elastic_mshr
