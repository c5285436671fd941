// Arithmetic, issue, barriers and fetch.
#include <fmt/format.h>

#include <algorithm>

#include "machines/verdict/rules.hpp"
#include "profile/derived.hpp"
#include "profile/units.hpp"

namespace warpwright::machines::verdict {
namespace {

using profile::percentText;
using sm::Slot;

// From this share of its slots on, what a kernel issues is a limit of its own.
constexpr double kIssueBound = 0.6;

std::string pipeName(sm::Pipe pipe) {
  switch (pipe) {
    case sm::Pipe::fp64:
      return "double-precision pipes";
    case sm::Pipe::fp32:
      return "single-precision pipes";
    case sm::Pipe::sfu:
      return "special-function pipes";
    case sm::Pipe::tensor:
      return "matrix pipes";
    case sm::Pipe::loadStore:
      return "load/store pipes";
    case sm::Pipe::integer:
      break;
  }
  return "integer pipes";
}

// What may take the special-function pipes.
struct SpecialWork {
  std::string_view name, remedy;
};
constexpr SpecialWork kFunctions{"divisions, roots and transcendental functions", "fewer divisions, roots and transcendental functions"};
constexpr SpecialWork kConversions{
    "conversions between types", "fewer conversions between types: constants with the suffix f, sinf instead of sin, indices of one width"};
constexpr SpecialWork kRegisters{
    "reads of special registers (threadIdx, blockIdx)",
    "more work in each thread (a loop over several elements), so that threadIdx and blockIdx are read for more of it"};

// Which of these takes most of their cycles: reads of special registers are in no class of their own, and take what the others leave.
SpecialWork specialWork(const Evidence& evidence) {
  if (evidence.profile() == nullptr) return kFunctions;
  const config::Sm& sm = evidence.machine().sm;
  const u32 lanes = evidence.machine().warpSize / std::min(sm.sfu.width, evidence.machine().warpSize);
  const auto& counts = evidence.profile()->counters().warpInstructions;
  const u64 functions = counts[profile::InstructionClass::special] * std::max(sm.special.interval, lanes);
  const u64 conversions = counts[profile::InstructionClass::conversion] * std::max(sm.convert.interval, lanes);
  const u64 all = evidence.sm().backend.pipeCycles[sm::Pipe::sfu];
  const u64 others = all - std::min(all, functions + conversions);
  if (others > functions && others > conversions) return kRegisters;
  return conversions > functions ? kConversions : kFunctions;
}

std::string remedyFor(sm::Pipe pipe, const Evidence& evidence) {
  switch (pipe) {
    case sm::Pipe::fp64:
      return "single precision where it suffices: constants with the suffix f, sinf instead of sin";
    case sm::Pipe::sfu:
      return std::string(specialWork(evidence).remedy);
    case sm::Pipe::loadStore:
      return "fewer and wider accesses (float4)";
    default:
      return "fewer instructions of this kind: constants computed once, indices kept in registers, unrolled loops";
  }
}

}  // namespace

void pipes(const Evidence& evidence, std::vector<Limit>& limits) {
  const sm::Pipe pipe = evidence.busiestPipe();
  const sm::BackendStats& backend = evidence.sm().backend;
  Limit limit{.rule = "pipe", .share = evidence.share({Slot::computeStructural, Slot::writeBackConflict})};
  if (backend.readConflicts > backend.dispatchWaits.total()) {
    limit.rule = "register_banks";
    limit.evidence = fmt::format("operand collectors are taken: reads wait {:.1f} cycles for banks of the register file in the mean",
                                 stats::ratio(backend.readConflicts, backend.operandReads).value_or(0));
    limit.remedy = "nothing that a program does: the compiler chooses registers";
  } else {
    limit.evidence =
        fmt::format("instructions wait for the {}, taken for {} of the cycles", pipeName(pipe), percentText(evidence.pipeUse(pipe)));
    if (pipe == sm::Pipe::sfu) limit.evidence += fmt::format(", most of it by {}", specialWork(evidence).name);
    limit.remedy = remedyFor(pipe, evidence);
    limit.whatIfs = {pipe == sm::Pipe::fp64 ? std::string_view("fast-double") : std::string_view("more-pipes")};
  }
  limit.where = linesThatLost(evidence, {Slot::computeStructural, Slot::writeBackConflict});
  limits.push_back(std::move(limit));
}

void waitsForPipes(const Evidence& evidence, std::vector<Limit>& limits) {
  const double resident = stats::ratio(evidence.sm().residentWarpCycles, evidence.sm().activeCycles).value_or(0);
  Limit limit{.rule = "pipe_latency",
              .share = evidence.share({Slot::computeDependence}) * (1 - evidence.placesThatMemoryHolds()),
              .evidence = fmt::format(
                  "instructions wait for results of the ones before, and {:.1f} warps of an SM have too little else to do", resident),
              .remedy = "independent work in each thread (several sums at once), or more warps",
              .where = linesThatLost(evidence, {Slot::computeDependence})};
  const bool fits = evidence.blocksPerLaunch() < static_cast<double>(evidence.places());
  if (!fits && evidence.limiter() != "warps") limit.whatIfs = {"more-warps"};
  limits.push_back(std::move(limit));
}

// Slots that issued: with all lanes at work, only fewer instructions make such a kernel faster; lanes that rest are slots that were lost.
void issue(const Evidence& evidence, std::vector<Limit>& limits) {
  const double active = evidence.share({Slot::issued, Slot::subWarps, Slot::assist});
  double lanes = 1;
  if (evidence.profile() != nullptr)
    lanes = profile::simdEfficiency(evidence.profile()->counters(), evidence.profile()->warpSize()).value_or(1);
  if (active >= kIssueBound) {
    limits.push_back({.rule = "issue",
                      .share = active * lanes,
                      .evidence = fmt::format("schedulers issue in {} of their slots", percentText(active)),
                      .remedy = "fewer instructions: hoisted address arithmetic, unrolled loops, wider accesses"});
  }
  Limit divergence{.rule = "divergence", .share = active * (1 - lanes)};
  if (lanes == 1) return;
  divergence.evidence =
      fmt::format("schedulers issue in {} of their slots for {} of the lanes: {} of the branches diverge", percentText(active),
                  percentText(lanes), percentText(profile::divergentShare(evidence.profile()->counters())));
  divergence.remedy = "let the lanes of a warp take the same way: sort or compact the work, let consecutive threads be the active ones";
  divergence.where = linesRemarked(evidence, "divergence");
  limits.push_back(std::move(divergence));
}

void barriers(const Evidence& evidence, std::vector<Limit>& limits) {
  limits.push_back({.rule = "barriers",
                    .share = evidence.share({Slot::barrier}),
                    .evidence = fmt::format("warps wait at barriers, or for lanes of their own warp, for {} of the slots",
                                            percentText(evidence.share({Slot::barrier}))),
                    .remedy = "fewer barriers, warps of a block that take the same time, or more, smaller blocks on an SM",
                    .where = linesThatLost(evidence, {Slot::barrier})});
}

void fetch(const Evidence& evidence, std::vector<Limit>& limits) {
  const mem::CacheStats& cache = evidence.counters().gpu.l1i;
  const u64 accesses = cache.accesses.total();
  limits.push_back(
      {.rule = "fetch",
       .share = evidence.share({Slot::fetch}),
       .evidence = fmt::format("warps wait for instructions for {} of the slots; {} of the fetches hit the instruction cache",
                               percentText(evidence.share({Slot::fetch})), percentText(stats::ratio(cache.hits.total(), accesses))),
       .remedy = "a longer kernel or several launches, where code is fetched for the first time; less unrolled code, where it "
                 "exceeds the cache; fewer taken branches",
       .whatIfs = {"perfect-fetch"},
       .where = linesThatLost(evidence, {Slot::fetch})});
}

}  // namespace warpwright::machines::verdict
