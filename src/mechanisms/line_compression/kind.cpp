#include "mechanisms/line_compression/kind.hpp"

#include <cstring>
#include <deque>

#include "mechanisms/kernel_names.hpp"
#include "mechanisms/kind_parts.hpp"
#include "mechanisms/line_compression/assisted_arrivals.hpp"
#include "mechanisms/line_compression/assisted_stores.hpp"
#include "mechanisms/line_compression/compressed_sets.hpp"
#include "mechanisms/line_compression/energy_events.hpp"
#include "mechanisms/line_compression/first_level.hpp"
#include "mechanisms/line_compression/hardware.hpp"
#include "mechanisms/line_compression/host_copies.hpp"
#include "mechanisms/line_compression/partial_stores.hpp"
#include "mechanisms/line_compression/routines/routines.hpp"
#include "mechanisms/line_compression/sm_side.hpp"
#include "mechanisms/line_compression/stage.hpp"

namespace warpwright::mechanisms::line_compression {
namespace {

constexpr std::string_view kName = "line-compression";

class LineCompression final : public Mechanism {
 public:
  LineCompression(const Settings& settings, const config::Machine& machine)
      : settings_(settings),
        lineBytes_(lineBytesOf(machine)),
        levelOne_(withoutStoreBuffer(settings, machine.l1d)),
        storeBuffer_{settings.storeBuffer, machine.sharedBytesPerSm, levelOne_},
        map_(machine.dram.channels, machine.partition.slices, machine.partition.networkPorts, machine.dram.interleaveBytes,
             machine.dram.hashChannels),
        hostCopies_(settings, lineBytes_, reader()) {}

  void attach(const exec::GlobalMemory& memory) override { memory_ = &memory; }
  std::vector<KernelMention> kernelsNamed(const isa::Program&) const override {
    std::vector<KernelMention> mentions;
    for (const std::string& kernel : namesIn(settings_.kernels)) mentions.push_back({kernel, "mechanism.line-compression.kernels"});
    return mentions;
  }
  void launchBegins(const exec::LaunchRequest& request, sm::LaunchNotes& into) override {
    if (!settings_.kernels.empty()) into.add(StoreChoice{isAmong(request.launch->kernel->name, namesIn(settings_.kernels))});
  }
  void equip(sm::Parts& parts, SmId) override {
    if (settings_.reach != Reach::network) return;
    Statistics& own = sms_.emplace_back();
    if (settings_.secondLevel == SecondLevel::compressed) equipStores(parts, routinesCompress(settings_) ? parts.assistance : nullptr, own);
    equipLoads(parts, routinesDecompress(settings_) ? parts.assistance : nullptr, own);
  }
  std::vector<CodeUnit> code(u32 addressBits) const override {
    if (!routinesCompress(settings_) && !routinesDecompress(settings_)) return {};
    return {{"routines of line-compression", routines::textOf(settings_, lineBytes_, addressBits)}};
  }
  void equipMemory(mem::Parts& parts, PartitionId partition) override {
    OfPartition& own = partitions_.emplace_back(settings_, lineBytes_, map_, partition, reader());
    equipSecondLevel(parts, own.statistics);
    parts.stages.push_back(
        [this, &own] { return std::make_unique<Stage>(settings_, lineBytes_, own.sizes, own.addresses, own.statistics); });
  }
  void hostWrote(GlobalAddress begin, u64 bytes) override {
    for (OfPartition& each : partitions_) each.sizes.forget(begin, bytes);
    hostCopies_.add(begin, bytes);
  }
  void collect(stats::NamedStatistics& into) const override {
    into.add(kCounters, stats::Structure(hostCopies_.statistics()));
    for (const Statistics& each : sms_) into.add(kCounters, stats::Structure(each));
    for (const OfPartition& each : partitions_) into.add(kCounters, stats::Structure(each.statistics));
  }

