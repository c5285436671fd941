// [network].
#include "config/fields/rows.hpp"

namespace warpwright::config {

template <>
inline constexpr std::array<std::string_view, 2> kNamesOf<Topology> = {"crossbar", "butterfly"};

Rows<Network> networkRows() {
  using N = Network;
  static constexpr std::array kRows = {
      choice<&N::topology>("topology",
                           "Of each direction: one `crossbar`, or a k-ary n-fly `butterfly` (Dally and Towles, Principles and Practices of "
                           "Interconnection Networks). Default: crossbar."),
      row<&N::clockKhz>("clock_khz", "kHz", {1'000, 100'000'000}, "Default: 700 MHz (GTX480)."),
      row<&N::flitBytes>("flit_bytes", "bytes", {8, 1024}, "Width of a link: what it moves a tick. Default: 32 (GTX480)."),
      row<&N::headerBytes>("header_bytes", "bytes", {1, 255},
                           "What a packet takes on every link beside its data: address, type and tags. Default: 8, a packet without data "
                           "in GPGPU-Sim (READ_PACKET_SIZE)."),
      row<&N::radix>("radix", "ports", {2, 64}, "Butterfly: k, inputs and outputs of a router. Default: 2."),
      row<&N::stages>("stages", "stages", {1, 16}, "Butterfly: n; it joins up to k^n terminals. Default: 5."),
      row<&N::virtualChannels>("virtual_channels", "channels", {1, 8}, "A port. Default: 1."),
      row<&N::buffersPerChannel>("buffers_per_channel", "flits", {1, 65'536}, "Of a virtual channel at a router's input. Default: 8."),
      choice<&N::waitForTailCredit>(
          "wait_for_tail_credit",
          "A virtual channel is given to a packet when the one before it has left the buffer behind, which holds flits of one packet then; "
          "false: when its last flit has gone, and the buffer holds what fits. A parameter of BookSim. Default: false, as in the network "
          "files of GPGPU-Sim."),
      row<&N::routerLatency>("router_latency", "ticks", {0, 1'000},
                             "From a flit's arrival at a router to its earliest departure. Default: 1."),
      row<&N::channelLatency>("channel_latency", "ticks", {1, 1'000}, "On the wire behind a router's output. Default: 1."),
      policy<&N::arbitration>("arbitration", arbitrations, "Which packet takes an output that several want. Default: round_robin."),
      row<&N::internalSpeedup>("internal_speedup", "flits", {1, 8},
                               "What a router moves in a tick from each input and to each output, whose link takes one. With 1, flits wait "
                               "behind others for other outputs: of uniform traffic through input queues 58.6 % passes (Karol, Hluchyj, "
                               "Morgan, 1987). Default: 1; the network files of GPGPU-Sim have 2."),
      row<&N::ejectionFlits>(
          "ejection_flits", "flits", {1, 8},
          "What the link from the network to an SM carries in a tick, as far as a router moves so many (internal_speedup). "
          "Default: 1."),
      row<&N::injectionLatency>("injection_latency", "core cycles", {1, 100'000},
                                "Between an SM and the network, either way, credits too. SMs are simulated in parallel for so long at a "
                                "time (a quantum), so it is at least 1. Default: 8."),
      row<&N::injectionQueue>("injection_queue", "packets", {1, 65'536}, "At an input. Default: 8 (GTX480)."),
      row<&N::ejectionQueue>("ejection_queue", "packets", {1, 65'536}, "At an output. Default: 8 (GTX480)."),
  };
  return kRows;
}

}  // namespace warpwright::config
