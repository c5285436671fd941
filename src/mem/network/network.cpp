#include "mem/network/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace warpwright::mem {

namespace {

u32 count(const auto& vector) { return static_cast<u32>(vector.size()); }

// Each packet is in an injection queue, has a flit in a buffer, or has an entry of an ejection queue.
u32 mostPackets(const config::Network& config, const Wiring& wiring) {
  return wiring.inputs * config.injectionQueue + count(wiring.routerOf) * config.virtualChannels * config.buffersPerChannel +
         wiring.outputs * config.ejectionQueue;
}

// Flits that may wait for a link between routers.
u32 mostBehind(const config::Network& config) {
  const bool linksRouters = config.topology != config::Topology::crossbar;
  return config.internalSpeedup == 1 || !linksRouters ? 0 : config.virtualChannels * config.buffersPerChannel;
}

// Buffers of a virtual channel that must be free before a packet may begin to pass.
u32 spaceForHead(const config::Network& config) { return config.waitForTailCredit ? config.buffersPerChannel : 1; }

}  // namespace

Network::Network(const config::Network& config, u32 inputs, u32 outputs, NetworkDirection direction, bool skip)
    : config_(config),
      direction_(direction),
      skip_(skip),
      wiring_(wiringFor(config, inputs, outputs)),
      packets_(mostPackets(config, wiring_)),
      buffers_(count(wiring_.routerOf) * config.virtualChannels, config.buffersPerChannel),
      injectors_(inputs),
      arbitration_(arbitrationList().make(config.arbitration)),
      inputBusy_(wiring_.routerOf.size()),
      arrived_(outputs),
      arrivedAt_((outputs + 63) / 64),
      lastPort_(outputs),
      activeInjectors_(inputs),
      activeOutputs_(count(wiring_.ends)),
      wakes_(config.routerLatency + config.channelLatency + mostBehind(config), count(wiring_.routerOf)),
      leaving_(outputs * (config.channelLatency + 1 + (config.internalSpeedup == 1 ? 0 : config.ejectionQueue))),
      credits_(count(wiring_.routerOf) * (config.channelLatency + 1) * config.internalSpeedup),
      linkFlits_(wiring_.ends.size()) {
  buildUpstreams();
  buildOutputs();
  changed_.reserve(wiring_.routerOf.size());
  for (auto& queue : arrived_) queue.reserve(config.ejectionQueue);
}

void Network::buildUpstreams() {
  const u32 channels = config_.virtualChannels;
  upstreams_.resize(wiring_.routerOf.size());
  for (u32 channel = 0; channel < count(wiring_.routerOf) * channels; ++channel) inputOf_.push_back(channel / channels);
  for (u32 output = 0; output < count(wiring_.ends); ++output) {
    if (!wiring_.ends[output].isTerminal) upstreams_[wiring_.ends[output].number] = {false, output};
  }
  for (u32 input = 0; input < wiring_.inputs; ++input) {
    upstreams_[wiring_.entries[input]] = {true, input};
    injectors_[input].build(config_.injectionQueue, wiring_.entries[input] * channels, channels, config_.buffersPerChannel,
                            spaceForHead(config_));
  }
}

void Network::buildOutputs() {
  outputPorts_.resize(wiring_.ends.size());
  for (const Wiring::Router& router : wiring_.routers) {
    for (u32 output = router.firstOutput; output < router.firstOutput + router.outputs; ++output) {
      OutputPort& port = outputPorts_[output];
      port.isTerminal = wiring_.ends[output].isTerminal;
      port.end = wiring_.ends[output].number;
      port.firstChannel = router.firstInput * config_.virtualChannels;
      port.channels = router.inputs * config_.virtualChannels;
      port.slots = config_.ejectionQueue;
      if (port.isTerminal && direction_ == NetworkDirection::toSm) port.flitsPerTick = config_.ejectionFlits;
      port.virtualChannels = config_.virtualChannels;
      port.creditsForHead = spaceForHead(config_);
      port.downstream.fill({OutputPort::kFree, config_.buffersPerChannel});
      if (port.isTerminal && port.end < wiring_.outputs) lastPort_[port.end] = output;
    }
  }
}

void Network::accept(u32 input, const Request& request, NetworkTick now) {
  settle(now);
  const u32 bytes = request.wireBytes();
  const u32 flits = (bytes + config_.flitBytes - 1) / config_.flitBytes;
  const PacketId id = packets_.add();
  Packet& packet = packets_[id];
  packet.request = request;
  packet.destination = destination(request);
  packet.flits = flits;
  packet.accepted = now;
  Injector& injector = injectors_[input];
  injector.push(id, packet);
  if (!injector.isStalled) activeInjectors_.add(input);
  ++stats_.packets;
  stats_.bytes += bytes;
  if (origins_) origins_->of(request.origin).bytes += bytes;
  stats_.mostPackets.observe(packets_.inUse());
  next_ = std::min(next_, now + 1);
}

