// The table of a kernel: how fast it ran, what became of the issue slots, and what the memory system did.
#include <algorithm>

#include "base/demangle.hpp"
#include "machines/energy/report.hpp"
#include "machines/estimated_cycles.hpp"
#include "machines/timing_report.hpp"
#include "profile/mechanisms.hpp"
#include "profile/text_page.hpp"
#include "profile/units.hpp"

namespace warpwright::machines {
namespace {

using profile::bytesText;
using profile::countText;
using profile::percentText;
using profile::ratioText;
using sm::Slot;
using stats::ratio;

class TimingReport {
 public:
  TimingReport(const KernelTiming& kernel, const config::Machine& machine, const EnergyModel* energy, const profile::ReportOptions& options)
      : kernel_(kernel), counters_(kernel.counters), machine_(machine), energy_(energy), page_(options) {}

  std::string text() {
    header();
    rates();
    slots();
    if (machine_.sm.pipeline == config::Pipeline::inOrder) pipelineStalls();
    backEnd();
    caches();
    networks();
    dram();
    units();
    if (energy_ != nullptr) appendEnergy(page_, *energy_, counters_);
    profile::appendMechanisms(page_, counters_.gpu.mechanisms);
    if (kernel_.pcHistogram) appendPcHistogram(page_, *kernel_.pcHistogram);
    violations();
    return page_.take();
  }

 private:
  std::string percent(std::string_view name) const { return percentText(figure(name, counters_, machine_)); }
  std::string number(std::string_view name, int digits = 2) const { return ratioText(figure(name, counters_, machine_), digits); }

  void header() {
    page_.title("timing of kernel " + demangled(kernel_.name) + " on " + machine_.name);
    page_.row("  {} launch{}{}, {} core cycles, {} at {} MHz; {} SMs", countText(counters_.launches), counters_.launches == 1 ? "" : "es",
              counters_.failed == 0 ? "" : fmt::format(" ({} did not end)", counters_.failed), countText(counters_.cycles),
              profile::timeText(counters_.nanoseconds), machine_.coreClockKhz / 1000, machine_.multiprocessors);
    if (counters_.sampled != 0 || !kernel_.computed.empty()) estimated();
    if (kernel_.sampled) appendSampled(page_, *kernel_.sampled);
    if (counters_.besideOthers == 0) return;
    page_.row("  {} ran beside launches of other streams;", countText(counters_.besideOthers));
    page_.row("  what follows counts the whole machine meanwhile");
  }

  // All else in the tables is of what was timed.
  void estimated() {
    page_.row("  ESTIMATED: {} core cycles for {} launches with all blocks;", estimateText(kernel_.estimate),
              countText(kernel_.launches.size() + kernel_.computed.size()));
    page_.row("  what follows is of the {} blocks that were simulated in detail", countText(counters_.blocks));
  }

  void rates() {
    page_.heading("Rates and occupancy");
    page_.row("  {:<32}{:>8}   {:<24}{:>8}", "warp instructions a cycle", number("warp_instructions_per_cycle"), "thread instr. a cycle",
              number("thread_instructions_per_cycle"));
    page_.row("  {:<32}{:>8}   {:<24}{:>8}", "warps resident on average", percent("occupancy"), "blocks at once",
              countText(counters_.mostBlocks / std::max<u64>(1, counters_.launches)));
    page_.row("  {:<32}{:>8}   {:<24}{:>8}", "registers never allocated", percent("registers_never_allocated"), "shared never allocated",
              percent("shared_memory_never_allocated"));
    if (!kernel_.launches.empty()) addedByMechanisms(kernel_.launches.front());
  }

  // Of the first launch.
  void addedByMechanisms(const LaunchTiming& launch) {
    const BlockResources& block = launch.resources;
    if (!block.hasAdded()) return;
    page_.paragraph(
        fmt::format("  mechanisms add {} registers to a thread and {} bytes of shared memory to a block: an SM holds {} block{}, "
                    "without them {}",
                    block.addedRegisters, block.addedSharedBytes, launch.residentBlocks, launch.residentBlocks == 1 ? "" : "s",
                    block.residentBlocksWithout),
        4);
  }

  std::string share(Slot slot) const { return percentText(ratio(counters_.gpu.sm.slots[slot], counters_.gpu.sm.slots.total())); }

