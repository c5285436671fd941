// Which section of a machine file holds which structure.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <mutex>

#include "config/fields.hpp"
#include "config/fields/rows.hpp"

namespace warpwright::config {
namespace {

// Adds a structure's rows; `of` finds the structure in a machine. A part's rows are named "part.row".
template <class S, class Of>
void addRows(Section& section, Rows<S> rows, Of of, std::string_view part = {}, std::string_view partText = {}) {
  for (const Row<S>& row : rows) {
    const std::string name = part.empty() ? std::string(row.name) : fmt::format("{}.{}", part, row.name);
    const std::string text = part.empty() ? std::string(row.text) : fmt::format("{}: {}.", partText, row.text);
    section.fields.push_back(
        {section.name, name, row.unit, row.range, text, [of, slot = row.slot](Machine& machine) { return slot(of(machine)); }});
  }
}

template <class S, class Of>
Section make(Section section, Rows<S> rows, Of of) {
  addRows(section, rows, of);
  return section;
}

template <class T>
Section makeParts(Section section, std::span<const Part<T>> parts, Rows<T> rows) {
  for (const Part<T>& part : parts) {
    addRows(
        section, rows, [member = part.member](Machine& machine) -> T& { return machine.sm.*member; }, part.name, part.text);
  }
  return section;
}

Section makeCache(std::string name, std::string_view text, Cache Machine::*cache) {
  return make<Cache>({.name = std::move(name), .text = text, .timed = true, .list = "caches"}, cacheRows(),
                     [cache](Machine& machine) -> Cache& { return machine.*cache; });
}

// The fields of a mechanism's or policy's settings; `find` gives those of a machine, or null. The defaults live as long as the section.
template <class Find>
void addSettings(Section& section, std::any defaults, std::span<const MechanismSetting> settings, Find find) {
  section.defaults = std::make_shared<std::any>(std::move(defaults));
  for (const MechanismSetting& setting : settings) {
    const auto slot = [find, &setting](Machine& machine) -> std::optional<Slot> {
      std::any* found = find(machine);
      return found ? std::optional(setting.slot(*found)) : std::nullopt;
    };
    section.fields.push_back({section.name, std::string(setting.name), setting.unit, setting.range, std::string(setting.text), slot,
                              setting.slot(*section.defaults)});
  }
}

Section makeMechanism(const MechanismKind& kind) {
  Section section{.name = fmt::format("mechanism.{}", kind.name), .text = kind.text, .mechanism = &kind};
  addSettings(section, kind.defaults, kind.settings, [&kind](Machine& machine) { return machine.mechanisms.find(kind.name); });
  return section;
}

// Which policy a machine has chosen; that is a field of every machine.
Policy& chosenIn(Machine& machine, const std::function<std::optional<Slot>(Machine&)>& chosenBy) {
  return *std::get<Policy*>(chosenBy(machine).value());
}

// Of a policy that the field may name.
Section makePolicy(const Section& owner, const Field& field, const PolicyKind& kind) {
  Section section{.name = fmt::format("{}.{}", owner.name, kind.name), .text = kind.text, .timed = owner.timed};
  section.policy = &kind;
  section.chosenBy = field.slot;
  addSettings(section, kind.defaults(), kind.settings(), [&kind, chosenBy = field.slot](Machine& machine) {
    Policy& chosen = chosenIn(machine, chosenBy);
    return chosen == kind.name ? &chosen.settingsOf(kind) : nullptr;
  });
  return section;
}

// Of all policies with settings that the sections' fields may name.
std::vector<Section> makePolicies(std::span<const Section> owners) {
  std::vector<Section> result;
  for (const Section& owner : owners) {
    for (const Field& field : owner.fields) {
      if (field.range.policies == nullptr) continue;
      for (const PolicyKind* kind : field.range.policies->all()) {
        if (kind->hasSettings()) result.push_back(makePolicy(owner, field, *kind));
      }
    }
  }
  return result;
}

Machine& whole(Machine& machine) { return machine; }
Sm& smOf(Machine& machine) { return machine.sm; }

bool& areMade() {
  static bool made = false;
  return made;
}

std::vector<Section> makeSections() {
  areMade() = true;
  std::vector<Section> result;
  result.push_back(make<Machine>({.name = "", .text = "Above all sections."}, machineRows(), whole));
  result.push_back(make<Machine>({.name = "chip", .text = "The chip as device properties report it."}, chipRows(), whole));
  result.push_back(make<Machine>({.name = "sm", .text = "What an SM holds."}, smRows(), whole));
  result.push_back(make<Sm>({.name = "sm.pipeline", .text = "Fetch, issue, operands and write-back.", .timed = true, .required = true},
                            pipelineRows(), smOf));
  result.push_back(makeParts<Pipes>({.name = "sm.pipes", .text = "Execution units by kind.", .timed = true}, pipesParts(), pipesRows()));
  result.push_back(makeParts<LatencyOf>(
      makeParts<LatencyOf>({.name = "sm.operations", .text = "Latency and throughput by class of instruction.", .timed = true},
                           operationParts(), latencyRows()),
      finerOperationParts(), finerLatencyRows()));
  result.push_back(make<Sm>({.name = "sm.memory", .text = "From a memory instruction to its transactions; shared memory.", .timed = true},
                            smMemoryRows(), smOf));
  result.push_back(makeCache("l1d", "The L1 data cache of an SM; ticks of the core clock.", &Machine::l1d));
  result.push_back(makeCache("l1i", "The instruction cache of an SM; ticks of the core clock.", &Machine::l1i));
  result.push_back(makeCache("l1c", "The constant cache of an SM; ticks of the core clock.", &Machine::l1c));
  result.push_back(makeCache("l15c", "Between the constant cache of an SM and the network; ticks of the core clock.", &Machine::l15c));
  result.push_back(makeCache("texture_cache", "The texture cache of an SM; ticks of the core clock.", &Machine::textureCache));
  result.push_back(makeCache("l2", "One L2 slice; ticks of partition.clock_khz.", &Machine::l2));
  result.push_back(makeCache("llc", "Below the L2 slices, one a partition; ticks of partition.clock_khz.", &Machine::llc));
  result.push_back(make<Partition>({.name = "partition", .text = "A memory partition, its L2 slices apart.", .timed = true},
                                   partitionRows(), [](Machine& machine) -> Partition& { return machine.partition; }));
  result.push_back(make<Network>(
      {.name = "network", .text = "Between SMs and memory partitions, one network a direction.", .timed = true, .required = true},
      networkRows(), [](Machine& machine) -> Network& { return machine.network; }));
  result.push_back(make<Dram>({.name = "dram", .text = "Times count ticks of dram.clock_khz.", .timed = true, .required = true}, dramRows(),
                              [](Machine& machine) -> Dram& { return machine.dram; }));
  std::vector<Section> policies = makePolicies(result);
  result.insert(result.end(), std::make_move_iterator(policies.begin()), std::make_move_iterator(policies.end()));
  for (const MechanismKind* kind : mechanismKinds()) result.push_back(makeMechanism(*kind));
  return result;
}

// All that there is to know of the keys, with the mechanisms and policies of that time.
struct Keys {
  Keys(u32 additions, const Keys* former) : before(former), version(additions), sections(makeSections()) {
    for (const Section& section : sections) {
      for (const Field& field : section.fields) {
        fields.push_back(&field);
        byKey.emplace(field.key(), &field);
      }
    }
  }

