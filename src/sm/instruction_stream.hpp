// Instruction prefetch: a stream buffer between the instruction cache and the network (Jouppi: "Improving Direct-Mapped Cache Performance
// by the Addition of a Small Fully-Associative Cache and Prefetch Buffers", 1990, section 4.1).
//
// It asks for the lines that follow a miss. A miss that it has, or has asked for, is answered from it, and the lines behind that one move
// up; any other goes below, and the buffer begins anew behind it.
#pragma once

#include <vector>

#include "base/ring_queue.hpp"
#include "mem/request.hpp"

namespace warpwright::sm {

class InstructionStream {
 public:
  // lines: of the buffer, at least one. misses: how many of the cache can be under way.
  InstructionStream(u32 lines, u32 lineBytes, u32 misses);

  // A whole line that the cache does not have.
  void miss(const mem::Request& request);

  // Misses that go below, as the cache sent them.
  const RingQueue<mem::Request>& misses() const { return misses_; }
  mem::Request takeMiss();
  // Lines ahead of the cache, whose responses go to arrived().
  bool wantsLine() const { return asked_ != end_; }
  mem::Request takeLine(Cycle now);
  void arrived(GlobalAddress address);

  // Misses that the buffer answers, as responses.
  const RingQueue<mem::Request>& answers() const { return answers_; }
  mem::Request takeAnswer();

  bool quiescent() const { return underWay_ == 0 && misses_.empty() && answers_.empty() && !wantsLine(); }

  // Lines asked for, and those of them that answered a miss.
  u64 prefetched() const { return prefetched_; }
  u64 used() const { return used_; }

 private:
  bool holds(GlobalAddress address) const { return address >= first_ && address < asked_; }
  u8& isHere(GlobalAddress address) { return isHere_[address / lineBytes_ % isHere_.size()]; }
  void moveTo(GlobalAddress address);

  u64 lineBytes_;
  GlobalAddress first_, asked_, end_;  // of the buffer's first line, of the next to ask for, behind its last
  std::vector<u8> isHere_;             // per line, for those before asked_
  std::vector<mem::Request> waiting_;  // misses whose lines are under way
  RingQueue<mem::Request> misses_, answers_;
  mem::Origin origin_;  // of the last miss: the lines ahead of it are fetched for its sake
  u32 underWay_ = 0;
  u64 prefetched_ = 0, used_ = 0;
};

}  // namespace warpwright::sm
