#include "mem/side/network_sections.hpp"

#include <algorithm>
#include <utility>

namespace warpwright::mem {
namespace {

u32 ports(const AddressMap& map) { return map.partitions() * map.portsPerPartition(); }

}  // namespace

NetworkSection::NetworkSection(const config::Machine& machine, u32 inputs, u32 outputs, NetworkDirection direction,
                               std::vector<RequestChannel*> in, std::vector<RequestChannel*> out, bool skip)
    : ticks_({machine.network.clockKhz, machine.coreClockKhz}),
      network_(machine.network, inputs, outputs, direction, skip),
      in_(std::move(in)),
      out_(std::move(out)),
      skip_(skip),
      arrivals_(in_.size(), kNever) {}

void NetworkSection::begin() {
  arrival_ = kNever;
  for (u32 input = 0; input < in_.size(); ++input) {
    arrivals_[input] = in_[input]->nextArrival();
    arrival_ = std::min(arrival_, arrivals_[input]);
  }
}

bool NetworkSection::receiveAll(Cycle now, NetworkTick time) {
  bool progressed = false;
  arrival_ = kNever;
  for (u32 input = 0; input < in_.size(); ++input) {
    if (arrivals_[input] > now) {
      arrival_ = std::min(arrival_, arrivals_[input]);
      continue;
    }
    RequestChannel& channel = *in_[input];
    while (channel.ready(now) && network_.canAccept(input, channel.front())) {
      network_.accept(input, channel.front(), time);
      channel.drop(now);
      progressed = true;
    }
    arrivals_[input] = channel.nextArrival();
    arrival_ = std::min(arrival_, arrivals_[input]);
  }
  return progressed;
}

Cycle NetworkSection::nextArrival() const {
  Cycle next = kNever;
  for (const RequestChannel* channel : in_) next = std::min(next, channel->nextArrival());
  return next;
}

// Where there are channels: else who stands at the outputs takes what has arrived.
bool NetworkSection::deliver(Cycle now) {
  if (out_.empty()) return false;
  bool progressed = false;
  network_.forEachArrived([&](u32 output) {
    RequestChannel& channel = *out_[output];
    while (network_.peek(output) && channel.canSend(now)) {
      channel.send(*network_.peek(output), now);
      network_.drop(output);
      ++delivered_;
      progressed = true;
    }
  });
  return progressed;
}

bool NetworkSection::tick(Cycle now) {
  bool progressed = false;
  u64 tick = ticks_.advance(now);
  const u64 end = ticks_.advance(now + 1);
  for (; tick < end; ++tick) {
    const NetworkTick time{tick};
    if (!skip_ || network_.nextUseful(previous(time)) <= time) progressed |= network_.tick(time);
  }
  return progressed;
}

Cycle NetworkSection::nextEvent(Cycle now) const {
  Cycle next = kNever;
  const NetworkTick useful = network_.nextUseful(previous(time(now)));
  if (useful.ticks != ~u64{0}) next = std::max(now, ticks_.ratio().cycleOf(useful.ticks));
  if (const Cycle arrival = nextArrival(); arrival != kNever) next = std::min(next, std::max(now, arrival));
  if (!out_.empty()) network_.forEachArrived([&](u32 output) { next = std::min(next, out_[output]->canSendAt(now)); });
  return next;
}

RequestSection::RequestSection(const config::Machine& machine, const AddressMap& map, std::vector<RequestChannel*> fromSms,
                               std::vector<RequestChannel*> toPartitions, bool skip)
    : NetworkSection(machine, machine.multiprocessors, ports(map), NetworkDirection::toMemory, std::move(fromSms), std::move(toPartitions),
                     skip) {}

bool RequestSection::cycle(Cycle now) {
  bool progressed = tick(now);
  progressed |= deliver(now);
  return receive(now, {ticks_.before(now + 1)}) || progressed;
}

ResponseSection::ResponseSection(const config::Machine& machine, const AddressMap& map, std::vector<RequestChannel*> fromPartitions,
                                 std::vector<RequestChannel*> toSms, bool skip)
    : NetworkSection(machine, ports(map), machine.multiprocessors, NetworkDirection::toSm, std::move(fromPartitions), std::move(toSms),
                     skip) {}

bool ResponseSection::cycle(Cycle now) {
  bool progressed = receive(now, {ticks_.advance(now)});
  progressed |= tick(now);
  return deliver(now) || progressed;
}

}  // namespace warpwright::mem
