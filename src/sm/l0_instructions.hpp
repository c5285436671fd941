// The instruction cache of a sub-core, before the one that the sub-cores of an SM share, with a stream buffer that asks that one for the
// lines behind a miss (Huerta, Shoushtary, Cruz, González, "Dissecting and Modeling the Architecture of Modern GPU Cores", MICRO 2025,
// section 5.2).
//
// Any line may lie anywhere in it, and the one that was not used for longest makes room.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "config/machine.hpp"
#include "sm/instruction_stream.hpp"

namespace warpwright::sm {

class L0Instructions {
 public:
  explicit L0Instructions(const config::Machine& machine);

  // Whether the line of the address is here.
  bool finds(GlobalAddress address);
  // The fetch waits for a line that is not. True: the stream buffer had it, and it is here now.
  bool await(GlobalAddress address, u32 fetch, const mem::Origin& origin);

  // Lines to ask the shared cache for; each comes by arrived().
  struct Wanted {
    GlobalAddress line;
    mem::Origin origin;
    bool isAhead = false;  // nobody waits for it yet
  };
  // Whether there is one to ask for, and from when on it may be: they are asked for sm.pipeline.l0_line_interval apart.
  bool wantsLine() const { return stream_ ? !stream_->misses().empty() || stream_->wantsLine() : !misses_.empty(); }
  Cycle mayAsk() const { return mayAsk_; }
  Wanted takeWanted(Cycle now);
  // tell(fetch) for each that waited.
  template <class Tell>
  void arrived(const Wanted& wanted, Tell tell) {
    if (!wanted.isAhead) return comes(wanted.line, tell);
    stream_->arrived(wanted.line);
    while (!stream_->answers().empty()) comes(stream_->takeAnswer().address, tell);
  }

  u64 misses() const { return missCount_; }

 private:
  struct Line {
    GlobalAddress address;
    u64 used = 0;  // 0: there is none
  };
  struct Waiting {
    GlobalAddress line;
    u32 fetch = 0;
  };

  GlobalAddress lineOf(GlobalAddress address) const { return alignDown(address, lineBytes_); }
  void keep(GlobalAddress line);
  template <class Tell>
  void comes(GlobalAddress line, Tell tell) {
    keep(line);
    for (const Waiting& each : waiting_)
      if (each.line == line) tell(each.fetch);
    std::erase_if(waiting_, [&](const Waiting& each) { return each.line == line; });
  }

  Wanted nextWanted(Cycle now);

  const u32 lineBytes_, lineInterval_;
  Cycle mayAsk_{};
  std::vector<Line> lines_;
  std::size_t latest_ = 0;  // of lines_: found last
  u64 uses_ = 0, missCount_ = 0;
  std::vector<Waiting> waiting_;
  std::vector<Wanted> misses_;               // without a stream
  std::optional<InstructionStream> stream_;  // nothing: nothing is fetched ahead
};

}  // namespace warpwright::sm