void Network::drop(u32 output) {
  const PacketId packet = arrived_[output].front();
  arrived_[output].pop();
  if (arrived_[output].empty()) arrivedAt_[output / 64] &= ~(u64{1} << output % 64);
  packets_.release(packet);
  // A head flit may have waited for the entry.
  if (outputPorts_[lastPort_[output]].slots++ == 0) next_ = {};
}

bool Network::tick(NetworkTick now) {
  settle(now);
  if (skip_ && now < next_) return false;
  const bool credited = returnCredits(now), ejected = eject(now);
  const bool injected = inject(now);
  const bool woken = wakes_.visit(now, [&](ChannelId channel) { awaitOutput(channel); });
  const bool sent = allocate(now);
  next_ = injected || sent || hasNewPackets_ ? now + 1 : nextEvent(now);
  return credited || ejected || injected || woken || sent;
}

NetworkTick Network::nextUseful(NetworkTick now) const { return std::max(next_, now + 1); }

const NetworkStats& Network::statistics(NetworkTick now) {
  settle(now);
  stats_.routedFlits = std::accumulate(linkFlits_.begin(), linkFlits_.end(), u64{0});
  return stats_;
}

std::string Network::linkName(u32 link) const {
  const auto leads = [&](const Wiring::Router& router) { return link < router.firstOutput + router.outputs; };
  const auto router = std::find_if(wiring_.routers.begin(), wiring_.routers.end(), leads);
  return fmt::format("router {} output {}", router - wiring_.routers.begin(), link - router->firstOutput);
}

void Network::check(NetworkTick now, stats::Conservation& laws) {
  mem::check(statistics(now), laws);
  for (u32 link = 0; link < links(); ++link)
    laws.atMost("network: flits and ticks of " + linkName(link), linkFlits_[link], stats_.ticks * outputPorts_[link].flitsPerTick);
}

// Nothing has changed since the last call.
void Network::settle(NetworkTick now) {
  if (now <= settled_) return;
  const u64 passed = now - settled_;
  stats_.ticks += passed;
  stats_.injectionStalls += injectionStalled_ * passed;
  stats_.creditStalls += creditStalled_ * passed;
  stats_.arbitrationStalls += arbitrationStalled_ * passed;
  settled_ = now;
}

bool Network::returnCredits(NetworkTick now) {
  bool any = false;
  for (; !credits_.empty() && credits_.front().time <= now; credits_.pop()) {
    ++outputPorts_[credits_.front().output].downstream[credits_.front().channel].credits;
    any = true;
  }
  return any;
}

bool Network::eject(NetworkTick now) {
  bool any = false;
  for (; !leaving_.empty() && leaving_.front().time <= now; leaving_.pop()) {
    const auto& [time, output, id] = leaving_.front();
    const Packet& packet = packets_[id];
    arrived_[output].push(id);
    arrivedAt_[output / 64] |= u64{1} << output % 64;
    ++stats_.deliveredPackets;
    stats_.deliveredBytes += packet.request.wireBytes();
    stats_.ejectedFlits += packet.flits;
    stats_.latency.add(time - packet.accepted);
    any = true;
  }
  return any;
}

bool Network::inject(NetworkTick now) {
  bool any = false, prune = false;
  hasNewPackets_ = false;
  activeInjectors_.visit(false, [&](u32 input) {
    Injector& injector = injectors_[input];
    if (injector.accepted() >= now) {
      hasNewPackets_ = true;
      return;
    }
    if (!injector.hasBuffer()) {
      injector.isStalled = prune = true;
      ++injectionStalled_;
      return;
    }
    const ChannelId channel = injector.channel();
    put(channel, injector.takeFlit(), now + config_.routerLatency);
    ++stats_.injectedFlits;
    any = true;
    prune |= injector.empty();
  });
  if (prune) activeInjectors_.prune([&](u32 input) { return injectors_[input].isStalled || injectors_[input].empty(); });
  return any;
}

void Network::put(ChannelId channel, Flit flit, NetworkTick ready) {
  if (buffers_.empty(channel)) wakes_.schedule(ready, channel);
  buffers_.push(channel, {flit, ready});
}

// The channel's front flit is ready.
void Network::awaitOutput(ChannelId channel) {
  const Flit flit = buffers_.front(channel).flit;
  u32& output = buffers_.way(channel).output;
  if (flit.isHead()) output = wiring_.route(wiring_.routerOf[inputOf_[channel]], packets_[flit.packet()].destination);
  outputPorts_[output].addWaiting(channel);
  activeOutputs_.add(output);
}

bool Network::allocate(NetworkTick now) {
  creditStalled_ = arbitrationStalled_ = 0;
  bool sent = false;
  for (u32 step = 1; step <= config_.internalSpeedup; ++step) {
    ++step_;
    const bool isLast = step == config_.internalSpeedup;
    readyBy_ = isLast ? now + 1 : now;
    // Outputs compete for the inputs' flits: none goes first in every tick.
    activeOutputs_.visit(now.ticks % 2 != 0, [&](u32 output) { sent |= serve(output, now, isLast); });
    activeOutputs_.prune([&](u32 output) { return outputPorts_[output].waitingCount == 0; });
    for (const ChannelId channel : changed_) awaitOutput(channel);
    changed_.clear();
  }
  return sent;
}

