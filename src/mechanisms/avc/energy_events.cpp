#include "mechanisms/avc/energy_events.hpp"

#include <bit>

#include "energy/event_energies.hpp"
#include "energy/sram.hpp"

namespace warpwright::mechanisms::avc {
namespace {

using energy::Energy;

constexpr const char* kUnit = "avc";
constexpr const char* kSharedUnit = "avc_shared";
constexpr u32 kAddressBits = 40;               // as those of other caches (docs/energy.md)
constexpr u32 kBaseBits = 32, kMaskBits = 32;  // of a vector; section 4.1

// A base and a stride for each part, and a valid bit for each word.
u32 vectorBits(const Settings& settings, u32 parts) { return parts * (kBaseBits + settings.strideBits) + kMaskBits; }

energy::Sram vectorsOf(const Settings& settings) {
  const Geometry& geometry = settings.geometry;
  const u32 bits = vectorBits(settings, geometry.subVectors);
  const u64 vectors = u64{geometry.lines()} * geometry.vectorsPerLine;
  return {vectors * bits / 8, bits, 1, 1};
}

// Those of all ways of a set are read together; a vector has a dirty bit.
energy::Sram tagsOf(const Geometry& geometry) {
  const u32 set = static_cast<u32>(std::bit_width(geometry.sets()) - 1), line = static_cast<u32>(std::bit_width(geometry.lineBytes()) - 1);
  const u32 bits = kAddressBits - set - line + geometry.vectorsPerLine;
  return {u64{geometry.lines()} * bits / 8, geometry.ways * bits, 1, 1};
}

std::vector<energy::CountedEvent> eventsOfPrivate(const Settings& settings, const config::Machine& machine, const energy::Table& table) {
  const auto tags = energy::estimate(tagsOf(settings.geometry), table.nanometres);
  const auto vectors = energy::estimate(vectorsOf(settings), table.nanometres);
  // A lane's value is the base and a multiple of the stride; what is written is compared with what base and stride make of it.
  const Energy lanes = kWordsPerVector * table.entries.find("pipe.int_add")->second.energy;
  const double cycle = 1 / (static_cast<double>(machine.coreClockKhz) * 1e3);
  const Energy leakage = energyOf(static_cast<double>(machine.multiprocessors) * (tags.leakage + vectors.leakage), cycle);
  const auto event = [](const char* name, const char* counter, const Energy& each) {
    return energy::CountedEvent{kUnit, name, kCounters, counter, each};
  };
  return {event("tag", "reads", tags.read),
          event("tag", "writes", tags.read),
          event("tag", "replays", tags.read),
          event("read", "hits", vectors.read),
          event("read", "partial_hits", vectors.read),
          event("read", "state.dirty_vectors", vectors.read),
          event("write", "writes_here", vectors.write),
          event("write", "fetches", vectors.write),
          event("write", "below.vectors_fetched", vectors.write),
          event("decode", "hits", lanes),
          event("decode", "partial_hits", lanes),
          event("decode", "state.dirty_vectors", lanes),
          event("encode", "writes", lanes),
          event("encode", "fetches", lanes),
          event("leakage", "", leakage)};
}

// Beside each row of the banks a vector, without tags.
energy::Sram besideRows(const Settings& settings, const config::Machine& machine) {
  const u32 bits = vectorBits(settings, 1);
  return {machine.sharedBytesPerSm / kVectorBytes * bits / 8, bits, 1, 1};
}

// Every look-up sends base, stride and valid bits past the lanes, which decode what is theirs; words that move to the banks are decoded
// beside them, each by an adder.
std::vector<energy::CountedEvent> eventsOfShared(const Settings& settings, const config::Machine& machine, const energy::Table& table) {
  const auto vectors = energy::estimate(besideRows(settings, machine), table.nanometres);
  const energy::EventEnergies baseline(table, machine);
  const Energy adder = table.entries.find("pipe.int_add")->second.energy, lanes = kWordsPerVector * adder;
  const Energy sent = vectorBits(settings, 1) / 32.0 * *baseline.find("data_crossbar.shared_word");
  const double cycle = 1 / (static_cast<double>(machine.coreClockKhz) * 1e3);
  const Energy leakage = energyOf(static_cast<double>(machine.multiprocessors) * vectors.leakage, cycle);
  const auto event = [](const char* unit, const char* name, const char* counter, const Energy& each) {
    return energy::CountedEvent{unit, name, kSharedCounters, counter, each};
  };
  return {event(kSharedUnit, "read", "look_ups", vectors.read),
          event(kSharedUnit, "write", "entries_written", vectors.write),
          event(kSharedUnit, "decode", "hits", lanes),
          event(kSharedUnit, "decode", "partial_hits", lanes),
          event(kSharedUnit, "decode", "words_moved", adder),
          event(kSharedUnit, "encode", "writes", lanes),
          event(kSharedUnit, "leakage", "", leakage),
          event("data_crossbar", "shared_word", "look_ups", sent),
          event("shared_memory", "write", "words_moved", *baseline.find("shared_memory.write"))};
}

}  // namespace

std::vector<energy::CountedEvent> energyEvents(const Settings& settings, const config::Machine& machine, const energy::Table& table) {
  if (!settings.isPresent()) return {};
  std::vector<energy::CountedEvent> events = eventsOfPrivate(settings, machine, table);
  // What is not there has a line all the same, so that columns of experiments exist with and without it.
  if (!settings.shared || machine.sharedBytesPerSm == 0) {
    events.push_back({kSharedUnit, "leakage", kSharedCounters, "", Energy{}});
    return events;
  }
  const std::vector<energy::CountedEvent> ofShared = eventsOfShared(settings, machine, table);
  events.insert(events.end(), ofShared.begin(), ofShared.end());
  return events;
}

}  // namespace warpwright::mechanisms::avc
