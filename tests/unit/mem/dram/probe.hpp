// A DRAM channel under a test's control: requests at chosen ticks, and a log of what it did.
#pragma once

#include <map>
#include <vector>

#include "mem/dram/channel.hpp"

namespace warpwright::mem::testing {

struct LoggedCommand {
  u64 tick = 0;
  dram::Command command = dram::Command::activate;
  dram::Location location;
};

struct CommandLog : DramObserver {
  void issued(dram::Command command, const dram::Location& location, DramTick now) override {
    entries.push_back({now.ticks, command, location});
  }
  std::vector<LoggedCommand> entries;
};

// The part of an address above a column, in the order of geometry.hpp for 64 B columns, 256 B pieces, 4 groups of 4 banks and 2 KiB rows in
// one channel with one rank.
struct Target {
  u32 group = 0, bank = 0;
  u64 row = 0;
  u32 column = 0;
  u64 address() const { return ((((row * 4 + bank) * 8 + column / 4) * 4 + group) * 4 + column % 4) * 64; }
};

class Probe {
 public:
  explicit Probe(const config::Dram& config) : channel_(config) { channel_.observe(&log_); }

  // Makes all ticks up to, not including, this one.
  void runUntil(u64 tick) {
    for (; now_ < tick; ++now_) {
      channel_.tick({now_});
      while (channel_.peekResponse() != nullptr) ready_[channel_.takeResponse().id] = now_;
    }
  }
  // Sends a request for one column in the given tick; returns its id.
  u32 send(u64 tick, u64 address, AccessType type = AccessType::globalRead, u32 sectors = 3) {
    runUntil(tick);
    Request request;
    request.address = GlobalAddress(address);
    request.lineBytes = 64;
    request.sectors = sectors;
    request.type = type;
    request.id = next_++;
    channel_.accept(request, {tick});
    return request.id;
  }
  // The tick in which the response became ready; runs up to it.
  u64 ready(u32 id, u64 patience = 10'000) {
    for (const u64 end = now_ + patience; ready_.count(id) == 0 && now_ < end;) runUntil(now_ + 1);
    return ready_.count(id) != 0 ? ready_[id] : ~u64{0};
  }
  // The ticks of the commands of one kind.
  std::vector<u64> ticksOf(dram::Command command) const {
    std::vector<u64> result;
    for (const LoggedCommand& entry : log_.entries) {
      if (entry.command == command) result.push_back(entry.tick);
    }
    return result;
  }

  DramChannel& channel() { return channel_; }
  const CommandLog& log() const { return log_; }
  u64 now() const { return now_; }

 private:
  DramChannel channel_;
  CommandLog log_;
  std::map<u32, u64> ready_;
  u64 now_ = 0;
  u32 next_ = 0;
};

}  // namespace warpwright::mem::testing
