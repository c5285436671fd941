// Host time of a DRAM channel for each request of 128 B.
#include <benchmark/benchmark.h>

#include <random>

#include "mem/dram/channel.hpp"

namespace warpwright::mem {
namespace {

// Keeps the queue full. Argument: pieces of 256 B that follow one another before the stream jumps.
void serve(benchmark::State& state, config::Dram config) {
  config.channels = 1;
  DramChannel channel(config);
  std::mt19937 random(1);
  std::vector<u32> draws(1 << 16);
  for (u32& draw : draws) draw = static_cast<u32>(random());
  u64 now = 0, requests = 0, address = 0;
  Request request;
  request.lineBytes = 128;
  request.sectors = 15;
  for (auto _ : state) {
    while (channel.canAccept(request)) {
      const u32 draw = draws[requests++ & (draws.size() - 1)];
      address = draw % (2 * state.range(0)) == 0 ? u64{draw >> 8} * 128 : address + 128;
      request.address = GlobalAddress(address);
      request.type = draw >> 30 == 0 ? AccessType::globalWrite : AccessType::globalRead;
      channel.accept(request, {now});
    }
    channel.tick({now});
    while (channel.peekResponse() != nullptr) benchmark::DoNotOptimize(channel.takeResponse());
    now = channel.nextUseful({now}).ticks;
  }
  state.counters["request"] = benchmark::Counter(static_cast<double>(requests), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["efficiency"] = dramEfficiency(channel.statistics({now}), config.dataRate).value_or(0);
}

void frFcfs(benchmark::State& state) { serve(state, {}); }
BENCHMARK(frFcfs)->Arg(1)->Arg(16);

void fcfs(benchmark::State& state) {
  config::Dram config;
  config.scheduler = "fcfs";
  serve(state, config);
}
BENCHMARK(fcfs)->Arg(16);

}  // namespace
}  // namespace warpwright::mem
