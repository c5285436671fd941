// The kinds of clients of an SM's port to the network.
#pragma once

#include <memory>
#include <optional>

#include "base/ring_queue.hpp"
#include "sm/access/stage.hpp"
#include "sm/instruction_stream.hpp"
#include "sm/ports/answers.hpp"
#include "sm/ports/network_client.hpp"

namespace warpwright::sm {

// What every kind gets: its number at the port, whom its answers go to, whom it wakes, and whether cycles in which nothing can change are
// left out.
struct PortContext {
  u32 number = 0;
  Answers& answers;
  WakeUp& wakeUp;
  bool skip = true;
};

// A first-level cache for data accesses.
class DataCache final : public NetworkClient {
 public:
  DataCache(const PortContext& context, const config::Cache& cache);

  L1Cache& cache() { return cache_; }
  const L1Cache& cache() const { return cache_; }
  void accept(const mem::Request& request, Cycle now) {
    wake();
    cache_.accept(request, now);
  }

  // From now on another cache takes its misses, and the network gets none.
  void leadToCache() { leadsToCache_ = true; }

  bool canFill(const mem::Request& response) const override { return cache_.canFill(response); }
  bool hasRequest() const override { return !leadsToCache_ && cache_.peekMiss() != nullptr; }
  bool tick(Cycle now) override { return (!skip_ || holdsAnswer_ || cache_.nextUseful(previous(now)) <= now) && work(now); }
  Cycle nextUseful(Cycle now) const override { return holdsAnswer_ ? now + 1 : cache_.nextUseful(now); }
  bool quiescent() const override { return cache_.quiescent(); }

 private:
  bool work(Cycle now);
  void doFill(const mem::Request& response, Cycle now) override { cache_.fill(response, now); }
  mem::Request doTakeRequest(Cycle) override { return cache_.takeMiss(); }

  Answers& answers_;
  const bool skip_;
  L1Cache cache_;
  bool holdsAnswer_ = false;  // that a stage does not take yet
  bool leadsToCache_ = false;
};

// A cache between a first-level cache and the network. Its accesses are what the one above misses.
class CacheBehind final : public NetworkClient {
 public:
  // In each cycle it is ticked before the cache above, so that an answer is there in time for that one's tick.
  CacheBehind(const PortContext& context, const config::Cache& cache, DataCache& above);

  L1Cache& cache() { return cache_; }

  bool canFill(const mem::Request& response) const override { return cache_.canFill(response); }
  bool hasRequest() const override { return cache_.peekMiss() != nullptr; }
  bool tick(Cycle now) override;
  Cycle nextUseful(Cycle now) const override;
  bool quiescent() const override { return cache_.quiescent(); }

 private:
  void doFill(const mem::Request& response, Cycle now) override { cache_.fill(response, now); }
  mem::Request doTakeRequest(Cycle) override { return cache_.takeMiss(); }

  const bool skip_;
  L1Cache cache_;
  DataCache& above_;
};

// The instruction cache. What it misses goes to the instruction stream first, where there is one.
class InstructionCache final : public NetworkClient {
 public:
  InstructionCache(const PortContext& context, const config::Cache& cache, InstructionStream* stream);

  L1Cache& cache() { return cache_; }
  // As Cache::bookHit(), or else the request is accepted.
  std::optional<Cycle> fetch(const mem::Request& request, Cycle now);
  // Before tick(): what the stream had ready at the end of the cycle before. True when there was something.
  bool takeFromStream(Cycle now);

  bool canFill(const mem::Request& response) const override { return cache_.canFill(response); }
  bool hasRequest() const override { return stream_ ? !stream_->misses().empty() : cache_.peekMiss() != nullptr; }
  bool tick(Cycle now) override;
  Cycle nextUseful(Cycle now) const override;
  bool quiescent() const override { return cache_.quiescent(); }

 private:
  void doFill(const mem::Request& response, Cycle now) override { cache_.fill(response, now); }
  mem::Request doTakeRequest(Cycle) override { return stream_ ? stream_->takeMiss() : cache_.takeMiss(); }

  Answers& answers_;
  const bool skip_;
  L1Cache cache_;
  InstructionStream* const stream_;
};

// The lines that the instruction stream asks for ahead of the cache.
class StreamLines final : public NetworkClient {
 public:
  StreamLines(const PortContext& context, InstructionStream& stream) : NetworkClient(context.number, context.wakeUp), stream_(stream) {}

  bool canFill(const mem::Request&) const override { return true; }
  bool hasRequest() const override { return stream_.wantsLine(); }
  bool quiescent() const override { return stream_.quiescent(); }

 private:
  void doFill(const mem::Request& response, Cycle) override { stream_.arrived(response.address); }
  mem::Request doTakeRequest(Cycle now) override { return stream_.takeLine(now); }

  InstructionStream& stream_;
};

// A lane or line stage.
class StageClient final : public NetworkClient {
 public:
  StageClient(const PortContext& context, std::unique_ptr<AccessStage> stage);

  AccessStage& stage() const { return *stage_; }

  bool canFill(const mem::Request& response) const override { return stage_->canFill(response); }
  bool hasRequest() const override { return stage_->peekMiss() != nullptr; }
  bool tick(Cycle now) override;
  Cycle nextUseful(Cycle now) const override { return stage_->peekResponse() ? now + 1 : stage_->nextUseful(now); }
  bool quiescent() const override { return stage_->quiescent(); }

 private:
  void doFill(const mem::Request& response, Cycle now) override { stage_->fill(response, now); }
  mem::Request doTakeRequest(Cycle) override { return stage_->takeMiss(); }

  Answers& answers_;
  const bool skip_;
  std::unique_ptr<AccessStage> stage_;
};

// Requests of a kind that the machine has no cache for.
class DirectQueue final : public NetworkClient {
 public:
  enum class Kind : u8 { data, instructions };
  // Room for so many requests.
  DirectQueue(const PortContext& context, Kind kind, u32 room);

  bool full() const { return queue_.full(); }
  void push(const mem::Request& request) { queue_.push(request); }

  bool canFill(const mem::Request& response) const override { return kind_ == Kind::instructions || answers_.canDeliver(response); }
  bool hasRequest() const override { return !queue_.empty(); }
  bool quiescent() const override { return queue_.empty(); }

 private:
  void doFill(const mem::Request& response, Cycle now) override;
  mem::Request doTakeRequest(Cycle now) override;

  Answers& answers_;
  const Kind kind_;
  RingQueue<mem::Request> queue_;
};

}  // namespace warpwright::sm
