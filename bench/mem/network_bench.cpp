// Host time of a network for each packet, at several loads.
#include <benchmark/benchmark.h>

#include <random>

#include "mem/network/network.hpp"

namespace warpwright::mem {
namespace {

constexpr u32 kLoadScale = 1000;

// Each input sends a packet with the given chance a tick (of 1000); half of the packets carry a line's 128 B.
void carry(benchmark::State& state, const config::Network& config, u32 inputs, u32 outputs) {
  Network network(config, inputs, outputs, NetworkDirection::toMemory);
  const auto load = static_cast<u32>(state.range(0));
  std::mt19937 random(1);
  std::vector<u32> draws(1 << 16);
  for (u32& draw : draws) draw = static_cast<u32>(random());
  u64 now = 0, packets = 0;
  std::size_t next = 0;
  Request request;
  request.lineBytes = 128;
  for (auto _ : state) {
    for (u32 input = 0; input < inputs; ++input) {
      const u32 draw = draws[next++ & (draws.size() - 1)];
      if (draw % kLoadScale >= load) continue;
      request.type = draw >> 31 ? AccessType::globalWrite : AccessType::globalRead;
      request.sectors = 15;
      request.memoryPort = static_cast<u16>((draw >> 12) % outputs);
      if (network.canAccept(input, request)) network.accept(input, request, {now});
    }
    network.tick({now});
    for (u32 output = 0; output < outputs; ++output) {
      for (; network.peek(output) != nullptr; ++packets) benchmark::DoNotOptimize(network.take(output));
    }
    ++now;
  }
  state.counters["packet"] = benchmark::Counter(static_cast<double>(packets), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["packets_a_tick"] = static_cast<double>(packets) / static_cast<double>(now);
}

void crossbar15x6(benchmark::State& state) { carry(state, {}, 15, 6); }
BENCHMARK(crossbar15x6)->Arg(0)->Arg(10)->Arg(100)->Arg(1000);

void crossbar80x64(benchmark::State& state) { carry(state, {}, 80, 64); }
BENCHMARK(crossbar80x64)->Arg(100);

void butterfly2x5(benchmark::State& state) {
  config::Network config;
  config.topology = config::Topology::butterfly;
  config.flitBytes = 16;
  config.virtualChannels = 2;
  carry(state, config, 16, 4);
}
BENCHMARK(butterfly2x5)->Arg(10)->Arg(100);

}  // namespace
}  // namespace warpwright::mem
