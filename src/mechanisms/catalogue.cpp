// Every mechanism there is. A new one is a line here, or comes from outside by addKind().
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/error.hpp"
#include "config/fields.hpp"
#include "mechanisms/access_patterns/kind.hpp"
#include "mechanisms/affine_tags/kind.hpp"
#include "mechanisms/assist_warps/kind.hpp"
#include "mechanisms/avc/kind.hpp"
#include "mechanisms/conflict_aware/kind.hpp"
#include "mechanisms/elastic_mshr/kind.hpp"
#include "mechanisms/elastic_pipeline/kind.hpp"
#include "mechanisms/line_compression/kind.hpp"
#include "mechanisms/many_thread_prefetcher/kind.hpp"
#include "mechanisms/mechanism.hpp"
#include "mechanisms/memoisation/kind.hpp"
#include "mechanisms/memory_classes/kind.hpp"
#include "mechanisms/precomputation/kind.hpp"
#include "mechanisms/sector_granularity/kind.hpp"
#include "mechanisms/shared_layouts/kind.hpp"
#include "mechanisms/stride_prefetcher/kind.hpp"
#include "mechanisms/tiny_cache/kind.hpp"

namespace warpwright::mechanisms {
namespace {

// In the order in which they are applied to a machine.
constexpr std::array<const Kind*, 16> kOwn{&affine_tags::kAffineTags,
                                           &stride_prefetcher::kStridePrefetcher,
                                           &many_thread_prefetcher::kManyThreadPrefetcher,
                                           &tiny_cache::kTinyCache,
                                           &avc::kAvc,
                                           &memory_classes::kMemoryClasses,
                                           &access_patterns::kAccessPatterns,
                                           &shared_layouts::kSharedLayouts,
                                           &elastic_pipeline::kElasticPipeline,
                                           &conflict_aware::kConflictAware,
                                           &elastic_mshr::kElasticMshr,
                                           &sector_granularity::kSectorGranularity,
                                           &line_compression::kLineCompression,
                                           &memoisation::kMemoisation,
                                           &precomputation::kPrecomputation,
                                           &assist_warps::kAssistWarps};

struct Known {
  std::vector<const Kind*> kinds;
  std::vector<const config::MechanismKind*> descriptions;

  void add(const Kind& kind) {
    kinds.push_back(&kind);
    descriptions.push_back(&kind.description);
    config::installMechanisms(descriptions);
  }
};

// A program's report, which asks for them, is printed while the library is unloaded: they are never destroyed.
Known& known() {
  static Known& all = *[] {
    auto* made = new Known;
    for (const Kind* kind : kOwn) made->add(*kind);
    return made;
  }();
  return all;
}

// Machine files know the mechanisms of every program that can simulate them.
const bool kInstalled = !known().kinds.empty();

}  // namespace

std::span<const Kind* const> catalogue() { return known().kinds; }

void addKind(const Kind& kind) {
  const auto isNamed = [&](const Kind* other) { return other->description.name == kind.description.name; };
  if (std::ranges::any_of(catalogue(), isNamed))
    throw Error(fmt::format("there are two mechanisms called '{}'", kind.description.name), {}, "rename the one that is added");
  if (config::sectionsAreMade())
    throw Error(fmt::format("the mechanism '{}' comes too late: machines have been read without it", kind.description.name));
  known().add(kind);
}

Mechanisms makeMechanisms(const config::Machine& machine) {
  Mechanisms result;
  for (const Kind* kind : catalogue()) {
    if (const std::any* settings = machine.mechanisms.find(kind->description.name)) result.push_back(kind->make(*settings, machine));
  }
  return result;
}

void requireTakesRecorded(const config::Machine& machine) {
  for (const Kind* kind : catalogue()) {
    if (kind->takesRecorded || !machine.mechanisms.has(kind->description.name)) continue;
    throw Error(
        fmt::format("the mechanism '{}' needs values of registers or memory, or the program as it was compiled: a trace has neither",
                    kind->description.name),
        {}, "leave the mechanism out, or run the program itself: warpwright run");
  }
}

BlockNeeds needsOf(const Mechanisms& mechanisms, const isa::Program& program, const isa::Function& kernel) {
  BlockNeeds all;
  for (const auto& mechanism : mechanisms) {
    const BlockNeeds needs = mechanism->needs(program, kernel);
    all.registers += needs.registers;
    all.sharedBytes += needs.sharedBytes;
    all.sharedBytesOfWarp += needs.sharedBytesOfWarp;
    all.helperBytes += needs.helperBytes;
    all.helperTableBytes += needs.helperTableBytes;
  }
  return all;
}

std::vector<const compiler::AnalysisKind*> analysesFor(const config::Machine& machine) {
  std::vector<const compiler::AnalysisKind*> result;
  for (const Kind* kind : catalogue()) {
    if (!machine.mechanisms.has(kind->description.name)) continue;
    std::copy_if(kind->analyses.begin(), kind->analyses.end(), std::back_inserter(result),
                 [&](const auto* analysis) { return std::find(result.begin(), result.end(), analysis) == result.end(); });
  }
  return result;
}

stats::NamedStatistics uncounted(const config::Machine& machine) {
  stats::NamedStatistics result;
  for (const Kind* kind : catalogue()) {
    if (kind->counted != nullptr && machine.mechanisms.has(kind->description.name)) merge(result, kind->counted());
  }
  return result;
}

}  // namespace warpwright::mechanisms
