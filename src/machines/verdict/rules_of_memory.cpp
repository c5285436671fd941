// Memory: what its answers wait for, and what the load/store unit is busy with.
#include <fmt/format.h>

#include <algorithm>

#include "machines/verdict/rules.hpp"
#include "profile/derived.hpp"
#include "profile/units.hpp"

namespace warpwright::machines::verdict {
namespace {

using profile::percentText;
using profile::ratioText;
using sm::Slot;

// From this use on, a part of the memory system is taken to be what its requests wait for: chosen, docs/verdict.md says why.
constexpr double kBusy = 0.6;
// The networks are crossbars and butterflies with queues at their inputs. When these never empty, an output has one packet on average that
// waits for it or passes it, so that by the Pollaczek-Khinchin formula random traffic uses u with u + u²(1 + c²) / 2(1 - u) = 1, where c is
// the coefficient of variation of the packets' lengths: 59 % of packets of one length (Karol, Hluchyj and Morgan, "Input Versus Output
// Queueing on a Space-Division Packet Switch", 1987), 51 % where every sixth has five flits, a line with its header, and the others one.
constexpr double kBusyNetwork = 0.5;
// From this part of a transaction's bytes on, one is full.
constexpr double kFull = 0.9;
// Up to so many transactions for an access, lanes are taken to be neighbours.
constexpr double kOneTransaction = 1.1;

// Cycles of the load/store unit: what banks, transactions, and those that were not taken took of them. A cache takes one in a cycle, and
// does not take the next, which is no refusal.
struct LoadStoreTime {
  explicit LoadStoreTime(const sm::LoadStoreStats& stats)
      : conflicts(static_cast<double>(stats.sharedPasses - std::min(stats.sharedPasses, stats.sharedAccesses))),
        shared(static_cast<double>(stats.sharedAccesses)),
        transactions(static_cast<double>(stats.transactions)),
        refused(static_cast<double>(stats.blocked - std::min(stats.blocked, stats.transactions))) {}

