#include "mechanisms/tiny_cache/hardware.hpp"

#include "mechanisms/tiny_cache/hardware_cost.hpp"

namespace warpwright::mechanisms::tiny_cache {

namespace {

energy::Sram ofEachLine(const Geometry& geometry, u32 bits) { return {u64{geometry.lines} * bits / 8, bits, 1, 1}; }

}  // namespace

energy::Sram wordsOf(const Geometry& geometry) { return {u64{geometry.lines} * geometry.lineBytes, 32, 1, 1}; }
energy::Sram linesOf(const Geometry& geometry) { return ofEachLine(geometry, geometry.lineBytes * 8); }
energy::Sram tagsOf(const Geometry& geometry) { return ofEachLine(geometry, hardwareCost(geometry).entryBits); }
energy::Sram controlsOf(const Geometry& geometry) { return ofEachLine(geometry, hardwareCost(geometry).controlBits); }
u64 searchedBits(const Geometry& geometry) { return u64{geometry.ways} * hardwareCost(geometry).entryBits; }

Hardware hardware(const Settings& settings, const config::Machine& machine) {
  const Geometry geometry = settings.geometry();
  const HardwareCost cost = hardwareCost(geometry);
  const u64 lanes = u64{machine.multiprocessors} * machine.warpSize;
  const auto number = [](u32 value) { return static_cast<double>(value); };
  return {.numbers = {{"state_bits", number(cost.stateBits)},
                      {"tag_bits", number(cost.tagBits)},
                      {"entry_bits", number(cost.entryBits)},
                      {"control_bits", number(cost.controlBits)},
                      {"metadata_bits", number(cost.metadataBits)},
                      {"metadata_bytes", number(cost.controlBytes)},
                      {"bytes", number(cost.bytes)},
                      {"overhead", cost.overhead()}},
          .arrays = {{wordsOf(geometry), tagsOf(geometry), controlsOf(geometry)}, lanes}};
}

}  // namespace warpwright::mechanisms::tiny_cache
