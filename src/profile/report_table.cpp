// The report of a kernel: what ran, how well the lanes were used, what moved, and what stands out.
#include <algorithm>
#include <vector>

#include "base/demangle.hpp"
#include "base/memory_units.hpp"
#include "profile/data/report.hpp"
#include "profile/derived.hpp"
#include "profile/findings.hpp"
#include "profile/mechanisms.hpp"
#include "profile/report.hpp"
#include "profile/text_page.hpp"
#include "profile/units.hpp"

namespace warpwright::profile {
namespace {

using stats::ratio;

std::string sizeText(const Dim3& size) {
  if (size.y == 1 && size.z == 1) return fmt::format("{}", size.x);
  if (size.z == 1) return fmt::format("{} x {}", size.x, size.y);
  return fmt::format("{} x {} x {}", size.x, size.y, size.z);
}

// "1 block", "12 blocks"
std::string numbered(u64 count, std::string_view noun, std::string_view ending = "s") {
  return fmt::format("{} {}{}", countText(count), noun, count == 1 ? "" : ending);
}

class KernelReport {
 public:
  KernelReport(const KernelProfile& kernel, const ReportOptions& options)
      : kernel_(kernel), counters_(kernel.counters()), timed_(options.timed), estimated_(options.estimated), page_(options) {}

  std::string text() {
    header();
    instructions();
    lanes();
    traffic("Global memory", counters_.global);
    traffic("Local memory", counters_.local);
    spills();
    footprint();
    appendData(page_, kernel_.data());
    shared();
    texels();
    atomics();
    registers();
    appendMechanisms(page_, kernel_.mechanisms());
    findings();
    violations();
    return page_.take();
  }

 private:
  std::string simulatedTime() const {
    return fmt::format(", simulated time {}{}", timeText(kernel_.totals().nanoseconds), estimated_ ? " (estimated)" : "");
  }

  void header() {
    const LaunchTotals& totals = kernel_.totals();
    const exec::LaunchShape& shape = kernel_.firstShape();
    const Resources& resources = kernel_.resources();
    page_.title("kernel " + demangled(kernel_.name()));
    page_.row("  {}{}, {}, {}{}", numbered(totals.launches, "launch", "es"),
              totals.failed == 0 ? "" : fmt::format(" ({} FAILED)", totals.failed), numbered(totals.blocks, "block"),
              numbered(totals.threads, "thread"), timed_ ? simulatedTime() : "");
    page_.row("  grid {}, block {}{}", sizeText(shape.grid), sizeText(shape.block),
              kernel_.shapesVary() ? " (first launch; they vary)" : "");
    page_.row("  {} registers a thread, {} shared memory a block, {} local memory a thread", resources.registers,
              bytesText(resources.sharedBytes + shape.dynamicSharedBytes), bytesText(resources.localBytes));
    if (totals.blocksDone != totals.blocks) {
      page_.row("  only {} blocks ran to their end; all figures are of what was executed", countText(totals.blocksDone));
    }
  }

  void spills() {
    const SpillTraffic& spills = counters_.spills;
    if (spills.warpLoads + spills.warpStores == 0) return;
    page_.row("  of these, register spills: {} reloads, {} stores (warp instructions)", countText(spills.warpLoads),
              countText(spills.warpStores));
  }

  void instructions() {
    page_.heading("Instructions");
    page_.row("  {:<20}{:>14}{:>14}{:>10}", "class", "warp", "thread", "share");
    std::vector<InstructionClass> classes;
    for (std::size_t i = 0; i < kInstructionClasses; ++i) {
      if (counters_.warpInstructions[static_cast<InstructionClass>(i)] != 0) classes.push_back(static_cast<InstructionClass>(i));
    }
    std::stable_sort(classes.begin(), classes.end(),
                     [&](InstructionClass a, InstructionClass b) { return counters_.warpInstructions[a] > counters_.warpInstructions[b]; });
    const u64 all = counters_.warpInstructions.total();
    for (const InstructionClass each : classes) {
      page_.row("  {:<20}{:>14}{:>14}{:>10}", description(each), countText(counters_.warpInstructions[each]),
                countText(counters_.threadInstructions[each]), percentText(ratio(counters_.warpInstructions[each], all)));
    }
    page_.row("  {:<20}{:>14}{:>14}", "all", countText(all), countText(counters_.threadInstructions.total()));
  }