  const Keys* const before;  // those of an earlier time: spans of them have been given
  const u32 version;
  const std::vector<Section> sections;
  std::vector<const Field*> fields;
  std::map<std::string, const Field*, std::less<>> byKey;
};

const Keys& keys() {
  static std::atomic<const Keys*> latest;
  static std::mutex making;
  const u32 version = policyCount() + mechanismInstallations();
  const Keys* known = latest.load(std::memory_order_acquire);
  if (known && known->version == version) return *known;
  const std::lock_guard lock(making);
  known = latest.load(std::memory_order_acquire);
  if (known && known->version == version) return *known;
  known = new Keys(version, known);  // never destroyed: reports are printed while libraries are unloaded
  latest.store(known, std::memory_order_release);
  return *known;
}

}  // namespace

std::span<const Section> sections() { return keys().sections; }

bool sectionsAreMade() { return areMade(); }

const Section* findSection(std::string_view name) {
  const auto all = sections();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Section& section) { return section.name == name; });
  return found == all.end() ? nullptr : &*found;
}

bool isChosen(const Section& section, const Machine& machine) {
  // Slots are for writing too; this one is only read.
  return chosenIn(const_cast<Machine&>(machine), section.chosenBy) == section.policy->name;
}

std::vector<PolicyProblem> policyProblems(const Machine& machine) {
  std::vector<PolicyProblem> result;
  for (const Section& section : sections()) {
    if (!applies(section, machine)) continue;
    for (const Field& field : section.fields) {
      if (field.range.policies == nullptr) continue;
      Policy chosen = chosenIn(const_cast<Machine&>(machine), field.slot);
      const PolicyKind* kind = field.range.policies->find(chosen.name);
      if (kind == nullptr || kind->problem == nullptr) continue;
      const std::any none, &settings = kind->hasSettings() ? chosen.settingsOf(*kind) : none;
      if (const auto problem = kind->problem(settings, machine))
        result.push_back({field.key(), fmt::format("{} = {}: {}", field.key(), field.valueText(machine), *problem)});
    }
  }
  return result;
}

std::span<const Field* const> fields() { return keys().fields; }

const Field* findField(std::string_view key) {
  const auto& byKey = keys().byKey;
  const auto found = byKey.find(key);
  return found == byKey.end() ? nullptr : found->second;
}

}  // namespace warpwright::config
