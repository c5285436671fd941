#include "profile/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/memory_units.hpp"
#include "profile/derived.hpp"
#include "profile/units.hpp"

namespace warpwright::profile {
namespace {

using stats::ratio;

// A pattern counts as wasteful from these figures on; docs/profile.md explains each.
constexpr double kPoorEfficiency = 0.5, kWorthwhile = 0.05, kPoorLineEfficiency = 0.5;
constexpr double kConflict = 1.5, kContention = 4, kHighReuse = 8, kLocalShare = 0.1, kIdleLanes = 0.1, kMixed = 0.25;

constexpr AccessKind kKinds[] = {AccessKind::load, AccessKind::store, AccessKind::atomic};

std::string_view plural(AccessKind kind) { return kind == AccessKind::load ? "loads" : kind == AccessKind::store ? "stores" : "atomics"; }

class Finder {
 public:
  explicit Finder(const KernelProfile& kernel) : kernel_(kernel), total_(kernel.counters()) {}

  std::vector<Finding> find() {
    for (const auto& [where, line] : kernel_.lines()) {
      for (const AccessKind kind : kKinds) {
        const Strides& strides = line.strides[static_cast<std::size_t>(kind)];
        uncoalesced(where, kind, line.counters.global[kind], strides.global);
        bankConflicts(where, kind, line.counters.shared[kind], strides.shared);
      }
      contention(where, line.counters.atomics);
      divergence(where, line.counters);
      mixedPrecision(where, line.counters);
    }
    wideLines();
    localMemory();
    partialWarps();
    reuse();
    std::stable_sort(findings_.begin(), findings_.end(), [](const Finding& a, const Finding& b) { return a.weight > b.weight; });
    if (findings_.size() > kMostFindings) findings_.resize(kMostFindings);
    return std::move(findings_);
  }

 private:
  void add(std::string_view rule, const SourceLine& where, double weight, std::string text) {
    findings_.push_back({rule, where, std::move(text), std::clamp(weight, 0.0, 1.0)});
  }

  static std::string strideText(const access::DominantStride& strides, double bytesPerLane) {
    if (!strides.known()) return "few lanes take part";
    if (strides.stride() == access::kIrregular) return "the addresses of neighbouring lanes follow no fixed stride";
    const double elements = static_cast<double>(strides.stride()) / bytesPerLane;
    if (elements == 1) return "neighbouring lanes are adjacent, but in rows that are short or not aligned to 32 B";
    if (elements == 0) return "lanes share addresses";
    return fmt::format("neighbouring lanes are {} B apart (stride {:g})", strides.stride(), elements);
  }

  void uncoalesced(const SourceLine& where, AccessKind kind, const Traffic& traffic, const access::DominantStride& strides) {
    const u64 excess = traffic.sectors - traffic.idealSectors;
    const double weight = ratio(excess, total_.global.total().sectors).value_or(0);
    if (sectorEfficiency(traffic).value_or(1) >= kPoorEfficiency || weight < kWorthwhile) return;
    const double width = static_cast<double>(traffic.bytesAsked) / static_cast<double>(traffic.lanes);
    add("uncoalesced", where, weight,
        fmt::format("global {} move {} sectors per request where {} would do ({} of the bytes moved are used): {}", plural(kind),
                    ratioText(sectorsPerRequest(traffic), 1), ratioText(ratio(traffic.idealSectors, traffic.requests), 1),
                    percentText(sectorEfficiency(traffic)), strideText(strides, width)));
  }

  void bankConflicts(const SourceLine& where, AccessKind kind, const BankTraffic& traffic, const access::DominantStride& strides) {
    const double weight = ratio(traffic.passes - traffic.phases, total_.shared.total().passes).value_or(0);
    if (meanDegree(traffic).value_or(1) < kConflict || weight < kWorthwhile) return;
    const bool fixed = strides.known() && strides.stride() != access::kIrregular;
    const std::string cause = fixed ? fmt::format("neighbouring lanes are {} B apart", strides.stride()) : "lanes meet in the same banks";
    const std::string cure = !fixed                                   ? "another layout of the array may (`warpwright banks`)"
                             : strides.stride() / kWordBytes % 2 != 0 ? "the stride itself meets all banks, but rows of lanes that are "
                                                                        "shorter than a warp overlap: blocks as wide as a warp cure this"
                                                                      : "padding the rows of the array by a word often cures this";
    add("bank_conflicts", where, weight,
        fmt::format("shared {} take {} passes over the banks where {} would do (conflict degree {}): {}; {}", plural(kind),
                    ratioText(ratio(traffic.passes, traffic.requests), 1), ratioText(ratio(traffic.phases, traffic.requests), 1),
                    ratioText(meanDegree(traffic), 1), cause, cure));
  }