  void lanes() {
    page_.heading("Lanes and branches");
    const u32 warpSize = kernel_.warpSize();
    const Ratio efficiency = simdEfficiency(counters_, warpSize);
    page_.row("  SIMD efficiency     {:>8}   {} of {} lanes active on average", percentText(efficiency),
              efficiency ? fmt::format("{:.1f}", *efficiency * warpSize) : "-", warpSize);
    page_.row("  after predication   {:>8}   lanes whose guard holds", percentText(simdEfficiencyPredicated(counters_, warpSize)));
    page_.row("  divergent branches  {:>8}   {} of {}", percentText(divergentShare(counters_)), countText(counters_.control.divergent),
              countText(counters_.control.branches));
  }

  void traffic(std::string_view title, const ByKind<Traffic>& space) {
    if (space.total().requests == 0) return;
    page_.heading(title);
    page_.row("  {:<7}{:>9}{:>9}{:>9} |{:>6}{:>9}{:>8} |{:>9}{:>8}", "", "", "", "", "sect.", "in 32 B", "sectors", "in 128 B", "lines");
    page_.row("  {:<7}{:>9}{:>9}{:>9} |{:>6}{:>9}{:>8} |{:>9}{:>8}", "", "requests", "asked", "used", "/req.", "moved", "used", "moved",
              "used");
    trafficRow("loads", space.loads);
    trafficRow("stores", space.stores);
    trafficRow("atomics", space.atomics);
  }

  void trafficRow(std::string_view name, const Traffic& traffic) {
    if (traffic.requests == 0) return;
    page_.row("  {:<7}{:>9}{:>9}{:>9} |{:>6}{:>9}{:>8} |{:>9}{:>8}", name, countText(traffic.requests), bytesText(traffic.bytesAsked),
              bytesText(traffic.bytesUsed), ratioText(sectorsPerRequest(traffic), 1), bytesText(traffic.sectorBytes()),
              percentText(sectorEfficiency(traffic)), bytesText(traffic.lineBytes()), percentText(lineEfficiency(traffic)));
  }

  void texels() {
    if (counters_.textures.requests + counters_.surfaces.requests == 0) return;
    page_.heading("Textures and surfaces");
    page_.row("  {:<10}{:>12}{:>12}{:>12}{:>12}{:>12}", "", "requests", "texels", "asked", "sectors", "sect./req.");
    texelRow("textures", counters_.textures);
    texelRow("surfaces", counters_.surfaces);
  }

  void texelRow(std::string_view name, const TexelTraffic& traffic) {
    if (traffic.requests == 0) return;
    page_.row("  {:<10}{:>12}{:>12}{:>12}{:>12}{:>12}", name, countText(traffic.requests), countText(traffic.texels),
              bytesText(traffic.bytesAsked), countText(traffic.sectors), ratioText(ratio(traffic.sectors, traffic.requests), 1));
  }

  void footprint() {
    const FootprintCounters& footprint = kernel_.footprint();
    if (footprint.sectors == 0) return;
    const u64 launches = std::max<u64>(1, kernel_.totals().launches);
    const auto perLaunch = [&](u64 sectors) { return bytesText(sectors * kSectorBytes / launches); };
    page_.heading("Global footprint and reuse");
    page_.row("  touched by a launch {:>10} in 32 B sectors, {} in 128 B lines", perLaunch(footprint.sectors),
              bytesText(footprint.lines * access::kLineBytes / launches));
    page_.row("  ... of it           {:>10} loaded, {} stored", perLaunch(footprint.sectorsLoaded), perLaunch(footprint.sectorsStored));
    if (launches > 1) page_.row("  touched by any      {:>10}", bytesText(kernel_.distinctSectors() * kSectorBytes));
    page_.row("  requests per sector {:>10} on average", ratioText(footprint.reuse.mean()));
    histogram("  sectors by requests ", footprint.reuse);
  }