bool Network::serve(u32 output, NetworkTick now, bool isLastStep) {
  OutputPort& port = outputPorts_[output];
  const u32 headChannel = port.channelForHead();
  const u32 local = choose(port, headChannel);
  const bool granted = local != IndexSet::kNone;
  if (isLastStep && port.waitingCount != granted) countStalls(port, headChannel != OutputPort::kNoChannel, granted);
  if (!granted) return false;
  port.nextTurn = local + 1 == port.channels ? 0 : local + 1;
  send(output, port.firstChannel + local, headChannel, now);
  return true;
}

// The channel of the router that may send a flit; kNone if there is none.
u32 Network::choose(const OutputPort& port, u32 headChannel) const {
  // With one virtual channel, only the packet that holds it can go on. No input has flits for two outputs then.
  const ChannelId owner = port.downstream[0].owner;
  if (port.virtualChannels == 1 && owner != OutputPort::kFree) {
    return port.isWaiting(owner) && port.hasCredit(0) ? owner - port.firstChannel : IndexSet::kNone;
  }
  return arbitration_->pick({port, buffers_, packets_, inputOf_, inputBusy_, step_, headChannel});
}

void Network::countStalls(const OutputPort& port, bool headCanGo, bool granted) {
  u32 heads = port.waitingCount, withoutCredit = 0;
  for (u32 channel = 0; channel < port.virtualChannels; ++channel) {
    const ChannelId owner = port.downstream[channel].owner;
    if (owner == OutputPort::kFree || !port.isWaiting(owner)) continue;
    --heads;
    withoutCredit += !port.hasCredit(channel);
  }
  if (!headCanGo && port.hasFreeChannel()) withoutCredit += heads;
  creditStalled_ += withoutCredit;
  arbitrationStalled_ += port.waitingCount - withoutCredit - granted;
}

// A new packet takes the virtual channel `headChannel`.
void Network::send(u32 output, ChannelId channel, u32 headChannel, NetworkTick now) {
  OutputPort& port = outputPorts_[output];
  const Flit flit = buffers_.front(channel).flit;
  u32& assigned = buffers_.way(channel).assigned;
  if (flit.isHead()) {
    assigned = headChannel;
    port.downstream[assigned].owner = channel;
    port.slots -= port.isTerminal;
  }
  const u32 behind = assigned;
  if (flit.isTail()) {
    port.downstream[behind].owner = OutputPort::kFree;
    assigned = ChannelBuffers::kUnassigned;
  }
  const NetworkTick departs = port.takeLink(now);
  if (!port.isTerminal) {
    --port.downstream[behind].credits;
    put(port.end * config_.virtualChannels + behind, flit, departs + config_.channelLatency + config_.routerLatency);
  } else if (flit.isTail()) {
    leave({departs + config_.channelLatency, port.end, flit.packet()});
  }
  ++linkFlits_[output];
  if (origins_) ++origins_->of(packets_[flit.packet()].request.origin).flits;
  inputBusy_[inputOf_[channel]] = step_;
  buffers_.pop(channel);
  freeBuffer(channel, now);
  advance(port, channel, flit.isTail());
}

// Kept in the order of time; outputs with flits before their links fall behind others.
void Network::leave(const Leaving& last) {
  leaving_.push(last);
  u32 place = leaving_.size() - 1;
  for (; place > 0 && leaving_[place - 1].time > last.time; --place) leaving_[place] = leaving_[place - 1];
  leaving_[place] = last;
}

// The channel's next flit comes to the front.
void Network::advance(OutputPort& port, ChannelId channel, bool packetEnds) {
  const bool isReady = !buffers_.empty(channel) && buffers_.front(channel).ready <= readyBy_;
  if (isReady && !packetEnds) return;
  port.removeWaiting(channel);
  if (isReady) {
    changed_.push_back(channel);
  } else if (!buffers_.empty(channel)) {
    wakes_.schedule(buffers_.front(channel).ready, channel);
  }
}

// A flit has left the channel's buffer: its sender may send another.
void Network::freeBuffer(ChannelId channel, NetworkTick now) {
  const u32 input = inputOf_[channel];
  const Upstream& upstream = upstreams_[input];
  if (!upstream.isTerminal) {
    credits_.push({now + config_.channelLatency, upstream.number, channel - input * config_.virtualChannels});
    return;
  }
  Injector& injector = injectors_[upstream.number];
  injector.freeBuffer(channel);
  if (!injector.isStalled) return;
  // It has been stalled in this tick, and tries again in the next.
  injector.isStalled = false;
  --injectionStalled_;
  ++stats_.injectionStalls;
  activeInjectors_.add(upstream.number);
}

NetworkTick Network::nextEvent(NetworkTick now) const {
  NetworkTick next = wakes_.next(now);
  if (!leaving_.empty()) next = std::min(next, leaving_.front().time);
  if (!credits_.empty()) next = std::min(next, credits_.front().time);
  return next;
}

}  // namespace warpwright::mem
