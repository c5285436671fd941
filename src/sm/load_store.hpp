// The load/store unit: memory instructions in the order of their dispatch, shared memory, and the ways to the caches and the network.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "base/ring_queue.hpp"
#include "isa/address_space.hpp"
#include "sm/access/stage.hpp"
#include "sm/memory_operation.hpp"
#include "sm/memory_ports.hpp"
#include "sm/statistics.hpp"

namespace warpwright::sm {

// Who is told when an operation is through: its results are there, or its stores are acknowledged.
class MemoryListener {
 public:
  virtual ~MemoryListener() = default;
  // The unit begins with an operation whose accesses have yet to pass the lane stages. False: it has to wait.
  virtual bool expand(MemoryOperation& operation, Cycle now) = 0;
  // The operation has left the unit's queue; it may still be outstanding.
  virtual void memorySent(const MemoryOperation& operation, Cycle now) = 0;
  virtual void memoryDone(const MemoryOperation& operation, Cycle time) = 0;
};

// An access that has left for the shared memory of other SMs of the cluster.
struct RemoteMessage {
  Cycle sent{};                                      // its first bytes
  u32 entry = 0;                                     // of the operation, which an answer names
  SlotId slot;                                       // of its warp
  std::array<u16, isa::kMostClusterBlocks> bytes{};  // to the block with a rank
};

// What it counts by who asked.
struct LoadStoreOrigins {
  mem::OriginTable<mem::LoadUse> loads;
  mem::OriginTable<mem::SmUse> moved;
};

class LoadStoreUnit final : public OperationSource {
 public:
  LoadStoreUnit(const config::Machine& machine, MemoryPorts& ports, MemoryListener& listener);

  // Whether an instruction may issue to the unit.
  bool canAccept() const { return queue_.size() < queueCapacity_; }
  u32 queued() const { return queue_.size(); }
  // A cleared operation to fill in, then to hand to accept(). Several may be prepared at a time.
  MemoryOperation& prepare();
  void accept(MemoryOperation& operation, Cycle enters);
  // … in the order of `enters`, and not of the calls.
  void acceptByTime(MemoryOperation& operation, Cycle enters);

  // Its accesses pass the lane stages, if they have not. False: they have to wait.
  bool expand(MemoryOperation& operation, Cycle now) { return operation.isExpanded() || listener_.expand(operation, now); }

  bool canBegin() const override { return canAccept(); }
  MemoryOperation& begin(AccessStage& stage) override;
  void submit(MemoryOperation& operation, Cycle enters) override { accept(operation, enters); }

  // What has left for other SMs since this was asked before. An answer to each is owed: respondRemote().
  std::vector<RemoteMessage>& remoteMessages() { return remoteMessages_; }
  void respondRemote(u32 entry, Cycle now);
  // A response for request `id` (its sender was this unit).
  void respond(u32 id, Cycle now);
  bool tick(Cycle now);
  Cycle nextUseful(Cycle now) const;
  MemoryOperation& operation(u32 id) { return operations_[id]; }
  bool idle() const { return operationsInFlight_ == 0; }
  // In flight at once: those of the queue, stores, and as many loads as there are registers for.
  u32 mostOperations() const { return mostOperations_; }

  const LoadStoreStats& stats() const { return stats_; }
  // A load or atomic has been written back, so many cycles after its issue. fromShared: the banks of shared memory served it.
  void noteLoad(const mem::Origin& origin, u64 cycles, bool fromShared) {
    stats_.loadLatency.add(cycles);
    stats_.sharedLoads += fromShared ? 1 : 0;
    stats_.sharedLoadCycles += fromShared ? cycles : 0;
    if (origins_) countLoad(origin, cycles);
  }

  // From now on loads and what they and others move are counted by who asked, too.
  void countByOrigin() { origins_.emplace(); }
  // Null when they are not.
  LoadStoreOrigins* origins() { return origins_ ? &*origins_ : nullptr; }
  const LoadStoreOrigins* origins() const { return origins_ ? &*origins_ : nullptr; }

 private:
  void noteExpanded(MemoryOperation& operation, Cycle now);
  void countLoad(const mem::Origin& origin, u64 cycles);
  void countMoved(const mem::Origin& origin, const DataMoved& moved);
  std::optional<u64> takeBanks(u32 passes, Cycle now);
  bool sendShared(MemoryOperation& operation, Cycle now);
  bool takeBanksOfCache(MemoryOperation& operation, Cycle now);
  bool sendRemote(MemoryOperation& operation, Cycle now);
  bool sendRequests(MemoryOperation& operation, Cycle now);
  bool canSend(const MemoryOperation& operation, const RoutedRequest& request) const;
  void finishIfDone(u32 entry, Cycle now);

  const config::Sm& sm_;
  MemoryPorts& ports_;
  MemoryListener& listener_;
  std::deque<MemoryOperation> operations_;  // entries keep their memory
  std::vector<u32> free_;
  RingQueue<u32> queue_;  // entries, in the order of dispatch
  u32 queueCapacity_, mostOperations_, operationsInFlight_ = 0;
  u32 linesWritten_ = 0;  // and not yet acknowledged
  Cycle banksFree_{};     // when the banks take another pass
  Cycle remoteFree_{};    // when the way to other SMs of the cluster takes more
  std::vector<RemoteMessage> remoteMessages_;
  LoadStoreStats stats_;
  std::optional<LoadStoreOrigins> origins_;  // nothing: nobody asks
};

}  // namespace warpwright::sm