  void slots() {
    page_.heading("Issue slots");
    page_.row("  {:<24}{:>8}   {}", "active", percent("active"), "issued an instruction, or its sub-warps");
    if (counters_.gpu.sm.slots[Slot::assist] != 0)
      page_.row("  {:<24}{:>8}   {}", "", share(Slot::assist), "of these for helpers of warps");
    page_.row("  {:<24}{:>8}   {}", "memory stalls", percent("memory_stalls"), "the load/store unit takes nothing");
    page_.row("  {:<24}{:>8}   {}", "compute stalls", percent("compute_stalls"), "no operand collector or pipe is free");
    page_.row("  {:<24}{:>8}   wait for memory {}, for pipes {}", "data dependence", percent("data_dependence_stalls"),
              share(Slot::memoryDependence), share(Slot::computeDependence));
    page_.row("  {:<24}{:>8}   barrier {}, fence {}", "idle", percent("idle"), share(Slot::barrier), share(Slot::fence));
    page_.row("  {:<24}{:>8}   fetch {}, no warp {}", "", "", share(Slot::fetch), share(Slot::noWarp));
  }

  // Gou, section 5.6.1.
  void pipelineStalls() {
    page_.heading("Pipeline stalls (shares of the issue slots)");
    page_.row("  {:<24}{:>8}   {}", "warp scheduling fails", percent("scheduling_fails"), "warps are resident, none is ready or let go");
    page_.row("  {:<24}{:>8}   {}", "bank conflicts", percent("bank_conflict_stalls"), "of shared memory");
    page_.row("  {:<24}{:>8}   {}", "write-back conflicts", percent("write_back_conflict_stalls"), "several results at once");
    page_.row("  {:<24}{:>8}   {}", "memory", share(Slot::memoryStructural), "caches and the network take nothing");
  }

  void backEnd() {
    const sm::BackendStats& backend = counters_.gpu.sm.backend;
    const sm::LoadStoreStats& loadStore = counters_.gpu.sm.loadStore;
    page_.heading("Conflicts and waits (warp cycles)");
    page_.row("  {:<32}{:>10}   on {} reads", "register banks, reading", countText(backend.readConflicts), countText(backend.operandReads));
    page_.row("  {:<32}{:>10}   on {} writes", "register banks, writing", countText(backend.writeConflicts),
              countText(backend.operandWrites));
    page_.row("  {:<32}{:>10}", "write-back ports", countText(backend.writeBackConflicts));
    page_.row("  {:<32}{:>10}", "pipes", countText(backend.dispatchWaits.total()));
    page_.row("  {:<32}{:>10}   on {} transactions", "caches and network", countText(loadStore.blocked), countText(loadStore.transactions));
    if (loadStore.sharedAccesses != 0)
      page_.row("  {:<32}{:>10}   of {} accesses", "shared memory, further passes",
                countText(loadStore.sharedPasses - loadStore.sharedAccesses), countText(loadStore.sharedAccesses));
    if (loadStore.loadLatency.count() != 0)
      histogram(fmt::format("  load latency: {} cycles on average;", number("load_latency", 1)), loadStore.loadLatency);
  }

  // "64-127: 90.0%, 128-255: 10.0%"
  template <class Histogram>
  void histogram(std::string text, const Histogram& counts) {
    std::string_view separator;
    for (std::size_t bin = 0; bin < counts.bins(); ++bin) {
      if (counts[bin] == 0) continue;
      const double part = static_cast<double>(counts[bin]) / static_cast<double>(counts.count());
      text += fmt::format("{} {}: {}", separator, counts.label(bin), part < 0.0005 ? "<0.1%" : fmt::format("{:.1f}%", part * 100));
      separator = ",";
    }
    page_.paragraph(text, 6);
  }

  void caches() {
    page_.heading("Caches");
    page_.row("  {:<9}{:<17}{:>9}{:>9}{:>8}{:>8}{:>8}{:>8}", "", "", "accesses", "hits", "misses", "merges", "hits", "refused");
    const GpuStats& gpu = counters_.gpu;
    cacheRows("L1 data", gpu.l1d);
    cacheRows("L1 instr.", gpu.l1i);
    cacheRows("L1 const.", gpu.l1c);
    cacheRows("L1.5 con.", gpu.l15c);
    cacheRows("texture", gpu.texture);
    cacheRows("L2", gpu.memory.partition.l2);
    cacheRows("LLC", gpu.memory.partition.lastLevel);
  }

  static u64 refused(const mem::RefusalStats& refusals, mem::AccessType type) {
    u64 ticks = 0;
    stats::forEachField<mem::RefusalStats>([&](const auto& cause) { ticks += (refusals.*cause.member)[type]; });
    return ticks;
  }

