#include "mem/network/wiring.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "mem/network/output_port.hpp"

namespace warpwright::mem {

namespace {

void requireAtLeast(u32 least, const char* key, u32 value) {
  if (value >= least) return;
  throw Error(fmt::format("network.{} = {}", key, value), {}, fmt::format("set network.{} to {} or more", key, least));
}

void requireAtMost(u32 most, const char* key, u32 value) {
  if (value <= most) return;
  throw Error(fmt::format("network.{} = {}", key, value), {}, fmt::format("set network.{} to {} or less", key, most));
}

}  // namespace

Wiring wiringFor(const config::Network& config, u32 inputs, u32 outputs) {
  requireAtLeast(1, "flit_bytes", config.flitBytes);
  requireAtLeast(1, "virtual_channels", config.virtualChannels);
  requireAtLeast(1, "buffers_per_channel", config.buffersPerChannel);
  requireAtLeast(1, "channel_latency", config.channelLatency);
  requireAtLeast(1, "injection_queue", config.injectionQueue);
  requireAtLeast(1, "ejection_queue", config.ejectionQueue);
  requireAtMost(OutputPort::kMostChannels, "virtual_channels", config.virtualChannels);
  const bool isCrossbar = config.topology == config::Topology::crossbar;
  if (const u32 routerInputs = isCrossbar ? inputs : config.radix; u64{routerInputs} * config.virtualChannels > IndexSet::kBound) {
    throw Error(fmt::format("a router of {} inputs with network.virtual_channels = {} exceeds {} channels", routerInputs,
                            config.virtualChannels, IndexSet::kBound),
                {}, isCrossbar ? "use fewer virtual channels, or a butterfly" : "set network.radix or network.virtual_channels lower");
  }
  if (isCrossbar) return crossbarWiring(inputs, outputs);
  requireAtLeast(2, "radix", config.radix);
  requireAtLeast(1, "stages", config.stages);
  return butterflyWiring(config.radix, config.stages, inputs, outputs);
}

}  // namespace warpwright::mem
