// Where a byte of a channel lies: the one place that says how addresses are laid out over ranks, bank groups, banks, rows and columns.
#pragma once

#include "base/types.hpp"
#include "config/dram.hpp"
#include "mem/dram/channel_address.hpp"

namespace warpwright::mem::dram {

using config::burstTicks;
using config::columnBytes;
using config::mostColumns;

// Numbers count over the whole channel: `group` all groups of all ranks, `bank` all banks of all ranks, a group's banks side by side.
struct Location {
  u32 rank = 0, group = 0, bank = 0;
  u32 column = 0;  // in units of columnBytes
  u64 row = 0;
};

// Which bits of an address say what. From the lowest up they are
//
//   byte of a column | column within interleaveBytes | bank group | rest of the column | bank of the group | rank | row
//
// so that an interleaved piece lies in one row, neighbouring pieces alternate between bank groups (column commands then keep the short
// distance tCCD, not tCCDL), and a stream fills a row of each group before it opens another. This is the layout of GPGPU-Sim's tested
// GTX480 configuration, with the group as its lowest bank bits.
class Geometry {
 public:
  // The configuration must be valid (config/rules.hpp).
  explicit Geometry(const config::Dram& dram);

  Location location(ChannelAddress address) const;

 private:
  u32 byteBits_, lowColumnBits_, groupBits_, highColumnBits_, bankBits_, rankBits_;
};

}  // namespace warpwright::mem::dram
