#include "mechanisms/avc/energy_events.hpp"

#include <bit>

#include "energy/sram.hpp"

namespace warpwright::mechanisms::avc {
namespace {

using energy::Energy;

constexpr const char* kUnit = "avc";
constexpr u32 kAddressBits = 40;               // as those of other caches (docs/energy.md)
constexpr u32 kBaseBits = 32, kMaskBits = 32;  // of a vector; section 4.1

// A base and a stride for each part, and a valid bit for each word.
energy::Sram vectorsOf(const Settings& settings) {
  const Geometry& geometry = settings.geometry;
  const u32 bits = geometry.subVectors * (kBaseBits + settings.strideBits) + kMaskBits;
  const u64 vectors = u64{geometry.lines()} * geometry.vectorsPerLine;
  return {vectors * bits / 8, bits, 1, 1};
}

// Those of all ways of a set are read together; a vector has a dirty bit.
energy::Sram tagsOf(const Geometry& geometry) {
  const u32 set = static_cast<u32>(std::bit_width(geometry.sets()) - 1), line = static_cast<u32>(std::bit_width(geometry.lineBytes()) - 1);
  const u32 bits = kAddressBits - set - line + geometry.vectorsPerLine;
  return {u64{geometry.lines()} * bits / 8, geometry.ways * bits, 1, 1};
}

}  // namespace

std::vector<energy::CountedEvent> energyEvents(const Settings& settings, const config::Machine& machine, const energy::Table& table) {
  if (!settings.isPresent()) return {};
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

}  // namespace warpwright::mechanisms::avc
