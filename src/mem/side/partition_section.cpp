#include "mem/side/partition_section.hpp"

#include <algorithm>
#include <utility>

namespace warpwright::mem {

u32 mostReturning(const config::Machine& machine) {
  const engine::ClockRatio clock(machine.dram.clockKhz, machine.coreClockKhz);
  const u64 ticks = clock.before(Cycle{machine.dram.fixedLatency}), burst = config::burstTicks(machine.dram);
  return machine.dram.returnQueue + machine.dram.interfaceQueue + static_cast<u32>((ticks + burst - 1) / burst);
}

PartitionSection::PartitionSection(const config::Machine& machine, const config::Partition& config, const Parts& parts, PartitionId number,
                                   std::vector<PartitionPort*> ports, PartnerLink partner, bool skip)
    : fixedLatency_(machine.dram.fixedLatency),
      skip_(skip),
      l2Ticks_({machine.partition.clockKhz, machine.coreClockKhz}),
      dramTicks_({machine.dram.clockKhz, machine.coreClockKhz}),
      partition_(parts.partition.make({config, parts.placement, number})),
      dram_(parts.channel.make()),
      returning_(mostReturning(machine)),
      ports_(std::move(ports)),
      partner_(partner) {
  for (const auto& make : parts.stages) stages_.push_back({make()});
}

// Requests move towards DRAM after responses have made room.
bool PartitionSection::cycle(Cycle now) {
  const bool progressed = tickDram(now);
  return tickPartition(now) || progressed;
}

bool PartitionSection::tickDram(Cycle now) {
  bool progressed = false;
  u64 tick = dramTicks_.advance(now);
  const u64 end = dramTicks_.advance(now + 1);
  for (; tick < end; ++tick) {
    const DramTick time{tick};
    for (const Request* miss = peekAbove(stages_.size()); miss && dram_->canAccept(*miss); miss = peekAbove(stages_.size())) {
      dram_->accept(takeAbove(stages_.size()), time);
      progressed = true;
    }
    if (!skip_ || dram_->nextUseful(previous(time)) <= time) progressed |= dram_->tick(time);
    while (dram_->peekResponse() && !returning_.full()) {
      returning_.push({dram_->takeResponse(), now + fixedLatency_});
      progressed = true;
    }
  }
  return progressed;
}

bool PartitionSection::tickPartition(Cycle now) {
  bool progressed = false;
  u64 tick = l2Ticks_.advance(now);
  const u64 end = l2Ticks_.advance(now + 1);
  for (; tick < end; ++tick) {
    const L2Tick time{tick};
    progressed |= fillFromDram(now, time);
    if (partner_.responses) progressed |= fillFromPartner(now, time);
    if (!stages_.empty()) progressed |= tickStages(time);
    for (PartitionPort* port : ports_) {
      for (const Request* request = port->peek(now); request && partition_->canAccept(*request); request = port->peek(now)) {
        partition_->accept(port->take(now), time);
        progressed = true;
      }
    }
    if (!skip_ || partition_->nextUseful(previous(time)) <= time) progressed |= partition_->tick(time);
    for (u32 number = 0; number < ports_.size(); ++number) {
      PartitionPort& port = *ports_[number];
      for (const Request* response = partition_->peekResponse(number); response && port.canSend(*response, now);
           response = partition_->peekResponse(number)) {
        port.send(partition_->takeResponse(number), now);
        progressed = true;
      }
    }
    if (partner_.requests) progressed |= askPartner(now);
    if (!stages_.empty()) progressed |= feedStages(time);
  }
  return progressed;
}

bool PartitionSection::fillFromPartner(Cycle now, L2Tick time) {
  bool progressed = false;
  while (partner_.responses->ready(now) && partition_->canFillFromAfar(partner_.responses->front(), time)) {
    partition_->fillFromAfar(partner_.responses->take(now), time);
    progressed = true;
  }
  return progressed;
}

bool PartitionSection::askPartner(Cycle now) {
  bool progressed = false;
  while (partition_->peekFarMiss() && partner_.requests->canSend(now)) {
    partner_.requests->send(partition_->takeFarMiss(), now);
    progressed = true;
  }
  return progressed;
}

bool PartitionSection::fillFromDram(Cycle now, L2Tick time) {
  bool progressed = false;
  while (!returning_.empty() && returning_.front().ready <= now && canFillAbove(stages_.size(), returning_.front().request)) {
    fillAbove(stages_.size(), returning_.front().request, time);
    returning_.pop();
    progressed = true;
  }
  return progressed;
}

// From the channel up, so that what comes up meets free entries.
bool PartitionSection::tickStages(L2Tick time) {
  bool progressed = false;
  for (std::size_t number = stages_.size(); number-- > 0;) {
    Stage& stage = stages_[number];
    if (!skip_ || stage.isTouched || stage.agent->nextUseful(previous(time)) <= time) {
      stage.isTouched = false;
      progressed |= stage.agent->tick(time);
    }
    for (const Request* response = stage.agent->peekResponse(); response && canFillAbove(number, *response);
         response = stage.agent->peekResponse()) {
      fillAbove(number, stage.agent->takeResponse(), time);
      stage.isTouched = progressed = true;
    }
  }
  return progressed;
}

bool PartitionSection::feedStages(L2Tick time) {
  bool progressed = false;
  for (std::size_t number = 0; number < stages_.size(); ++number) {
    Stage& stage = stages_[number];
    for (const Request* miss = peekAbove(number); miss && stage.agent->canAccept(*miss); miss = peekAbove(number)) {
      stage.agent->accept(takeAbove(number), time);
      stage.isTouched = progressed = true;
    }
  }
  return progressed;
}

Request PartitionSection::takeAbove(std::size_t stage) {
  if (stage == 0) return partition_->takeMiss();
  stages_[stage - 1].isTouched = true;
  return stages_[stage - 1].agent->takeMiss();
}

bool PartitionSection::canFillAbove(std::size_t stage, const Request& response) const {
  return stage == 0 ? partition_->canFill(response) : stages_[stage - 1].agent->canFill(response);
}

void PartitionSection::fillAbove(std::size_t stage, const Request& response, L2Tick time) {
  if (stage == 0) return partition_->fill(response, time);
  stages_[stage - 1].isTouched = true;
  stages_[stage - 1].agent->fill(response, time);
}

Cycle PartitionSection::nextEvent(Cycle now) const {
  Cycle next = kNever;
  const auto at = [&](const engine::ClockRatio& clock, u64 tick) {
    if (tick != ~u64{0}) next = std::min(next, std::max(now, clock.cycleOf(tick)));
  };
  const L2Tick l2Tick = l2Time(now);
  const DramTick dramTick = dramTime(now);
  at(l2Ticks_.ratio(), partition_->nextUseful(previous(l2Tick)).ticks);
  at(dramTicks_.ratio(), dram_->nextUseful(previous(dramTick)).ticks);
  for (const Stage& stage : stages_) at(l2Ticks_.ratio(), stage.isTouched ? l2Tick.ticks : stage.agent->nextUseful(previous(l2Tick)).ticks);
  if (!returning_.empty()) next = std::min(next, std::max(now, returning_.front().ready));
  return next > now ? std::min(next, nextHandOver(now, l2Tick, dramTick)) : next;
}

// What one part has ready and the next one has room for moves in the first tick of the clock that moves it: that may be in a later cycle
// than the tick in which it became so.
Cycle PartitionSection::nextHandOver(Cycle now, L2Tick l2Tick, DramTick dramTick) const {
  Cycle next = kNever;
  const auto inTickOfL2 = [&](Cycle cycle) {
    if (cycle == kNever) return;
    const u64 tick = cycle == now ? l2Tick.ticks : l2Time(cycle).ticks;
    next = std::min(next, l2Ticks_.ratio().cycleOf(tick));
  };
  for (u32 number = 0; number < ports_.size(); ++number) {
    const PartitionPort& port = *ports_[number];
    const auto [time, request] = port.next(now);
    if (request && partition_->canAccept(*request)) inTickOfL2(time);
    if (const Request* response = partition_->peekResponse(number)) inTickOfL2(port.canSendAt(*response, now));
  }
  // What has arrived may wait for the link or its slice: it is looked at in every tick.
  if (partner_.responses && partner_.responses->nextArrival() != kNever) inTickOfL2(std::max(now, partner_.responses->nextArrival()));
  if (partner_.requests && partition_->peekFarMiss()) inTickOfL2(partner_.requests->canSendAt(now));
  const Request* miss = peekAbove(stages_.size());
  const bool misses = miss && dram_->canAccept(*miss);
  const bool returns = dram_->peekResponse() && !returning_.full();
  if (misses || returns) next = std::min(next, dramTicks_.ratio().cycleOf(dramTick.ticks));
  return next;
}

bool PartitionSection::isPartitionIdle() const {
  return partition_->quiescent() &&
         std::all_of(stages_.begin(), stages_.end(), [](const Stage& stage) { return stage.agent->quiescent(); });
}

}  // namespace warpwright::mem