  double all() const { return std::max(1.0, conflicts + shared + transactions + refused); }
  const double conflicts, shared, transactions, refused;
};

Limit ofDram(const Evidence& evidence, double share) {
  return {.rule = "dram_bandwidth",
          .share = share,
          .evidence = fmt::format("warps wait for memory, and DRAM moves {} of what it could ({:.3g} GB/s; row hits {})",
                                  percentText(evidence.useOf("dram_bandwidth_utilisation")),
                                  evidence.sinceBegun("dram_bytes_per_nanosecond"), percentText(evidence.figure("dram_row_hit_rate"))),
          .remedy = "move fewer bytes: use all of each sector, keep data in shared memory or registers, use narrower types",
          .whatIfs = {"endless-dram"}};
}

Limit ofNetwork(const Evidence& evidence, double share) {
  return {.rule = "network_bandwidth",
          .share = share,
          .evidence = fmt::format("warps wait for memory, and the networks between SMs and L2 move {} (requests) and {} (answers) of what "
                                  "they could",
                                  percentText(evidence.useOf("request_network_utilisation")),
                                  percentText(evidence.useOf("response_network_utilisation"))),
          .remedy = "fewer and fuller requests: neighbouring lanes on neighbouring addresses, data kept in L1 or shared memory",
          .whatIfs = {"perfect-memory"}};
}

Limit ofL2(const Evidence& evidence, double share) {
  return {.rule = "l2_bandwidth",
          .share = share,
          .evidence =
              fmt::format("warps wait for memory, and the slices of L2 take an access in {} of their ticks", percentText(evidence.l2Use())),
          .remedy = "fewer and fuller requests: neighbouring lanes on neighbouring addresses, data kept in L1 or shared memory",
          .whatIfs = {"perfect-memory"}};
}

Limit ofAtomics(const Evidence& evidence, double share) {
  const u64 operations = evidence.memory().partition.atomicOperations;
  const Most unit = mostOf(evidence.kernel().units.sliceAtomicTicks);
  return {
      .rule = "atomics",
      .share = share,
      .evidence = fmt::format("warps wait for memory, and the atomics unit of L2 slice {} works for {} of its ticks, on {:.1f} times its "
                              "part of {} operations",
                              unit.unit, percentText(evidence.busiestAtomicsUnit()), unit.timesMean, profile::countText(operations)),
      .remedy = "combine values in the warp or block before the atomic, or spread them over several addresses",
      .whatIfs = {"endless-atomics"},
      .where = linesRemarked(evidence, "atomic_contention")};
}

// One unit is busy, and the others are not.
Limit ofCamping(double share, std::string_view rule, std::string_view unit, const ByUnit& counts, double use) {
  const Most most = mostOf(counts);
  return {
      .rule = rule,
      .share = share,
      .evidence = fmt::format("warps wait for memory, and {} {} is busy for {} of its time, with {:.1f} times its part of the work", unit,
                              most.unit, percentText(use), most.timesMean),
      .remedy = "addresses that spread: rows whose length is no multiple of a large power of two, blocks that begin at different columns",
      .whatIfs = {"perfect-memory"}};
}

std::string warpsText(const Evidence& evidence) {
  const double resident = stats::ratio(evidence.sm().residentWarpCycles, evidence.sm().activeCycles).value_or(0);
  return fmt::format("{:.1f} warps of an SM have too little else to do", resident);
}

// Who waits: those of loads that shared memory does not serve, or, where there are none, blocks for what they have stored.
std::string waiterText(const Evidence& evidence) {
  const sm::LoadStoreStats& unit = evidence.sm().loadStore;
  const stats::Ratio latency = stats::ratio(unit.loadLatency.sum() - unit.sharedLoadCycles, unit.loadLatency.count() - unit.sharedLoads);
  if (!latency) return "blocks whose warps have ended keep their places until what they stored is performed";
  return fmt::format("a load takes {:.0f} cycles, and {}", *latency, warpsText(evidence));
}

Limit ofLatency(const Evidence& evidence, double share) {
  Limit limit{.rule = "memory_latency", .share = share};
  limit.evidence =
      fmt::format("warps wait for memory that is not busy (DRAM {}, networks at most {}): {}",
                  percentText(evidence.useOf("dram_bandwidth_utilisation")),
                  percentText(std::max(evidence.useOf("request_network_utilisation"), evidence.useOf("response_network_utilisation"))),
                  waiterText(evidence));
  const std::string_view limiter = evidence.limiter();
  limit.whatIfs = {"perfect-memory"};
  if (evidence.blocksPerLaunch() < static_cast<double>(evidence.places())) {
    limit.remedy = "more threads a launch, or several independent loads before the first use in each thread";
  } else if (limiter == "warps") {
    limit.remedy = "several independent loads before the first use in each thread; data nearer by (shared memory, L1)";
  } else {
    limit.remedy = fmt::format("more warps ({} let an SM hold {} blocks), or several independent loads before the first use", limiter,
                               evidence.residentBlocks());
    limit.whatIfs.push_back("more-warps");
  }
  return limit;
}

Limit ofSharedLatency(const Evidence& evidence, double share) {
  const sm::LoadStoreStats& unit = evidence.sm().loadStore;
  Limit limit{.rule = "shared_memory_latency", .share = share};
  limit.evidence = fmt::format("warps wait for shared memory: a load of it takes {:.0f} cycles, and {}",
                               stats::ratio(unit.sharedLoadCycles, unit.sharedLoads).value_or(0), warpsText(evidence));
  limit.remedy = "several independent loads before the first use, values kept in registers or handed on by shuffles, or more warps";
  const bool fits = evidence.blocksPerLaunch() < static_cast<double>(evidence.places());
  if (!fits && evidence.limiter() != "warps") limit.whatIfs = {"more-warps"};
  limit.where = linesThatLost(evidence, {Slot::memoryDependence});
  return limit;
}

Limit memoryWait(const Evidence& evidence, double share) {
  const UnitLoads& units = evidence.kernel().units;
  const double network = std::max(evidence.useOf("request_network_utilisation"), evidence.useOf("response_network_utilisation"));
  if (evidence.busiestAtomicsUnit() >= kBusy) return ofAtomics(evidence, share);
  if (evidence.useOf("dram_bandwidth_utilisation") >= kBusy) return ofDram(evidence, share);
  if (network >= kBusyNetwork) return ofNetwork(evidence, share);
  if (evidence.l2Use() >= kBusy) return ofL2(evidence, share);
  if (evidence.busiestChannel() >= kBusy)
    return ofCamping(share, "channel_camping", "DRAM channel", units.channelBusyTicks, evidence.busiestChannel());
  if (evidence.busiestSlice() >= kBusy) return ofCamping(share, "slice_camping", "L2 slice", units.sliceAccesses, evidence.busiestSlice());
  return ofLatency(evidence, share);
}

Limit bankConflicts(const Evidence& evidence, double share) {
  const sm::LoadStoreStats& unit = evidence.sm().loadStore;
  return {.rule = "bank_conflicts",
          .share = share,
          .evidence = fmt::format("the load/store unit is taken: accesses to shared memory need {} passes over its banks each",
                                  ratioText(stats::ratio(unit.sharedPasses, unit.sharedAccesses))),
          .remedy = "a layout in which the lanes of a warp meet other banks (`warpwright banks` searches one)",
          .whatIfs = {"no-bank-conflicts"},
          .where = linesRemarked(evidence, "bank_conflicts")};
}

// A transaction is a line of the first-level cache at most: what is full can only become less.
std::string_view remedyForTransactions(const Evidence& evidence) {
  const sm::LoadStoreStats& unit = evidence.sm().loadStore;
  const double bytes = stats::ratio(unit.cacheWords * 4, unit.transactions).value_or(0);
  if (bytes >= kFull * evidence.machine().l1d.lineBytes)
    return "fewer bytes: narrower types, or values kept in registers or shared memory; the transactions are full";
  const double each = stats::ratio(unit.transactions, unit.coalescedAccesses).value_or(0);
  if (each < kOneTransaction) return "wider accesses (float4): those that there are fill no transaction";
  return "neighbouring lanes on neighbouring addresses";
}

Limit transactions(const Evidence& evidence, double share) {
  const sm::LoadStoreStats& unit = evidence.sm().loadStore;
  return {.rule = "transactions",
          .share = share,
          .evidence = fmt::format("the load/store unit is taken: it sends {} transactions for each access to memory beyond it",
                                  ratioText(stats::ratio(unit.transactions, unit.coalescedAccesses))),
          .remedy = std::string(remedyForTransactions(evidence)),
          .where = linesRemarked(evidence, "uncoalesced")};
}

// Slots in which warps wait for operands from memory, for fences, or are held back.
double waiting(const Evidence& evidence) { return evidence.share({Slot::memoryDependence, Slot::heldBack, Slot::fence}); }

// Of the time that a load takes, the part in the load/store unit.
double shareOfUnit(const Evidence& evidence) {
  const double inUnit = stats::ratio(evidence.sm().memoryQueueCycles, evidence.sm().loadStore.instructions).value_or(0);
  const double latency = evidence.figure("load_latency");
  return latency == 0 ? 0 : std::min(1.0, inUnit / latency);
}

// Slots for each cycle of the load/store unit: those in which it took nothing, and those in which warps wait for what is in it.
double slotsOfUnit(const Evidence& evidence, const LoadStoreTime& time) {
  return (evidence.share({Slot::memoryStructural}) + waiting(evidence) * shareOfUnit(evidence)) / time.all();
}

}  // namespace

void waitsForMemory(const Evidence& evidence, std::vector<Limit>& limits) {
  const LoadStoreTime time(evidence.sm().loadStore);
  // What caches and the network did not take from the unit waits for them as well.
  const double answers = waiting(evidence) * (1 - shareOfUnit(evidence));
  const double ofShared = evidence.share({Slot::memoryDependence}) * (1 - shareOfUnit(evidence)) * evidence.sharedLoads();
  const double held = evidence.share({Slot::computeDependence}) * evidence.placesThatMemoryHolds();
  const double beyond = answers - ofShared + slotsOfUnit(evidence, time) * time.refused + evidence.draining() + held;
  Limit limit = memoryWait(evidence, beyond);
  if (limit.where.empty()) limit.where = linesThatLost(evidence, {Slot::memoryDependence, Slot::memoryStructural, Slot::fence});
  limits.push_back(std::move(limit));
  limits.push_back(ofSharedLatency(evidence, ofShared));
}

void loadStoreUnit(const Evidence& evidence, std::vector<Limit>& limits) {
  const LoadStoreTime time(evidence.sm().loadStore);
  const double each = slotsOfUnit(evidence, time);
  limits.push_back(bankConflicts(evidence, each * time.conflicts + evidence.share({Slot::bankConflict})));
  limits.push_back(transactions(evidence, each * time.transactions));
  limits.push_back({.rule = "shared_memory_bandwidth",
                    .share = each * time.shared,
                    .evidence = "the load/store unit is taken by accesses to shared memory without conflicts",
                    .remedy = "fewer accesses: wider ones (float4), or values kept in registers",
                    .where = linesThatLost(evidence, {Slot::memoryStructural})});
}

}  // namespace warpwright::machines::verdict
