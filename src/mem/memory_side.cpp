#include "mem/memory_side.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpwright::mem {

MemorySide::MemorySide(const config::Machine& machine, const AddressMap& map, std::vector<RequestChannel*> fromSms,
                       std::vector<RequestChannel*> toSms, bool skip)
    : machine_(machine),
      map_(map),
      fromSms_(std::move(fromSms)),
      toSms_(std::move(toSms)),
      skip_(skip),
      networkClock_(machine.network.clockKhz, machine.coreClockKhz),
      l2Clock_(machine.partition.clockKhz, machine.coreClockKhz),
      dramClock_(machine.dram.clockKhz, machine.coreClockKhz),
      requests_(machine.network, machine.multiprocessors, map.partitions() * map.portsPerPartition(), NetworkDirection::toMemory, skip),
      responses_(machine.network, map.partitions() * map.portsPerPartition(), machine.multiprocessors, NetworkDirection::toSm, skip) {
  validatePartition(machine.partition, machine.l2, machine.llc, machine.dram.interleaveBytes);
  for (u32 i = 0; i < machine.dram.channels; ++i) {
    partitions_.push_back(std::make_unique<Partition>(machine_.partition, machine_.l2, machine_.llc, map_, skip));
    channels_.push_back(std::make_unique<Channel>(machine_.dram, skip));
  }
}

void MemorySide::run(Cycle from, Cycle until) {
  for (Cycle now = from; now < until; ++now) {
    if (cycle(now) || !skip_) continue;
    const Cycle next = nextEvent(now + 1);
    if (next > now + 1) now = Cycle{std::min(next, until).ticks - 1};
  }
  now_ = until;
}

// One core cycle: the ticks of the other clocks that fall into it. Requests move towards DRAM after responses have made room.
bool MemorySide::cycle(Cycle now) {
  bool progressed = tickDram(now);
  progressed |= tickPartitions(now);
  progressed |= tickNetworks(now);
  progressed |= deliver(now);
  return receive(now) || progressed;
}

bool MemorySide::receive(Cycle now) {
  bool progressed = false;
  const NetworkTick tick{networkClock_.before(now + 1)};
  for (u32 sm = 0; sm < fromSms_.size(); ++sm) {
    RequestChannel& channel = *fromSms_[sm];
    while (channel.ready(now) && requests_.canAccept(sm, channel.front())) {
      requests_.accept(sm, channel.take(now), tick);
      progressed = true;
    }
  }
  return progressed;
}

bool MemorySide::deliver(Cycle now) {
  bool progressed = false;
  for (u32 sm = 0; sm < toSms_.size(); ++sm) {
    while (responses_.peek(sm) && toSms_[sm]->canSend(now)) {
      toSms_[sm]->send(responses_.take(sm), now);
      ++answers_;
      progressed = true;
    }
  }
  return progressed;
}

bool MemorySide::tickNetworks(Cycle now) {
  bool progressed = false;
  const u64 end = networkClock_.before(now + 1);
  for (u64 tick = networkClock_.before(now); tick < end; ++tick) {
    const NetworkTick time{tick};
    if (!skip_ || requests_.nextUseful(previous(time)) <= time) progressed |= requests_.tick(time);
    if (!skip_ || responses_.nextUseful(previous(time)) <= time) progressed |= responses_.tick(time);
  }
  return progressed;
}

bool MemorySide::tickPartitions(Cycle now) {
  bool progressed = false;
  const u64 end = l2Clock_.before(now + 1);
  const NetworkTick networkTime{networkClock_.before(now)};
  for (u64 tick = l2Clock_.before(now); tick < end; ++tick) {
    const L2Tick time{tick};
    for (u32 i = 0; i < partitions_.size(); ++i) {
      Partition& partition = *partitions_[i];
      Channel& channel = *channels_[i];
      while (!channel.returning.empty() && channel.returning.front().ready <= now && partition.canFill(channel.returning.front().request)) {
        partition.fill(channel.returning.front().request, time);
        channel.returning.pop();
        progressed = true;
      }
      for (u32 port = 0; port < partition.ports(); ++port) {
        for (; canAccept(i, port); progressed = true) partition.accept(requests_.take(firstPort(i) + port), time);
      }
      if (!skip_ || partition.nextUseful(previous(time)) <= time) progressed |= partition.tick(time);
      for (u32 port = 0; port < partition.ports(); ++port) {
        for (; canRespond(i, port); progressed = true) responses_.accept(firstPort(i) + port, partition.takeResponse(port), networkTime);
      }
    }
  }
  return progressed;
}

bool MemorySide::canAccept(u32 partition, u32 port) const {
  const Request* request = requests_.peek(firstPort(partition) + port);
  return request && partitions_[partition]->canAccept(*request);
}

bool MemorySide::canRespond(u32 partition, u32 port) const {
  const Request* response = partitions_[partition]->peekResponse(port);
  return response && responses_.canAccept(firstPort(partition) + port, *response);
}

