// The copy engine of an SM (Hopper's Tensor Memory Accelerator): bulk copies, one after the other. It asks L2 for the lines of the one at
// hand at a rate, past the first-level caches, with so many bytes under way; a load is complete when the last of its answers is there, a
// store when the last of its bytes has left, as on an H100 (data/hardware/h100-3/hopper.csv), a copy to another SM when it has arrived
// there. Shared memory takes the bytes as they come: that they keep its banks from the warps is not modelled.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "base/ring_queue.hpp"
#include "config/machine.hpp"
#include "exec/warp_source.hpp"
#include "sm/ports/clients.hpp"
#include "sm/ports/network_client.hpp"

namespace warpwright::sm {

class BulkEngine final : public NetworkClient {
 public:
  // What becomes of a copy, and when.
  struct News {
    u32 id = 0;
    bool isRead = false;  // the source of a store may be written; otherwise the copy is complete
    Cycle time{};
  };

  BulkEngine(const PortContext& context, const config::Machine& machine);

  // Gives the number under which there will be news of the copy.
  u32 begin(const exec::BulkRecord& copy, const mem::Origin& origin, Cycle now);
  // The number may be given again: all that there was to tell has been told.
  void release(u32 id) { free_.push_back(id); }
  bool hasNews() const { return !news_.empty(); }
  // Since the last call.
  std::span<const News> takeNews();

  bool canFill(const mem::Request&) const override { return true; }
  bool hasRequest() const override { return !out_.empty(); }
  bool tick(Cycle now) override { return !queue_.empty() && work(now); }
  Cycle nextUseful(Cycle now) const override { return queue_.empty() ? kNever : nextLine(now); }
  bool quiescent() const override { return queue_.empty() && bytesInFlight_ == 0 && news_.empty(); }

 private:
  struct Job {
    bool isStore = false, isSent = false;
    bool goesElsewhere = false;  // to another SM, from shared memory
    u32 bytes = 0;
    Cycle earliest{};  // of its first request; once all are sent, of its end
    std::vector<mem::Request> requests;
    u32 sent = 0, outstanding = 0;
  };

  u32 newJob();
  bool work(Cycle now);
  Cycle nextLine(Cycle now) const;
  void addRun(Job& job, const exec::GlobalRun& run, const mem::Request& form) const;
  bool hasRoom(const Job& job) const;
  u32 bytesPerCycle(const Job& job) const;
  void finishIfDone(u32 id, Cycle now);
  void doFill(const mem::Request& response, Cycle now) override;
  mem::Request doTakeRequest(Cycle now) override;

  const u32 latency_, bytesPerCycle_, mostBytes_, lineBytes_;
  const u32 readLatency_, readBytes_;      // of shared memory
  const u32 remoteLatency_, remoteBytes_;  // on the way to other SMs
  std::deque<Job> jobs_;                   // entries keep their memory
  std::vector<u32> free_;
  std::deque<u32> queue_;        // jobs that are not all sent
  RingQueue<mem::Request> out_;  // to the network
  Cycle next_{};                 // when the next line may be asked for
  u32 bytesInFlight_ = 0;
  std::vector<News> news_, taken_;
};

}  // namespace warpwright::sm
