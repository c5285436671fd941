#include "sampling/signature.hpp"

#include <algorithm>
#include <cmath>

namespace warpwright::sampling {
namespace {

// Chosen: events of which there are fewer in a warp instruction are taken as so many. An instruction in a hundred hardly shows in the time.
constexpr double kRare = 0.01;

bool isOfOneKind(const Signature& one, const Signature& other) {
  return one.kernel == other.kernel && one.module == other.module && one.block == other.block &&
         one.dynamicSharedBytes == other.dynamicSharedBytes && one.cachePreference == other.cachePreference &&
         one.cooperative == other.cooperative;
}

// Half the Manhattan distance of the shares that each instruction has of those executed. Every instruction of a basic block counts as often
// as the block: it is the distance of vectors of basic blocks with the weight of their lengths.
double differenceOfCode(const Signature& one, const Signature& other) {
  const double all = static_cast<double>(one[Amount::warpInstructions]), allOfOther = static_cast<double>(other[Amount::warpInstructions]);
  if (all == 0 || allOfOther == 0) return all == allOfOther ? 0 : 1;
  double sum = 0;
  auto next = one.executed.begin(), nextOfOther = other.executed.begin();
  while (next != one.executed.end() || nextOfOther != other.executed.end()) {
    const bool isHere = next != one.executed.end() && (nextOfOther == other.executed.end() || next->pc <= nextOfOther->pc);
    const bool isThere = nextOfOther != other.executed.end() && (next == one.executed.end() || nextOfOther->pc <= next->pc);
    const double share = isHere ? static_cast<double>((next++)->warps) / all : 0;
    const double shareOfOther = isThere ? static_cast<double>((nextOfOther++)->warps) / allOfOther : 0;
    sum += std::fabs(share - shareOfOther);
  }
  return sum / 2;
}

double differenceOfAmounts(const Signature& one, const Signature& other) {
  double most = 0;
  const double rare = kRare * static_cast<double>(std::max(one[Amount::warpInstructions], other[Amount::warpInstructions]));
  for (std::size_t i = 0; i < kAmounts; ++i) {
    const auto amount = static_cast<Amount>(i);
    const double less = static_cast<double>(std::min(one[amount], other[amount]));
    const double more = static_cast<double>(std::max(one[amount], other[amount]));
    // Blocks are few beside their instructions, and matter all the same.
    const double whole = amount == Amount::blocks ? more : std::max(more, rare);
    if (more != less) most = std::max(most, (more - less) / whole);
  }
  return most;
}

}  // namespace

Signature signatureOf(const exec::LaunchRequest& request, const exec::LaunchResult& result, const profile::Counters& use, u64 lines) {
  const exec::Launch& launch = *request.launch;
  Signature signature{launch.kernel->name,
                      launch.program->program.sourceName,
                      launch.block,
                      launch.dynamicSharedBytes,
                      launch.cachePreference,
                      launch.cooperative,
                      {},
                      {}};
  signature[Amount::blocks] = launch.grid.count();
  signature[Amount::warpInstructions] = result.warpInstructions;
  signature[Amount::threadInstructions] = result.threadInstructions;
  signature[Amount::sectors] = use.global.total().sectors + use.textures.sectors + use.surfaces.sectors;
  signature[Amount::lines] = lines;
  signature[Amount::sharedPasses] = use.shared.total().passes;
  signature[Amount::atomicSteps] = use.atomics.steps;
  for (Pc pc{0}; pc < result.counts.size(); ++pc)
    if (result.counts[pc].warps != 0) signature.executed.push_back({pc, result.counts[pc].warps});
  return signature;
}

double difference(const Signature& one, const Signature& other, double enough) {
  if (!isOfOneKind(one, other)) return 1;
  const double ofAmounts = differenceOfAmounts(one, other);
  return ofAmounts > enough ? ofAmounts : std::max(ofAmounts, differenceOfCode(one, other));
}

}  // namespace warpwright::sampling
