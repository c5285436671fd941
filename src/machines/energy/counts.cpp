#include "machines/energy/counts.hpp"

namespace warpwright::machines {
namespace {

void instructions(const sm::SmStats& sm, const CountVisitor& visit) {
  const u64 decoded = sm.warpInstructions + sm.assistInstructions;
  visit("instruction", "fetch", sm.instructionFetches);
  visit("instruction", "decode", decoded);
  visit("instruction", "issue", decoded + sm.replays + sm.assistReplays);
}

void registers(const sm::BackendStats& backend, const CountVisitor& visit) {
  visit("register_file", "read", backend.operandReads);
  visit("register_file", "write", backend.operandWrites);
  visit("operand_collector", "operand", backend.operandReads);
}

void pipes(const sm::PipeOperations& operations, const CountVisitor& visit) {
  for (std::size_t i = 0; i < isa::kPipeOperations; ++i) {
    const auto operation = static_cast<isa::PipeOperation>(i);
    if (operation == isa::PipeOperation::none) continue;
    // An address is worked out by an adder.
    const bool isAddress = operation == isa::PipeOperation::address;
    visit("pipe", isa::name(isAddress ? isa::PipeOperation::intAdd : operation), operations[operation]);
  }
}

void loadStore(const sm::LoadStoreStats& loadStore, const CountVisitor& visit) {
  visit("coalescer", "lane", loadStore.coalescedLanes);
  visit("coalescer", "access", loadStore.coalescedAccesses);
  visit("data_crossbar", "cache_word", loadStore.cacheWords);
  visit("data_crossbar", "shared_word", loadStore.sharedWords);
  visit("shared_memory", "read", loadStore.bankReads);
  visit("shared_memory", "write", loadStore.bankWrites);
}

void cache(std::string_view unit, const mem::CacheStats& cache, const CountVisitor& visit) {
  visit(unit, "tag", cache.accesses.total());
  visit(unit, "read", cache.sectorsRead + cache.sectorsWrittenBack);
  visit(unit, "write", cache.sectorsWritten);
  visit(unit, "fill", cache.sectorsFilled);
  visit(unit, "mshr_search", cache.misses.total() + cache.merges.total());
  visit(unit, "mshr_allocate", cache.fetchLatency.count());
}

void network(u64 flits, const CountVisitor& visit) {
  for (const char* event : {"route", "arbitrate", "link"}) visit("network", event, flits);
}

void dram(const mem::DramStats& dram, const CountVisitor& visit) {
  using mem::dram::Command;
  const auto& commands = dram.commands;
  visit("dram", "activate", commands[Command::activate]);
  visit("dram", "read", commands[Command::read] + commands[Command::readPrecharge]);
  visit("dram", "write", commands[Command::write] + commands[Command::writePrecharge]);
  visit("dram", "refresh", commands[Command::refresh]);
  visit("dram", "open", dram.openTicks);
  visit("dram", "precharged", dram.ticks - dram.openTicks);
}

void inSm(const mem::SmUse& use, const CountVisitor& visit) {
  visit("instruction", "fetch", use.fetches);
  visit("register_file", "read", use.operandReads);
  visit("register_file", "write", use.operandWrites);
  visit("operand_collector", "operand", use.operandReads);
  visit("coalescer", "lane", use.coalescedLanes);
  visit("coalescer", "access", use.coalescedAccesses);
  visit("data_crossbar", "cache_word", use.cacheWords);
  visit("data_crossbar", "shared_word", use.sharedWords);
  visit("shared_memory", "read", use.bankReads);
  visit("shared_memory", "write", use.bankWrites);
}

void cache(std::string_view unit, const mem::CacheUse& cache, const CountVisitor& visit) {
  visit(unit, "tag", cache.accesses);
  visit(unit, "read", cache.sectorsRead);
  visit(unit, "write", cache.sectorsWritten);
  visit(unit, "fill", cache.sectorsFilled);
  visit(unit, "mshr_search", cache.accesses - cache.hits);
  visit(unit, "mshr_allocate", cache.mshrs);
}

}  // namespace

void forEachEnergyEvent(const GpuStats& stats, const CountVisitor& visit) {
  instructions(stats.sm, visit);
  registers(stats.sm.backend, visit);
  pipes(stats.sm.operations, visit);
  loadStore(stats.sm.loadStore, visit);
  cache("l1d", stats.l1d, visit);
  cache("l1i", stats.l1i, visit);
  cache("l1c", stats.l1c, visit);
  cache("l15c", stats.l15c, visit);
  cache("texture_cache", stats.texture, visit);
  cache("l2", stats.memory.partition.l2, visit);
  cache("llc", stats.memory.partition.lastLevel, visit);
  network(stats.memory.requests.routedFlits + stats.memory.responses.routedFlits, visit);
  dram(stats.memory.dram, visit);
  visit("sm", "active_cycle", stats.sm.activeCycles);
  visit("sm", "idle_cycle", stats.sm.cycles - stats.sm.activeCycles);
  for (const char* unit : {"register_file", "shared_memory", "l1d", "l1i", "l1c", "l15c", "texture_cache", "l2", "llc"})
    visit(unit, "leakage", stats.cycles);
}

void forEachEnergyEvent(const LineTiming& line, u32 columnBytes, const CountVisitor& visit) {
  const mem::Traffic& traffic = line.traffic;
  visit("instruction", "decode", line.warpInstructions);
  visit("instruction", "issue", line.warpInstructions);
  pipes(line.operations, visit);
  inSm(traffic.sm, visit);
  cache("l1d", traffic.l1d, visit);
  cache("l1i", traffic.l1i, visit);
  cache("l1c", traffic.l1c, visit);
  cache("l15c", traffic.l15c, visit);
  cache("texture_cache", traffic.texture, visit);
  cache("l2", traffic.l2, visit);
  cache("llc", traffic.lastLevel, visit);
  network(traffic.requests.flits + traffic.responses.flits, visit);
  visit("dram", "activate", traffic.dram.activations);
  visit("dram", "read", traffic.dram.bytesRead / columnBytes);
  visit("dram", "write", traffic.dram.bytesWritten / columnBytes);
}

}  // namespace warpwright::machines