  void cacheRows(std::string_view name, const mem::CacheStats& cache) {
    for (std::size_t i = 0; i < mem::kAccessTypes; ++i) {
      const auto type = static_cast<mem::AccessType>(i);
      const u64 accesses = cache.accesses[type], ticks = refused(cache.refusals, type);
      if (accesses + ticks == 0) continue;
      std::string kind(mem::name(type));
      std::replace(kind.begin(), kind.end(), '_', ' ');
      page_.row("  {:<9} {:<16}{:>9}{:>9}{:>8}{:>8}{:>8}{:>8}", name, kind, countText(accesses), countText(cache.hits[type]),
                countText(cache.misses[type]), countText(cache.merges[type]), percentText(ratio(cache.hits[type], accesses)),
                countText(ticks));
      name = "";
    }
  }

  void networks() {
    const mem::MemorySideStats& memory = counters_.gpu.memory;
    page_.heading("Networks");
    page_.row("  {:<14}{:>10}{:>12}{:>10}{:>12}{:>12}", "", "packets", "bytes", "used", "latency", "stalls");
    networkRow("to memory", memory.requests, percent("request_network_utilisation"));
    networkRow("from memory", memory.responses, percent("response_network_utilisation"));
  }

  void networkRow(std::string_view name, const mem::NetworkStats& network, const std::string& used) {
    page_.row("  {:<14}{:>10}{:>12}{:>10}{:>12}{:>12}", name, countText(network.packets), bytesText(network.bytes), used,
              ratioText(network.latency.mean(), 1), countText(network.injectionStalls + network.creditStalls + network.arbitrationStalls));
  }

  void dram() {
    const mem::DramStats& dram = counters_.gpu.memory.dram;
    page_.heading("DRAM");
    page_.row("  {:<32}{:>10}   {} read requests, {} written", "moved", bytesText(dram.movedBytes), countText(dram.reads),
              countText(dram.writes));
    page_.row("  {:<32}{:>10}   {} GB/s", "bandwidth used", percent("dram_bandwidth_utilisation"), number("dram_bytes_per_nanosecond", 1));
    page_.row("  {:<32}{:>10}   of its active ticks' transfers", "efficiency", percent("dram_efficiency"));
    page_.row("  {:<32}{:>10}   {} misses, {} conflicts", "row hits", percent("dram_row_hit_rate"), countText(dram.rowMisses),
              countText(dram.rowConflicts));
    page_.row("  {:<32}{:>10}   between reading and writing", "turn-arounds", countText(dram.turnArounds));
    page_.row("  {:<32}{:>10}   bytes loads use / bytes DRAM read", "memory access utilisation", number("memory_access_utilisation"));
  }

  // Work that is not shared out evenly: of each kind of unit, the one with most of it.
  void units() {
    page_.heading("Units: the one with most of the work");
    page_.row("  {:<34}{:>8}{:>16}{:>18}", "", "number", "its count", "times the mean");
    unitRow("SM", "warp instructions", kernel_.units.smInstructions);
    unitRow("SM", "cycles with a warp", kernel_.units.smActiveCycles);
    unitRow("L2 slice", "accesses", kernel_.units.sliceAccesses);
    unitRow("L2 slice", "ticks of atomics", kernel_.units.sliceAtomicTicks);
    unitRow("DRAM channel", "bytes moved", kernel_.units.channelBytes);
  }

  void unitRow(std::string_view unit, std::string_view counted, const ByUnit& counts) {
    const Most most = mostOf(counts);
    if (most.count == 0) return;
    page_.row("  {:<13} {:<20}{:>8}{:>16}{:>18.2f}", unit, counted, most.unit, countText(most.count), most.timesMean);
  }

  void violations() {
    if (kernel_.violations.empty()) return;
    page_.heading("INTERNAL CHECK FAILED: the simulator's counters contradict each other; please report this");
    for (const std::string& violation : kernel_.violations) page_.paragraph("  - " + violation, 4);
  }

  const KernelTiming& kernel_;
  const TimingCounters& counters_;
  const config::Machine& machine_;
  const EnergyModel* energy_;
  profile::TextPage page_;
};

}  // namespace

std::string timingTable(const KernelTiming& kernel, const config::Machine& machine, const EnergyModel* energy,
                        const profile::ReportOptions& options) {
  return TimingReport(kernel, machine, energy, options).text();
}

}  // namespace warpwright::machines
