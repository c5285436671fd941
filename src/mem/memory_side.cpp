#include "mem/memory_side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "config/rules.hpp"
#include "mem/partition/partition.hpp"

namespace warpwright::mem {
namespace {

std::vector<RequestChannel*> pointers(const std::vector<std::unique_ptr<RequestChannel>>& channels) {
  std::vector<RequestChannel*> result;
  for (const auto& channel : channels) result.push_back(channel.get());
  return result;
}

// Of a machine's two channels between a network and a port of a partition.
struct Crossing {
  u64 latency = 0;   // core cycles
  u32 credits = 0;   // for a packet in each of the network's ticks
  u32 borrowed = 0;  // ticks of L2 that both together delay a request and its response
};

// A request that leaves the network in a cycle would be taken in the next one: the channel's first cycle costs nothing.
Crossing crossingOf(const config::Machine& machine) {
  const engine::ClockRatio network(machine.network.clockKhz, machine.coreClockKhz), l2(machine.partition.clockKhz, machine.coreClockKhz);
  const u64 latency = std::max(machine.network.injectionLatency, 1u), both = 2 * latency - 1;
  Crossing crossing;
  crossing.latency = latency;
  // A credit is away for the way there, until a tick of L2 takes the packet, and for the way back.
  crossing.credits = static_cast<u32>(network.before(Cycle{2 * latency + l2.cycles(1)})) + 2;
  crossing.borrowed = static_cast<u32>((l2.before(Cycle{2 * both}) + 1) / 2);  // to the nearest tick
  return crossing;
}

}  // namespace

MemorySide::MemorySide(const config::Machine& machine, const AddressMap& map, std::vector<RequestChannel*> fromSms,
                       std::vector<RequestChannel*> toSms, bool skip, const Equip& equip)
    : machine_(machine), map_(map), skip_(skip) {
  constexpr std::string_view kSections[] = {"network", "partition", "l2", "llc", "dram"};
  config::validateSections(machine_, kSections);
  const Crossing crossing = crossingOf(machine_);
  const bool splits = machine_.partition.latency >= crossing.borrowed;
  config::Partition partition = machine_.partition;
  if (splits) {
    partition.latency -= crossing.borrowed;
    for (u32 port = 0; port < map_.partitions() * map_.portsPerPartition(); ++port) {
      down_.push_back(std::make_unique<RequestChannel>(crossing.credits, crossing.latency));
      up_.push_back(std::make_unique<RequestChannel>(crossing.credits, crossing.latency));
    }
  }
  if (machine_.partition.halves == 2) addHalves();
  requests_ = std::make_unique<RequestSection>(machine_, map_, std::move(fromSms), pointers(down_), skip);
  responses_ = std::make_unique<ResponseSection>(machine_, map_, pointers(up_), std::move(toSms), skip);
  addPartitions(partition, equip);
  addDomains(splits);
}

// A channel holds all that the slices of a partition can have asked for, so that it holds up nothing.
void MemorySide::addHalves() {
  const engine::ClockRatio l2(machine_.partition.clockKhz, machine_.coreClockKhz);
  const u64 latency = l2.cycles(machine_.partition.halfLatency);
  for (u32 i = 0; i < map_.partitions(); ++i) {
    across_.push_back(std::make_unique<RequestChannel>(machine_.partition.slices * machine_.l2.mshrs, latency));
    back_.push_back(std::make_unique<RequestChannel>(machine_.partition.slices * machine_.l2.mshrs, latency));
  }
}

void MemorySide::addPartitions(const config::Partition& config, const Equip& equip) {
  const u32 ports = map_.portsPerPartition();
  for (u32 i = 0; i < map_.partitions(); ++i) {
    std::vector<PartitionPort*> own;
    for (u32 port = i * ports; port < (i + 1) * ports; ++port) {
      if (down_.empty()) {
        ports_.push_back(std::make_unique<DirectPort>(*requests_, *responses_, MemoryPortId{port}));
      } else {
        ports_.push_back(std::make_unique<ChannelPort>(*down_[port], *up_[port]));
      }
      own.push_back(ports_.back().get());
    }
    PartnerLink link;
    if (!across_.empty()) {
      const PartitionId partner = map_.partner(PartitionId{i});
      link = {across_[i].get(), back_[i].get()};
      ports_.push_back(std::make_unique<ChannelPort>(*across_[partner], *back_[partner]));
      own.push_back(ports_.back().get());
    }
    Parts parts(machine_, map_, skip_);
    if (equip) equip(parts, PartitionId{i});
    partitions_.push_back(std::make_unique<PartitionSection>(machine_, config, parts, PartitionId{i}, std::move(own), link, skip_));
  }
}

// In one domain, requests move towards DRAM after responses have made room.
void MemorySide::addDomains(bool splits) {
  std::vector<Section*> all;
  for (const auto& partition : partitions_) all.push_back(partition.get());
  if (!splits) {
    all.push_back(requests_.get());
    all.push_back(responses_.get());
    return addDomain(std::move(all));
  }
  addDomain({requests_.get()});
  addDomain({responses_.get()});
  for (Section* partition : all) addDomain({partition});
  for (u32 port = 0; port < down_.size(); ++port) {
    const u32 partition = 2 + port / map_.portsPerPartition();
    links_.push_back({down_[port].get(), requestDomain(), partition});
    links_.push_back({up_[port].get(), partition, responseDomain()});
  }
  for (u32 i = 0; i < across_.size(); ++i) {
    const u32 own = 2 + i, partner = 2 + map_.partner(PartitionId{i});
    links_.push_back({across_[i].get(), own, partner});
    links_.push_back({back_[i].get(), partner, own});
  }
}

void MemorySide::addDomain(std::vector<Section*> sections) {
  inStep_.push_back(std::make_unique<InStep>(std::move(sections), skip_));
  domains_.push_back(inStep_.back().get());
}

std::span<const PerformedAtomic> MemorySide::takePerformed() {
  performed_.clear();
  for (const auto& section : partitions_) {
    const auto atomics = section->partition().performed();
    performed_.insert(performed_.end(), atomics.begin(), atomics.end());
    section->partition().clearPerformed();
  }
  return performed_;
}

void MemorySide::placeCopied(GlobalAddress address, u64 bytes, Cycle now) {
  if (machine_.l2.bytes == 0 || bytes == 0) return;
  const u64 line = machine_.l2.lineBytes;
  const GlobalAddress end = address + bytes;
  for (GlobalAddress at = alignDown(address, line); at < end; at += line) {
    const u64 first = (std::max(at, address) - at) / Request::kSectorBytes,
              last = (std::min(at + line, end) - 1 - at) / Request::kSectorBytes;
    const u32 sectors = static_cast<u32>(lowBits(static_cast<u32>(last - first + 1)) << first);
    PartitionSection& section = *partitions_[map_.partition(at)];
    section.partition().place(at, sectors, section.l2Time(now));
  }
}

void MemorySide::touch(std::span<const TouchedLine> lines, Cycle now) {
  for (const TouchedLine& each : lines) {
    PartitionSection& section = *partitions_[map_.partition(each.address)];
    section.partition().touch(each, section.l2Time(now));
  }
}

MemorySideStats MemorySide::statistics(Cycle until) {
  MemorySideStats all;
  all.requests = requests_->network().statistics(requests_->time(until));
  all.responses = responses_->network().statistics(responses_->time(until));
  for (const auto& section : partitions_) {
    stats::merge(all.partition, section->partition().statistics(section->l2Time(until)));
    stats::merge(all.dram, section->dram().statistics(section->dramTime(until)));
    all.hasStages |= section->hasStages();
  }
  return all;
}

std::vector<SliceLoad> MemorySide::sliceLoads(Cycle until) {
  std::vector<SliceLoad> all;
  for (const auto& section : partitions_) {
    const std::vector<SliceLoad> own = section->partition().sliceLoads(section->l2Time(until));
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

std::vector<DramStats> MemorySide::channelStatistics(Cycle until) {
  std::vector<DramStats> all;
  for (const auto& section : partitions_) all.push_back(section->dram().statistics(section->dramTime(until)));
  return all;
}

bool MemorySide::idle() const {
  const auto isQuiet = [](const auto& section) { return section->isPartitionIdle() && section->isDramIdle(); };
  const auto isEmpty = [](const auto& channel) { return channel->isEmpty(); };
  return requests_->network().idle() && responses_->network().idle() && std::all_of(partitions_.begin(), partitions_.end(), isQuiet) &&
         std::all_of(down_.begin(), down_.end(), isEmpty) && std::all_of(up_.begin(), up_.end(), isEmpty) &&
         std::all_of(across_.begin(), across_.end(), isEmpty) && std::all_of(back_.begin(), back_.end(), isEmpty);
}

std::string MemorySide::describeWaits() const {
  std::string text;
  const auto note = [&](bool busy, const std::string& what) {
    if (busy) text += "  " + what + " has requests under way\n";
  };
  note(!requests_->network().idle(), "the network to memory");
  note(!responses_->network().idle(), "the network from memory");
  for (u32 i = 0; i < partitions_.size(); ++i) {
    note(!partitions_[i]->isPartitionIdle(), fmt::format("memory partition {}", i));
    note(!partitions_[i]->isDramIdle(), fmt::format("DRAM channel {}", i));
  }
  return text;
}

}  // namespace warpwright::mem
