#include "machines/pc_histogram/sums.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "stats/json.hpp"

namespace warpwright::machines {
namespace {

using stats::Ratio;
using stats::ratio;

template <PositionKind kKind>
Ratio together(const PcSums& sums) {
  return sums.inBlock[static_cast<std::size_t>(kKind)].share();
}

template <PositionKind kKind>
Ratio threadsAt(const PcSums& sums) {
  return ratio(sums.threadsAt[static_cast<std::size_t>(kKind)], sums.threads);
}

constexpr PcFigure kPcFigures[] = {
    {"samples", [](const PcSums& sums) { return Ratio(sums.samples); }},
    {"threads", [](const PcSums& sums) { return ratio(sums.threads, sums.samples); }},
    {"most_threads", [](const PcSums& sums) { return Ratio(sums.mostThreads); }},
    {"block_threads", [](const PcSums& sums) { return ratio(sums.threads, sums.blockSamples); }},
    {"most_block_threads", [](const PcSums& sums) { return Ratio(sums.mostBlockThreads); }},
    {"instructions", [](const PcSums& sums) { return ratio(sums.instructions, sums.samples); }},
    {"block_instructions", [](const PcSums& sums) { return ratio(sums.blockInstructions, sums.blockSamples); }},
    {"together_in_block", [](const PcSums& sums) { return sums.inBlocks().share(); }},
    {"together_across_blocks", [](const PcSums& sums) { return sums.acrossBlocks.share(); }},
    {"together_at_loads", together<PositionKind::load>},
    {"together_behind_loads", together<PositionKind::behindLoad>},
    {"together_at_barriers", together<PositionKind::barrier>},
    {"together_behind_barriers", together<PositionKind::behindBarrier>},
    {"together_elsewhere", together<PositionKind::other>},
    {"at_loads", threadsAt<PositionKind::load>},
    {"at_barriers", threadsAt<PositionKind::barrier>},
};

}  // namespace

void merge(WarpPairs& into, const WarpPairs& from) {
  into.together += from.together;
  into.all += from.all;
}

Ratio WarpPairs::share() const { return all == 0 ? std::nullopt : Ratio(together / all); }

WarpPairs PcSums::inBlocks() const {
  WarpPairs pairs;
  for (const WarpPairs& each : inBlock) merge(pairs, each);
  return pairs;
}

void merge(PcSums& into, const PcSums& from) {
  into.samples += from.samples;
  into.threads += from.threads;
  into.mostThreads = std::max(into.mostThreads, from.mostThreads);
  into.mostBlockThreads = std::max(into.mostBlockThreads, from.mostBlockThreads);
  into.instructions += from.instructions;
  into.blockSamples += from.blockSamples;
  into.blockInstructions += from.blockInstructions;
  merge(into.acrossBlocks, from.acrossBlocks);
  for (std::size_t kind = 0; kind < kPositionKinds; ++kind) {
    into.threadsAt[kind] += from.threadsAt[kind];
    merge(into.inBlock[kind], from.inBlock[kind]);
  }
}

std::span<const PcFigure> pcFigures() { return kPcFigures; }

Ratio pcFigure(std::string_view name, const PcSums& sums) {
  const auto found = std::find_if(std::begin(kPcFigures), std::end(kPcFigures), [&](const PcFigure& each) { return each.name == name; });
  if (found == std::end(kPcFigures)) throw std::logic_error("no figure of PC histograms is called " + std::string(name));
  return found->value(sums);
}

stats::Json pcFiguresJson(const PcSums& sums) {
  stats::Json result = stats::Json::object();
  for (const PcFigure& each : kPcFigures) result[std::string(each.name)] = stats::toJson(each.value(sums));
  return result;
}

}  // namespace warpwright::machines
