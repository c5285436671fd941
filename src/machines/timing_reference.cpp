// docs/timing.md.
#include <fmt/format.h>

#include "machines/timing_profile.hpp"

namespace warpwright::machines {
namespace {

constexpr const char* kIntroduction =
    R"(# The timing report

A timed run (`warpwright run --machine gtx480 ./app`, `warpwright kernel --timed …`) prints a timing table for each kernel behind the profile.
`--lines` adds the issue slots lost at each source line and what the memory system did for it, `--json FILE` an object `timing` for each kernel (its sums, each launch, each source
line), `--csv FILE` a row for each launch.

- **Slots.** Each scheduler of each SM has `sm.pipeline.issue_width` issue slots a core cycle. A slot issues an instruction, or is lost
  for the reason that was asked first of those that applied: a warp that is ready but for a full unit comes before warps that wait.
- **In-order pipelines** (`sm.pipeline.model = "in_order"`) take one sub-warp a cycle, so that an instruction has `issued` and further `sub_warps` slots. A
  pipeline that stands still, for `bank_conflict`, `write_back_conflict` or memory that takes nothing, comes before all that warps wait for.
- **Helpers.** Instructions of helpers of warps (assist warps) have the slots `assist`, and counts of their own. A warp that waits for its helper alone
  waits for data: `memory_dependence` or `compute_dependence`, as the helper does.
- **Lines.** A lost slot is charged to the instruction that the waiting warp would issue next: the line that waits, not the line waited for.
  Slots without a resident warp are charged to no line.
- **Traffic of lines.** Every request knows the instruction that it travels for: an instruction fetch the first that it brings, a line of code
  fetched ahead that of the miss before, a fill the access that caused it, the write-back of a dirty line the last that wrote to it, at each level.
  Caches, networks and DRAM count by it (`traffic` of each line in JSON), loads their time from issue to write-back. A line's traffic is what its
  instructions caused while their launch was under way. What the memory system did meanwhile besides (dirty lines of earlier launches, launches of other streams)
  is the row `other`, `other_traffic` in JSON: both together are the counters of the machine, exactly. The table's L1 is data, constants and texels;
  JSON has instruction fetches too.
- **Energy of lines.** With `--energy` a third table follows, and each line has `energy` in JSON (energy.md).
- **Launches.** Counters of a kernel are sums over its launches; figures are made of the sums. Caches and open rows keep their state from one
  launch to the next, but for first-level caches of data, constants and texels, which each launch finds empty.
- **Barriers.** The warp that arrives last lets the others go on in the next cycle; beyond the wait and the issue slot a barrier costs nothing.
  What is published is the time between two barriers of one warp: 20 cycles on GT200 (Wong and others, "Demystifying GPU Microarchitecture
  through Microbenchmarking"), where any dependent instruction takes 24. It does not tell the barrier's own share from the pipeline's.
- **Warp groups.** Each warp does its 16 rows of `wgmma.mma_async` in a matrix pipe and goes on. The pipe takes `sm.operations.group_matrix.interval` cycles for every eight columns, whatever
  the elements (all shapes have lines of 32 bytes), or as long as the group's operands in shared memory take at a word of each bank a cycle, where that is longer. Only
  `wgmma.wait_group` waits for the results (`compute_dependence`), of the groups that it names, and for the other warps of the group (`barrier`). Nothing keeps a
  program that forgets the wait from reading too early. Reads of operands are no accesses: they meet neither bank conflicts nor loads and stores, and no counter has them.
- **Prefetches** (`prefetch`, `prefetchu`, `cp.async.bulk.prefetch`) take an issue slot and a place in the load/store unit, fetch lines into L1 or L2, never fault, and are
  waited for by nothing. They are the accesses by `prefetch` of the L1 and, with those of the instruction stream, of the L2.
- **Bulk copies** (`cp.async.bulk`, tensor copies and reductions) take an issue slot, and a copy engine in each SM takes them, one after the other: `sm.memory.bulk_latency`
  after the issue it asks L2 for the lines of the copy, past L1, at `bulk_bytes_per_cycle` with `bulk_bytes_in_flight` under way. Shared memory is written, and the mbarrier
  object counts the bytes, when the last line has come. What is read of shared memory is read from `bulk_read_latency` on, at `bulk_read_bytes`: a store is read when its last
  line has left, and its group is complete a cycle later; what goes to another SM of the cluster leaves at `remote_shared_bytes` at most and is there half of `remote_shared_latency`
  later. A wait for a group that is not complete is a replay; waits for phases poll, as the program's loop does. Not modelled: the banks of shared memory that
  the bytes keep busy, the fetch of tensor maps, and the time of reductions in L2, which count as writes.
- **Ticks** are those of the part's own clock, cycles those of the core clock.
- **Conservation.** Counters are tied together by laws (`issued + lost = slots`, hits + misses + merges = accesses, bytes into a link = bytes out
  of it, …) that are checked after each launch. A broken law is reported as `INTERNAL CHECK FAILED`.

This page is generated from the lists of the counters by `timing-reference`. Names are those of JSON and CSV; nested names are joined by dots.
In CSV a histogram has its `count`, `sum` and `mean`.
)";

template <class T>
constexpr std::string_view kindOf(const T&) {
  return "";
}
constexpr std::string_view kindOf(const stats::Peak&) { return " (the largest value; not a sum)"; }
template <class Scale, std::size_t N>
constexpr std::string_view kindOf(const stats::Histogram<Scale, N>&) {
  return " (histogram)";
}

constexpr std::string_view kindOf(const stats::NamedStatistics&) { return ""; }

template <class E, std::size_t N>
std::string valuesOf(const stats::EnumVector<E, N>&) {
  std::string result = "; by";
  for (std::size_t i = 0; i < N; ++i) result += fmt::format("{} `{}`", i == 0 ? "" : ",", name(static_cast<E>(i)));
  return result;
}
template <class T>
std::string valuesOf(const T&) {
  return "";
}

template <stats::Statistics S>
void append(std::string& text, const std::string& prefix, const std::string& title) {
  static const S kZero{};
  text += fmt::format("\n## {}\n\n| name | unit | meaning |\n|---|---|---|\n", title);
  stats::forEachField<S>([&](const auto& field) {
    using T = std::remove_cvref_t<decltype(kZero.*field.member)>;
    if constexpr (!stats::Statistics<T>) {
      text += fmt::format("| `{}{}` | {} | {}{}{} |\n", prefix, field.name, field.unit, field.text, kindOf(kZero.*field.member),
                          valuesOf(kZero.*field.member));
    }
  });
  stats::forEachField<S>([&](const auto& field) {
    using T = std::remove_cvref_t<decltype(kZero.*field.member)>;
    if constexpr (stats::Statistics<T>) {
      const std::string name = prefix + std::string(field.name);
      append<T>(text, name + ".", fmt::format("`{}`{}{}", name, field.text.empty() ? "" : ": ", field.text));
    }
  });
}

}  // namespace

std::string timingReference() {
  std::string text = kIntroduction;
  text += "\n## `figures`: made of the counters below\n\n| name | unit | definition |\n|---|---|---|\n";
  for (const Figure& figure : figures()) text += fmt::format("| `{}` | {} | {} |\n", figure.name, figure.unit, figure.text);
  text +=
      "\nVijaykumar and others: \"A Framework for Accelerating Bottlenecks in GPU Execution with Assist Warps\". Gou: \"Customizable "
      "Memory "
      "Schemes for Data Parallel Accelerators\".\n";
  append<TimingCounters>(text, "", "`counters`: of a launch or kernel");
  append<mem::Traffic>(text, "", "`traffic`: of a source line");
  return text;
}

}  // namespace warpwright::machines