  void shared() {
    const BankTraffic all = counters_.shared.total();
    if (all.requests == 0) return;
    page_.heading("Shared memory");
    page_.row("  {:<8}{:>12}{:>12}{:>12}{:>17}", "", "requests", "asked for", "passes", "conflict degree");
    bankRow("loads", counters_.shared.loads);
    bankRow("stores", counters_.shared.stores);
    bankRow("atomics", counters_.shared.atomics);
    histogram("  degrees ", all.degree);
  }

  void bankRow(std::string_view name, const BankTraffic& traffic) {
    if (traffic.requests == 0) return;
    page_.row("  {:<8}{:>12}{:>12}{:>12}{:>17}", name, countText(traffic.requests), bytesText(traffic.bytesAsked),
              countText(traffic.passes), ratioText(meanDegree(traffic)));
  }

  void atomics() {
    const AtomicTraffic& atomics = counters_.atomics;
    if (atomics.requests == 0) return;
    page_.heading("Atomics");
    page_.row("  {} of {}; on average up to {} lanes meet at one address", numbered(atomics.requests, "request"),
              numbered(atomics.lanes, "lane"), ratioText(ratio(atomics.steps, atomics.requests), 1));
    histogram("  lanes at one address ", atomics.degree);
  }

  // "1: 90.0%, 2: 10.0%"
  template <class Histogram>
  void histogram(std::string_view label, const Histogram& counts) {
    std::string text(label);
    std::string_view separator;
    for (std::size_t bin = 0; bin < counts.bins(); ++bin) {
      if (counts[bin] == 0) continue;
      const double share = static_cast<double>(counts[bin]) / static_cast<double>(counts.count());
      text += fmt::format("{} {}: {}", separator, counts.label(bin), share < 0.0005 ? "<0.1%" : fmt::format("{:.1f}%", share * 100));
      separator = ",";
    }
    page_.paragraph(text, 6);
  }

  void registers() {
    const RegisterTraffic& registers = counters_.registers;
    const u64 warps = counters_.warpInstructions.total();
    page_.heading("Registers (32-bit)");
    page_.row("  {:<8}{:>12}{:>16}{:>22}{:>14}", "", "by warps", "by threads", "per warp instruction", "predicates");
    page_.row("  {:<8}{:>12}{:>16}{:>22}{:>14}", "reads", countText(registers.warpReads), countText(registers.threadReads),
              ratioText(ratio(registers.warpReads, warps)), countText(registers.predicateReads));
    page_.row("  {:<8}{:>12}{:>16}{:>22}{:>14}", "writes", countText(registers.warpWrites), countText(registers.threadWrites),
              ratioText(ratio(registers.warpWrites, warps)), countText(registers.predicateWrites));
  }

  void findings() {
    page_.heading("What stands out");
    const std::vector<Finding> findings = findingsOf(kernel_);
    if (findings.empty()) page_.row("  Nothing: no rule of docs/profile.md finds waste worth naming.");
    for (std::size_t i = 0; i < findings.size(); ++i) {
      const std::string where = findings[i].where.line == 0 ? "" : positionText(findings[i].where) + ": ";
      page_.paragraph(fmt::format("{:>3}. {}{}", i + 1, where, findings[i].text), 5);
    }
  }

  void violations() {
    const std::vector<std::string> violations = kernel_.violations();
    if (violations.empty()) return;
    page_.heading("INTERNAL CHECK FAILED: the simulator's counters contradict each other; please report this");
    for (const std::string& violation : violations) page_.paragraph("  - " + violation, 4);
  }

  const KernelProfile& kernel_;
  const Counters& counters_;
  const bool timed_, estimated_;
  TextPage page_;
};

}  // namespace

std::string kernelText(const KernelProfile& kernel, const ReportOptions& options) {
  return kernelTable(kernel, options) + (options.lines ? lineTable(kernel, options) : "");
}

std::string kernelTable(const KernelProfile& kernel, const ReportOptions& options) { return KernelReport(kernel, options).text(); }

}  // namespace warpwright::profile
