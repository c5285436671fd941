// Between the caches of an SM and its first-level cache: fetches and write-backs of lines of global and private memory, in one queue, so
// that a fetch finds what was written back before it. What the lanes of an instruction miss, and what leaves the caches together, is
// coalesced into lines of the first-level cache.
#pragma once

#include <deque>
#include <vector>

#include "base/ring_queue.hpp"
#include "mechanisms/tiny_cache/lane_caches.hpp"
#include "sm/access/stage.hpp"

namespace warpwright::mechanisms::tiny_cache {

class LineTraffic {
 public:
  // A fetch that a line has come with, or comes.
  struct Flight {
    u32 fetch = ~u32{0}, turn = 0;
  };

  LineTraffic(const Settings& settings, const config::Machine& machine, u32 lanes, sm::StagesBelow& below, BelowStats& stats);

  // Whether an access may begin, whatever it asks for.
  bool hasRoom() const { return queue_.size() <= settings_.queue; }

  // --- what an instruction misses: begin(), fetch() for each line, and await(); sent with send(), behind the write-backs
  void begin(const mem::Origin& origin, const sm::LaunchPlan* plan);
  Flight fetch(LineName line);
  bool isInFlight(const Flight& flight) const {
    return flight.fetch < fetches_.size() && fetches_[flight.fetch].turn == flight.turn && fetches_[flight.fetch].left != 0;
  }
  // The operation of the load/store unit is answered when the fetch is complete. True: it was not yet to be.
  bool await(const Flight& flight, u32 entry);
  void send(Cycle now);
  // Those that are not of shared memory.
  void writeBack(const std::vector<Leaver>& leavers, const sm::LaunchPlan* plan, Cycle now);

  // --- what has been written back, by number in the order of time: all before `mark` have reached the first-level cache
  u64 mark() const { return firstWrite_ + writesDone_.size(); }
  bool isWritten(u64 mark) const { return firstWrite_ >= mark; }

  // --- as a part of a memory agent
  bool tick(Cycle now);
  Cycle nextUseful(Cycle now) const;
  void fill(const mem::Request& response);
  const mem::Request* peekResponse() const { return answers_.empty() ? nullptr : &answers_.front(); }
  mem::Request takeResponse();
  bool quiescent() const { return queue_.empty() && inFlight_ == 0 && writesDone_.empty() && answers_.empty(); }

 private:
  struct Fetch {
    GlobalAddress region;  // its first byte
    bool isPrivate = false;
    u32 sectors = 0;           // of the region
    u32 left = 0;              // requests that are not answered
    u32 turn = 0;              // how often the entry has been used
    std::vector<u32> waiting;  // operations
  };
  struct WriteBack {
    mem::Request request;
    mem::WordAccess words;
    u64 number = 0;
    const sm::LaunchPlan* plan = nullptr;
  };
  struct Queued {
    bool isWrite = false;
    u32 entry = 0;
    mem::Request request;  // of a fetch
    const sm::LaunchPlan* plan = nullptr;
    Cycle ready{};
  };

  u32 freeFetch();
  u32 beginWriteBack(GlobalAddress line, const Leaver& leaver, const sm::LaunchPlan* plan);
  u32 writeBackOf(GlobalAddress line, const Leaver& leaver, std::size_t first, const sm::LaunchPlan* plan);
  void add(WriteBack& write, u32 word, u32 bytes, std::optional<u32> value) const;
  sm::LineAccess lineAccess(const Queued& queued) const;
  mem::Request requestFor(GlobalAddress line, mem::AccessType type, const mem::Origin& origin) const;
  void completeWrite(u32 entry);

  const Settings settings_;
  const Geometry geometry_;
  const u32 lineBytes_, regionBytes_;  // of the first-level cache's lines; what a fetch brings at most
  const u8 headerBytes_;
  const sm::Route readRoute_;
  sm::StagesBelow& below_;
  BelowStats& stats_;
  std::vector<Fetch> fetches_;
  std::vector<u32> freeFetches_, begun_;  // begun_: of the instruction at hand
  u32 inFlight_ = 0;
  mem::Origin origin_;  // of that instruction
  const sm::LaunchPlan* plan_ = nullptr;
  std::deque<WriteBack> writes_;  // entries stay where they are
  std::vector<u32> freeWrites_, batch_, order_;
  std::deque<bool> writesDone_;  // from number firstWrite_ on
  u64 firstWrite_ = 0;
  RingQueue<Queued> queue_;
  std::deque<mem::Request> answers_;
};

}  // namespace warpwright::mechanisms::tiny_cache
