#include "energy/event_energies.hpp"

#include <fmt/format.h>

#include <vector>

#include "base/error.hpp"
#include "base/memory_units.hpp"
#include "base/nearest.hpp"
#include "energy/events.hpp"
#include "energy/machine_arrays.hpp"

namespace warpwright::energy {
namespace {

using Energies = std::map<std::string, Energy, std::less<>>;

std::string_view kindOf(config::DramKind kind) { return kDramKinds[static_cast<std::size_t>(kind)]; }

class Pricing {
 public:
  Pricing(const Table& table, const config::Machine& machine) : table_(table), machine_(machine) {}

  Energies all() {
    for (const auto& [path, entry] : table_.entries) {
      if (path != kWire) energies_[path] = entry.energy;
    }
    addSm();
    addCaches();
    addNetwork();
    addDram();
    return std::move(energies_);
  }

 private:
  // One bit over a length that the table gives.
  Energy wires(double bits, std::string_view length) const {
    return bits * scaled(table_.entries.find(kWire)->second.energy, table_.lengths.find(length)->second.millimetres);
  }
  SramEstimate estimated(const Sram& sram) const { return estimate(sram, table_.nanometres); }
  void addLeakage(const std::string& unit) {
    const double cycle = 1 / (static_cast<double>(machine_.coreClockKhz) * 1e3);
    energies_[unit + ".leakage"] = energyOf(footprintOf(arraysOf(unit, machine_), table_.nanometres).leakage, cycle);
  }

  void addSm() {
    const SramEstimate registers = estimated(registerFile(machine_)), shared = estimated(sharedMemory(machine_));
    const Sram collectors = operandCollectors(machine_);
    const double rowBits = machine_.warpSize * 32.0;
    energies_["register_file.read"] = registers.read;
    energies_["register_file.write"] = registers.write;
    addLeakage("register_file");
    const Energy held = collectors.bytes == 0 ? Energy{} : estimated(collectors).write + estimated(collectors).read;
    energies_["operand_collector.operand"] = held + wires(rowBits, "register_to_pipe");
    energies_["data_crossbar.cache_word"] = energies_["data_crossbar.shared_word"] = wires(32, "lane_to_memory");
    const SramEstimate pending = estimated(pendingRequests(machine_));
    energies_["coalescer.access"] = pending.write + pending.read;
    if (machine_.l1i.bytes != 0) energies_["instruction.fetch"] = estimated(fetchedCode(machine_)).read;
    if (machine_.sharedBytesPerSm == 0) return;
    energies_["shared_memory.read"] = shared.read;
    energies_["shared_memory.write"] = shared.write;
    addLeakage("shared_memory");
  }

  void addCaches() {
    addCache("l1d", machine_.l1d);
    addCache("l1i", machine_.l1i);
    addCache("l1c", machine_.l1c);
    addCache("l15c", machine_.l15c);
    addCache("texture_cache", machine_.textureCache);
    addCache("l2", machine_.l2);
    addCache("llc", machine_.llc);
    // Loads merge in MSHRs also where no cache is behind them.
    if (machine_.l1d.bytes != 0) return;
    addMshrs("l1d", machine_.l1d);
    addLeakage("l1d");
  }

  void addMshrs(const std::string& unit, const config::Cache& cache) {
    const SramEstimate mshrs = estimated(mshrsOf(cache));
    energies_[unit + ".mshr_search"] = searchEnergy(searchedBits(cache), table_.nanometres);
    energies_[unit + ".mshr_allocate"] = mshrs.write + mshrs.read;
  }

  void addCache(const std::string& unit, const config::Cache& cache) {
    if (cache.bytes == 0) return;
    const SramEstimate data = estimated(dataOf(cache)), tags = estimated(tagsOf(cache));
    const double sectors = static_cast<double>(cache.lineBytes) / kSectorBytes;
    energies_[unit + ".tag"] = tags.read;
    energies_[unit + ".read"] = data.read;
    energies_[unit + ".write"] = data.write;
    // A tag is one of the ways that a word of the tags holds, and serves the sectors of its line.
    energies_[unit + ".fill"] = data.write + (1 / (cache.ways * sectors)) * tags.write;
    addMshrs(unit, cache);
    addLeakage(unit);
  }

  void addNetwork() {
    const SramEstimate buffers = estimated(flitBuffers(machine_.network));
    energies_["network.route"] = buffers.write + buffers.read;
    energies_["network.link"] = wires(machine_.network.flitBytes * 8.0, "network_link");
  }

  void addDram() {
    const config::Dram& dram = machine_.dram;
    const DramCurrents& chip = chipOf(dram.kind).currents;
    const DramEnergies energies = dramEnergies(chip);
    const double chips = dram.busBytes * 8.0 / chip.widthBits, bursts = config::columnBytes(dram) * 8.0 / chip.bitsPerBurst;
    const double tick = 1 / (static_cast<double>(dram.clockKhz) * 1e3);
    energies_["dram.activate"] = chips * energies.activate;
    energies_["dram.read"] = bursts * energies.read;
    energies_["dram.write"] = bursts * energies.write;
    energies_["dram.refresh"] = chips * energies.refresh;
    energies_["dram.open"] = energyOf(chips * energies.open, tick);
    energies_["dram.precharged"] = energyOf(chips * energies.precharged, tick);
  }

  const DramChip& chipOf(config::DramKind kind) const {
    const auto found = table_.dram.find(kindOf(kind));
    if (found != table_.dram.end()) return found->second;
    throw Error(fmt::format("the table '{}' has no DRAM of the kind that the machine '{}' has", table_.name, machine_.name), {},
                fmt::format("add [dram.{}], with the currents of a data sheet, to a table with base = \"{}\"", kindOf(kind), table_.name));
  }

  const Table& table_;
  const config::Machine& machine_;
  Energies energies_;
};

}  // namespace

EventEnergies::EventEnergies(const Table& table, const config::Machine& machine) : energies_(Pricing(table, machine).all()) {
  // A table serves machines that lack parts which it has a factor for.
  for (const auto& [name, factor] : table.factors) scaleKnown(name, factor);
}

const Energy* EventEnergies::find(std::string_view path) const {
  const auto found = energies_.find(path);
  return found == energies_.end() ? nullptr : &found->second;
}

bool EventEnergies::scaleKnown(std::string_view unitOrPath, double factor) {
  bool any = false;
  for (auto& [path, energy] : energies_) {
    const std::string_view unit = std::string_view(path).substr(0, path.find('.'));
    if (unitOrPath != path && unitOrPath != unit) continue;
    energy = factor * energy;
    any = true;
  }
  return any;
}

void EventEnergies::scale(std::string_view unitOrPath, double factor) {
  if (scaleKnown(unitOrPath, factor)) return;
  std::vector<std::string> known;
  for (const auto& [path, energy] : energies_) {
    known.push_back(path);
    known.push_back(path.substr(0, path.find('.')));
  }
  const std::string near = nearestName(std::string(unitOrPath), known);
  throw Error(fmt::format("no event or unit is called '{}'", unitOrPath), {},
              near.empty() ? "docs/energy.md lists them" : fmt::format("did you mean '{}'?", near));
}

}  // namespace warpwright::energy
