#include "machines/block_sampling.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.hpp"
#include "machines/spread.hpp"

namespace warpwright::machines {

BlockSample parseBlockSample(const std::string& text) {
  BlockSample sample;
  const bool isShare = text.ends_with('%');
  const char* const end = text.data() + text.size() - (isShare ? 1 : 0);
  double percent = 0;
  const auto [rest, code] = isShare ? std::from_chars(text.data(), end, percent) : std::from_chars(text.data(), end, sample.blocks);
  sample.share = percent / 100;
  if (code != std::errc{} || rest != end || sample.isAll() || !(percent >= 0 && percent <= 100))
    throw Error("cannot read '" + text + "' as a sample of blocks", {}, "write a number of blocks (128), or a share of each grid (5%)");
  return sample;
}

u64 blocksInDetail(const BlockSample& sample, u64 gridBlocks, u64 resident) {
  constexpr u64 kFills = 4;
  if (sample.isAll()) return gridBlocks;
  const u64 asked = sample.blocks != 0 ? sample.blocks : static_cast<u64>(std::ceil(sample.share * static_cast<double>(gridBlocks)));
  return std::min(gridBlocks, std::max(asked, kFills * resident));
}

namespace {

using stats::Estimate;
using stats::Measurement;

// Work and cycles from one fill to the next.
std::vector<Measurement> batchesOf(const std::vector<Fill>& fills, const BlockWork& work) {
  std::vector<Measurement> batches;
  for (std::size_t i = 1; i < fills.size(); ++i)
    batches.push_back({static_cast<double>(work.upTo(fills[i].ended) - work.upTo(fills[i - 1].ended)),
                       {static_cast<double>(fills[i].time - fills[i - 1].time)}});
  return batches;
}

// The earlier half goes. Blocks that begin together stay in step at first and reach memory in bursts, caches are cold and rows of DRAM come
// apart, which all takes longer. To leave out as many as make the spread of the rest least (K. P. White's rule; Simulation 69, 1997) takes
// for steady what is alike by chance: of 400 launches with random rates such intervals held the truth of 357, these that of 377.
std::vector<Measurement> steadyBatches(const std::vector<Fill>& fills, const BlockWork& work) {
  std::vector<Measurement> batches = batchesOf(fills, work);
  batches.erase(batches.begin(), batches.begin() + static_cast<std::ptrdiff_t>(batches.size() / 2));
  return batches;
}

MeasuredParts measured(const SampledLaunch& sample, const BlockWork& work) {
  if (sample.isSpread) return measuredStretches(sample.fills, work);
  return {.parts = steadyBatches(sample.fills, work)};
}

// When each place began its block, in the time that it takes for a unit of work.
std::vector<double> startsOf(const std::vector<Fill>& endings, double cyclesOfUnit) {
  std::vector<double> starts;
  for (std::size_t i = 1; i < endings.size(); ++i)
    starts.insert(starts.end(), endings[i].ended - endings[i - 1].ended,
                  static_cast<double>(endings[i].time - endings.front().time) / cyclesOfUnit);
  return starts;
}

// What the tail of the whole launch takes longer than that of the sample. Places are as far out of step with each other as they were when
// the sample was ended: equal blocks in step leave most places idle behind the last wave that is not full, and blocks that end one after
// the other do not. A block that is left alone runs faster than beside others, by how much is not known: it is somewhere between nothing
// and the difference of the tails, with every value as likely (a uniform distribution).
Estimate tailOf(const SampledLaunch& sample, const BlockWork& work, double cyclesOfWork) {
  const double cyclesOfUnit = static_cast<double>(work.places()) * cyclesOfWork;
  const std::vector<double> starts = startsOf(sample.endings, cyclesOfUnit);
  const double most = (work.tail(starts) - work.tail(sample.blocks, starts)) * cyclesOfUnit;
  return {most / 2, most * most / 12, stats::kEndless, true};
}

// Of blocks behind the first, and of those between the parts that were measured.
double workLeft(const SampledLaunch& sample, const MeasuredParts& parts, const BlockWork& work) {
  return static_cast<double>(work.behind(sample.blocks)) + parts.workBetween;
}

// What that takes, with the tail.
Estimate restOf(const SampledLaunch& sample, const MeasuredParts& parts, const BlockWork& work) {
  const double left = workLeft(sample, parts, work);
  if (left == 0) return {};
  const Estimate rest = parts.predictRest(left);
  return rest + tailOf(sample, work, rest.value / left);
}

}  // namespace

Estimate wholeCycles(const SampledLaunch& sample, const BlockWork& work) {
  const auto cycles = static_cast<double>(sample.cycles);
  const bool isWhole = sample.blocks == 0 || sample.blocks >= work.blocks();
  if (isWhole && !sample.isSpread) return {cycles};
  const MeasuredParts parts = measured(sample, work);
  if (!parts.parts.empty()) return Estimate{cycles - parts.cyclesBetween} + restOf(sample, parts, work);
  // The sample is too short to show a rate: the launch is as many samples.
  return {cycles * static_cast<double>(work.all()) / static_cast<double>(work.upTo(sample.blocks)), stats::kEndless, stats::kEndless, true};
}

bool isEnough(const SampledLaunch& sample, const BlockWork& work, double error) {
  if (sample.blocks < work.alikeFrom() || sample.blocks >= work.blocks()) return false;
  // A spread sample has an error in any case.
  if (!sample.isSpread && work.upTo(sample.blocks) > 2 * work.behind(sample.blocks)) return false;
  const MeasuredParts parts = measured(sample, work);
  if (sample.isSpread ? parts.parts.size() < kLeastStretches : sample.fills.size() < kLeastFills) return false;
  // What is under way takes about the rate, too.
  const Fill& last = sample.fills.back();
  const Estimate underWay = parts.predictRest(static_cast<double>(work.upTo(sample.blocks) - work.upTo(last.ended)));
  const Estimate ofSample{static_cast<double>(last.time - sample.began) - parts.cyclesBetween + underWay.value};
  // Tails are worked out where the rest is known well enough, as they take the longest.
  return (ofSample + parts.predictRest(workLeft(sample, parts, work))).relativeError() <= error &&
         (ofSample + restOf(sample, parts, work)).relativeError() <= error;
}

}  // namespace warpwright::machines