bool MemorySide::tickDram(Cycle now) {
  bool progressed = false;
  const u64 end = dramClock_.before(now + 1);
  for (u64 tick = dramClock_.before(now); tick < end; ++tick) {
    const DramTick time{tick};
    for (u32 i = 0; i < channels_.size(); ++i) {
      DramChannel& dram = channels_[i]->dram;
      Partition& partition = *partitions_[i];
      auto& returning = channels_[i]->returning;
      while (partition.peekMiss() && dram.canAccept(*partition.peekMiss())) {
        dram.accept(partition.takeMiss(), time);
        progressed = true;
      }
      if (!skip_ || dram.nextUseful(previous(time)) <= time) progressed |= dram.tick(time);
      while (dram.peekResponse() && !returning.full()) {
        returning.push({dram.takeResponse(), now + machine_.dram.fixedLatency});
        progressed = true;
      }
    }
  }
  return progressed;
}

Cycle MemorySide::nextEvent(Cycle now) const {
  Cycle next = kNever;
  const auto at = [&](const engine::ClockRatio& clock, u64 tick) {
    if (tick != ~u64{0}) next = std::min(next, std::max(now, clock.cycleOf(tick)));
  };
  const NetworkTick networkTick = previous(NetworkTick{networkClock_.before(now)});
  const L2Tick l2Tick{l2Clock_.before(now)};
  const DramTick dramTick{dramClock_.before(now)};
  at(networkClock_, requests_.nextUseful(networkTick).ticks);
  at(networkClock_, responses_.nextUseful(networkTick).ticks);
  for (u32 i = 0; i < partitions_.size(); ++i) {
    const Channel& channel = *channels_[i];
    at(l2Clock_, partitions_[i]->nextUseful(previous(l2Tick)).ticks);
    at(dramClock_, channel.dram.nextUseful(previous(dramTick)).ticks);
    if (!channel.returning.empty()) next = std::min(next, std::max(now, channel.returning.front().ready));
    if (next > now) next = std::min(next, nextHandOver(i, l2Tick, dramTick));
  }
  for (u32 sm = 0; sm < fromSms_.size(); ++sm) {
    if (fromSms_[sm]->nextArrival() != kNever) next = std::min(next, std::max(now, fromSms_[sm]->nextArrival()));
    if (responses_.peek(sm)) next = std::min(next, toSms_[sm]->canSendAt(now));
  }
  return next;
}

// What one part has ready and the next one has room for moves in the first tick of the clock that moves it: that may be in a later cycle
// than the tick in which it became so.
Cycle MemorySide::nextHandOver(u32 partition, L2Tick l2Tick, DramTick dramTick) const {
  const Partition& slices = *partitions_[partition];
  const Channel& channel = *channels_[partition];
  Cycle next = kNever;
  for (u32 port = 0; port < slices.ports(); ++port) {
    if (canAccept(partition, port) || canRespond(partition, port)) next = l2Clock_.cycleOf(l2Tick.ticks);
  }
  const bool misses = slices.peekMiss() && channel.dram.canAccept(*slices.peekMiss());
  const bool returns = channel.dram.peekResponse() && !channel.returning.full();
  if (misses || returns) next = std::min(next, dramClock_.cycleOf(dramTick.ticks));
  return next;
}

std::span<const PerformedAtomic> MemorySide::takePerformed() {
  performed_.clear();
  for (const auto& partition : partitions_) {
    const auto atomics = partition->performed();
    performed_.insert(performed_.end(), atomics.begin(), atomics.end());
    partition->clearPerformed();
  }
  return performed_;
}

void MemorySide::placeCopied(u64 address, u64 bytes) {
  if (machine_.l2.bytes == 0 || bytes == 0) return;
  const u64 line = machine_.l2.lineBytes, end = address + bytes;
  const L2Tick time{l2Clock_.before(now_)};
  for (u64 at = address & ~(line - 1); at < end; at += line) {
    const u64 first = (std::max(at, address) - at) / Request::kSectorBytes,
              last = (std::min(at + line, end) - 1 - at) / Request::kSectorBytes;
    const u32 sectors = static_cast<u32>(firstLanes(static_cast<u32>(last - first + 1)) << first);
    partitions_[map_.partition(at)]->place(at, sectors, time);
  }
}

MemorySideStats MemorySide::statistics(Cycle until) {
  MemorySideStats all;
  all.requests = requests_.statistics({networkClock_.before(until)});
  all.responses = responses_.statistics({networkClock_.before(until)});
  for (const auto& partition : partitions_) stats::merge(all.partition, partition->statistics({l2Clock_.before(until)}));
  for (const auto& channel : channels_) stats::merge(all.dram, channel->dram.statistics({dramClock_.before(until)}));
  return all;
}

bool MemorySide::idle() const {
  const auto isQuiet = [](const auto& partition) { return partition->quiescent(); };
  const auto isIdle = [](const auto& channel) { return channel->dram.idle() && channel->returning.empty(); };
  return requests_.idle() && responses_.idle() && std::all_of(partitions_.begin(), partitions_.end(), isQuiet) &&
         std::all_of(channels_.begin(), channels_.end(), isIdle);
}

std::string MemorySide::describeWaits() const {
  std::string text;
  const auto note = [&](bool busy, const std::string& what) {
    if (busy) text += "  " + what + " has requests under way\n";
  };
  note(!requests_.idle(), "the network to memory");
  note(!responses_.idle(), "the network from memory");
  for (u32 i = 0; i < partitions_.size(); ++i) {
    note(!partitions_[i]->quiescent(), fmt::format("memory partition {}", i));
    note(!channels_[i]->dram.idle(), fmt::format("DRAM channel {}", i));
  }
  return text;
}

}  // namespace warpwright::mem
