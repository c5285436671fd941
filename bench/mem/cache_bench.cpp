// Cost of an access to a cache and to a memory partition, on the host, per access.
#include <benchmark/benchmark.h>

#include "mem/cache/cache.hpp"
#include "mem/partition/partition.hpp"

namespace warpwright::mem {
namespace {

Request load(u64 address, u32 lineBytes = 128) {
  Request request;
  request.address = GlobalAddress(address);
  request.lineBytes = lineBytes;
  request.sectors = 0xf;
  return request;
}

constexpr const char* kPolicies[] = {"lru", "tree_plru", "fifo", "random"};

// 768 KB / 12 slices, as in a GTX 480.
config::Cache sliceOfL2(const char* replacement) {
  config::Cache cache;
  cache.bytes = 64 * 1024;
  cache.ways = 8;
  cache.replacement = replacement;
  cache.globalWrites = config::WritePolicy::writeBack;
  cache.hitLatency = 20;
  cache.fillBytesPerTick = 128;
  return cache;
}

// One access a tick; what misses is answered in the next tick. Lines of a footprint that fits (hits) or not (misses), in a scattered order.
void accesses(benchmark::State& state, u64 footprint, AccessType type) {
  Cache<L2Clock> cache(sliceOfL2(kPolicies[static_cast<std::size_t>(state.range(0))]), Atomics::here);
  u64 now = 0, line = 0;
  for (auto _ : state) {
    line += 37;
    Request request = load(line * 128 % footprint);
    request.type = type;
    request.wholeSectors = 0xf;
    if (cache.peekMiss()) {
      Request response = cache.takeMiss();
      response.isResponse = true;
      if (response.wantsResponse) cache.fill(response, {now});
    }
    if (cache.canAccept(request)) cache.accept(request, {now});
    cache.tick({now++});
    if (cache.peekResponse()) benchmark::DoNotOptimize(cache.takeResponse());
  }
  state.counters["hits"] = static_cast<double>(cache.statistics().hits.total()) / static_cast<double>(cache.statistics().accesses.total());
  state.counters["accesses"] = benchmark::Counter(static_cast<double>(cache.statistics().accesses.total()), benchmark::Counter::kIsRate);
}

void hit(benchmark::State& state) { accesses(state, 64 * 1024, AccessType::globalRead); }
void miss(benchmark::State& state) { accesses(state, 1024 * 1024, AccessType::globalRead); }
void writeMiss(benchmark::State& state) { accesses(state, 1024 * 1024, AccessType::globalWrite); }

void eachPolicy(benchmark::internal::Benchmark* bench) {
  for (int policy = 0; policy < 4; ++policy) bench->Arg(policy);
}
BENCHMARK(hit)->Apply(eachPolicy);
BENCHMARK(miss)->Apply(eachPolicy);
BENCHMARK(writeMiss)->Apply(eachPolicy);

// Two slices; one request a tick, DRAM answers in the next tick.
void partition(benchmark::State& state) {
  const u64 footprint = static_cast<u64>(state.range(0)) * 1024;
  config::Partition config;
  config.slices = 2;
  const AddressMap map(1, config.slices, 1, 256, "false");
  Partition part(config, sliceOfL2("lru"), {}, map);
  u64 now = 0, line = 0, accepted = 0;
  for (auto _ : state) {
    line += 37;
    const Request request = load(line * 128 % footprint);
    if (part.peekMiss()) {
      Request response = part.takeMiss();
      response.isResponse = true;
      if (response.wantsResponse) part.fill(response, {now});
    }
    if (part.canAccept(request)) {
      part.accept(request, {now});
      ++accepted;
    }
    part.tick({now++});
    while (part.peekResponse(0)) benchmark::DoNotOptimize(part.takeResponse(0));
  }
  state.counters["accesses"] = benchmark::Counter(static_cast<double>(accepted), benchmark::Counter::kIsRate);
}
BENCHMARK(partition)->Arg(128)->Arg(4096);

void idlePartition(benchmark::State& state) {
  config::Partition config;
  config.slices = 2;
  const AddressMap map(1, config.slices, 1, 256, "false");
  Partition part(config, sliceOfL2("lru"), {}, map);
  u64 now = 0;
  for (auto _ : state) benchmark::DoNotOptimize(part.tick({now++}));
}
BENCHMARK(idlePartition);

void addressMap(benchmark::State& state) {
  const AddressMap map(6, 2, 2, 256, state.range(0) != 0 ? "true" : "false");
  GlobalAddress address;
  for (auto _ : state) {
    address += 4096 + 128;
    benchmark::DoNotOptimize(map.partition(address) + map.slice(address));
  }
}
BENCHMARK(addressMap)->Arg(0)->Arg(1);

}  // namespace
}  // namespace warpwright::mem
