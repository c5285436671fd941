#include "mechanisms/tiny_cache/hardware.hpp"

#include "mechanisms/tiny_cache/hardware_cost.hpp"

namespace warpwright::mechanisms::tiny_cache {

energy::Sram dataOf(const Geometry& geometry) { return {u64{geometry.lines} * geometry.lineBytes, 32, 1, 1}; }

energy::Sram tagsOf(const Geometry& geometry) {
  const u32 bits = hardwareCost(geometry).metadataBits;
  return {u64{geometry.lines} * bits / 8, geometry.ways * bits, 1, 1};
}

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
          .arrays = {{dataOf(geometry), tagsOf(geometry)}, lanes}};
}

}  // namespace warpwright::mechanisms::tiny_cache