 private:
  LineReader reader() const {
    return [this](GlobalAddress line, std::span<std::byte> into) {
      if (memory_ == nullptr || !memory_->holds(line, into.size())) return false;
      std::memcpy(into.data(), exec::GlobalMemory::hostPointer(line), into.size());
      return true;
    };
  }
  // link: null where hardware does it. Who stores to a part of a line must know of it also where its kernel compresses nothing.
  void equipStores(sm::Parts& parts, const std::shared_ptr<const sm::AssistanceLink>& link, Statistics& own) {
    parts.lineStages.add([this, &own, link](const sm::StageContext& context) -> std::unique_ptr<sm::LineStage> {
      if (link == nullptr) return std::make_unique<StoreStage>(settings_, lineBytes_, context.below, own);
      return std::make_unique<AssistedStores>(settings_, lineBytes_, storeBuffer_, context, link, own);
    });
    parts.lineStages.add([this, &own](const sm::StageContext& context) {
      return std::make_unique<PartialStores>(settings_.partialEntries, lineBytes_, context.below, own);
    });
  }
  // Where the data cache has lines compressed, its loads have them made whole; what comes to other caches is made whole all the same.
  void equipLoads(sm::Parts& parts, const std::shared_ptr<const sm::AssistanceLink>& link, Statistics& own) {
    if (settings_.firstLevel != FirstLevel::whole) {
      parts.lineStages.add([this, &own, link](const sm::StageContext& context) {
        return std::make_unique<FirstLevelLoads>(settings_, levelOne_, context, link, reader(), own);
      });
    }
    parts.arrivals.replace(std::string(kName), [this, &own, link]() -> std::unique_ptr<sm::ArrivalStage> {
      if (link == nullptr) return std::make_unique<Arrivals>(settings_, own);
      return std::make_unique<AssistedArrivals>(settings_, lineBytes_, link, reader(), own);
    });
  }
  void equipSecondLevel(mem::Parts& parts, Statistics& own) {
    if (settings_.reach != Reach::network) return;
    if (settings_.secondLevel == SecondLevel::whole) {
      parts.placement.replace(std::string(kName), [](const mem::PlacementContext& context) {
        return std::make_unique<WholeSets>(context.cache, context.share);
      });
    } else if (settings_.secondLevelTags == 1) {
      parts.placement.replace(std::string(kName), [ticks = settings_.decompressLatency, &own](const mem::PlacementContext& context) {
        return std::make_unique<InSecondLevel<mem::SetPlacement>>(ticks, own, context.cache, mem::setsOf(context.cache), context.cache.ways,
                                                                  context.share);
      });
    } else {
      parts.placement.replace(std::string(kName), [this, &own](const mem::PlacementContext& context) {
        return std::make_unique<InSecondLevel<CompressedSets>>(settings_.decompressLatency, own, context.cache, settings_.secondLevelTags,
                                                               context.share, own.secondLevelLookups);
      });
    }
  }

  struct OfPartition {
    OfPartition(const Settings& settings, u32 lineBytes, const mem::AddressMap& map, PartitionId partition, LineReader read)
        : sizes(settings, lineBytes, std::move(read)), addresses(map, partition, lineBytes) {}

    LineSizes sizes;
    MetadataAddresses addresses;
    Statistics statistics;
  };

  const Settings settings_;
  const u32 lineBytes_;
  const config::Cache levelOne_;  // what the store buffer leaves of it
  const StoreBufferPlace storeBuffer_;
  const mem::AddressMap map_;
  const exec::GlobalMemory* memory_ = nullptr;
  HostCopies hostCopies_;
  std::deque<OfPartition> partitions_;
  std::deque<Statistics> sms_;
};

}  // namespace

const Kind kLineCompression{
    .description = {.name = kName,
                    .text =
                        "Lines of global memory lie compressed in DRAM, and if wanted in L2 and on the networks: hardware in the memory "
                        "partitions, or in the SMs, or assist warps make them smaller and whole again.",
                    .paper =
                        "Vijaykumar, Pekhimenko, Jog, Ghose, Bhowmick, Ausavarungnirun, Das, Kandemir, Mowry, Mutlu, \"A Framework for "
                        "Accelerating Bottlenecks in GPU Execution with Assist Warps\", sections 5 and 6 (HW-BDI-Mem, HW-BDI, CABA)",
                    .timed = true,
                    .defaults = Settings{},
                    .settings = settingRows(),
                    .problem = problem,
                    .wantsAssistance = [](const std::any& settings) { return std::any_cast<Settings>(&settings)->by == By::routines; }},
    .make = makeFor<LineCompression, Settings>,
    .counted = [] { return zeroOf<Statistics>(kCounters); },
    .energyEvents = [](const std::any& settings, const config::Machine& machine,
                       const energy::Table& table) { return energyEvents(*std::any_cast<Settings>(&settings), machine, table); },
    .energyPaths = kEnergyPaths,
    .hardware = [](const std::any& settings,
                   const config::Machine& machine) { return hardware(*std::any_cast<Settings>(&settings), machine); },
};

}  // namespace warpwright::mechanisms::line_compression
