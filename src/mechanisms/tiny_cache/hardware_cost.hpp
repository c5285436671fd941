// Bits of the cache of a lane (section 3.2 of the paper), and of the detector of streams of an SM, which the paper does not have.
#pragma once

#include <bit>

#include "mechanisms/tiny_cache/geometry.hpp"
#include "mechanisms/tiny_cache/stream_detector.hpp"

namespace warpwright::mechanisms::tiny_cache {

struct HardwareCost {
  u32 stateBits = 0, tagBits = 0, controlBits = 0;  // of a line
  u32 entryBits = 0;                                // state and tag
  u32 metadataBits = 0;                             // of a line: all but its data
  u32 controlBytes = 0;                             // the same, rounded up
  u32 bytes = 0;                                    // of the cache

  // Share of what is not data.
  double overhead() const { return static_cast<double>(controlBytes) / (controlBytes + dataBytes); }

  u32 dataBytes = 0;  // of a line
};

// The tag is the extended address, with space and block, of which the paper gives the size.
inline constexpr u32 kTagBits = 79;

constexpr HardwareCost hardwareCost(const Geometry& geometry) {
  HardwareCost cost;
  cost.stateBits = 2;
  cost.tagBits = kTagBits;
  cost.entryBits = cost.stateBits + cost.tagBits;
  cost.controlBits = geometry.granules();
  cost.metadataBits = cost.entryBits + cost.controlBits;
  cost.controlBytes = (cost.metadataBits + 7) / 8;
  cost.dataBytes = geometry.lineBytes;
  cost.bytes = geometry.lines * (geometry.lineBytes + cost.controlBytes);
  return cost;
}

// Of an SM: counters of lines and of executions, and beside each line of each lane, which counter's instruction brought it and whether it
// has been used since.
constexpr u32 detectorBits(const StreamSettings& detector, const Geometry& geometry, u32 lanes) {
  const u32 counters = detector.entries * static_cast<u32>(std::bit_width(detector.lines) + std::bit_width(detector.probe - 1));
  return counters + lanes * geometry.lines * static_cast<u32>(std::bit_width(detector.entries - 1) + 1);
}

}  // namespace warpwright::mechanisms::tiny_cache