  void contention(const SourceLine& where, const AtomicTraffic& traffic) {
    const double most = ratio(traffic.steps, traffic.requests).value_or(0);
    const double weight = ratio(traffic.steps - traffic.requests, total_.warpInstructions.total()).value_or(0);
    if (most < kContention || weight < kWorthwhile / 5) return;
    add("atomic_contention", where, weight,
        fmt::format("up to {:.1f} lanes of a warp meet at one address of an atomic and wait for each other; combine their values in the "
                    "warp or block first",
                    most));
  }

  void divergence(const SourceLine& where, const Counters& line) {
    const double share = ratio(line.control.divergent, total_.control.divergent).value_or(0);
    const double idle = 1 - simdEfficiency(total_, kernel_.warpSize()).value_or(1);
    if (idle * share < kWorthwhile) return;
    add("divergence", where, idle * share,
        fmt::format("{} of {} branches here diverge ({} of the kernel's divergent branches); on average {} of the lanes are active",
                    countText(line.control.divergent), countText(line.control.branches), percentText(share),
                    percentText(simdEfficiency(total_, kernel_.warpSize()))));
  }

  // A constant without the suffix f makes an expression of floats one of doubles, with conversions before and behind.
  void mixedPrecision(const SourceLine& where, const Counters& line) {
    const u64 doubles = line.warpInstructions[InstructionClass::fp64], conversions = line.warpInstructions[InstructionClass::conversion];
    const double weight = ratio(doubles + conversions, total_.warpInstructions.total()).value_or(0);
    if (doubles == 0 || static_cast<double>(conversions) < kMixed * static_cast<double>(doubles) || weight < kWorthwhile) return;
    add("mixed_precision", where, weight,
        fmt::format("{} instructions compute in double precision and {} convert to it or from it: a constant without the suffix f, or a "
                    "function such as sin instead of sinf, makes the whole expression double",
                    countText(doubles), countText(conversions)));
  }

  void wideLines() {
    const Traffic traffic = total_.global.total();
    const double sectors = sectorEfficiency(traffic).value_or(1), lines = lineEfficiency(traffic).value_or(1);
    if (lines >= kPoorLineEfficiency || sectors < kPoorEfficiency) return;
    add("wide_lines", {}, (sectors - lines) / 2,
        fmt::format("a machine that moves whole 128 B lines uses only {} of what it moves, one with 32 B sectors {}: the requests touch "
                    "few sectors of each line",
                    percentText(lines), percentText(sectors)));
  }

  void localMemory() {
    const u64 local = total_.local.total().sectorBytes(), global = total_.global.total().sectorBytes();
    const double weight = ratio(local, local + global).value_or(0);
    if (weight < kLocalShare) return;
    add("local_memory", {}, weight,
        fmt::format("{} of the bytes moved ({}) are local memory: register spills, or arrays of a thread with indices known only at run "
                    "time",
                    percentText(weight), bytesText(local)));
  }

  void partialWarps() {
    const LaunchTotals& totals = kernel_.totals();
    const double idle = 1 - ratio(totals.threads, totals.warps * kernel_.warpSize()).value_or(1);
    if (idle < kIdleLanes) return;
    add("partial_warps", {}, idle,
        fmt::format("blocks of {} threads do not fill their warps of {}: {} of the lanes never run", kernel_.firstShape().block.count(),
                    kernel_.warpSize(), percentText(idle)));
  }

  void reuse() {
    const FootprintCounters& footprint = kernel_.footprint();
    const double times = footprint.reuse.mean().value_or(0);
    if (times < kHighReuse) return;
    add("reuse", {}, kWorthwhile,
        fmt::format("each 32 B sector is asked for {:.1f} times within a launch; without a cache {} would move for a footprint of {}: data "
                    "to keep in shared memory or registers",
                    times, bytesText(footprint.requests * kSectorBytes), bytesText(footprint.sectors * kSectorBytes)));
  }

  const KernelProfile& kernel_;
  const Counters& total_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> findingsOf(const KernelProfile& kernel) { return Finder(kernel).find(); }

std::string positionText(const SourceLine& where) {
  if (where.line == 0) return "(no line)";
  return fmt::format("{}:{}", std::filesystem::path(where.file).filename().string(), where.line);
}

}  // namespace warpwright::profile
