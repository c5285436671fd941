// The memory partitions' DRAM channels.
#pragma once

#include "base/memory_units.hpp"
#include "config/policy.hpp"

namespace warpwright::config {

enum class DramKind : u8 { gddr3, gddr5, gddr6, hbm2 };
enum class PagePolicy : u8 { open, closed };

// Times in ticks of the command clock unless a unit is given.
// The largest channels that can be simulated: banks, of all ranks, are bits of a word of 64, and column accesses that wait have numbers of
// 16 bits, one of which stands for none.
inline constexpr u32 kMostBanks = 64, kMostColumnAccesses = 65'534;
// Each tick of the fixed latency may have a response on its way.
inline constexpr u64 kMostFixedTicks = 1'000'000;

struct Dram {
  DramKind kind = DramKind::gddr5;
  u64 clockKhz = 924'000;  // command clock
  u32 channels = 6;        // one a memory partition
  u32 busBytes = 8;        // width of a channel's data bus
  u32 dataRate = 4;        // transfers a command-clock tick: 2 GDDR3 and HBM2, 4 GDDR5, 8 GDDR6 (of the command clock)
  u32 burstLength = 8;     // transfers of one column command
  u32 ranks = 1;
  u32 bankGroups = 4;   // a rank
  u32 banks = 16;       // a rank, all groups together
  u32 rowBytes = 2048;  // a bank's row, over the whole channel
  u32 tCL = 12, tWL = 4, tRCD = 12, tRP = 12, tRAS = 28, tRC = 40, tRRD = 6, tCCD = 2, tCCDL = 3, tRTP = 2, tWTR = 5, tWR = 12;
  u32 tRTW = 0;             // from a read command to a write command; 0: tCL + burst - tWL and two ticks in which nobody drives the bus
  u32 tRRDL = 0;            // tRRD within a bank group; 0: as tRRD
  u32 tWTRL = 0;            // tWTR within a bank group; 0: as tWTR
  u32 tRTRS = 0;            // ticks between the data of two ranks
  u32 tFAW = 0;             // 0: no such limit
  u32 tREFI = 0, tRFC = 0;  // 0: no refresh
  Policy scheduler = "fr_fcfs";  // of dramSchedulers
  PagePolicy page = PagePolicy::open;
  u32 requestQueue = 32;  // requests of a channel
  u32 returnQueue = 32;
  u32 interfaceQueue = 64;        // further responses, at the partition's end of controller and interface
  u32 fixedLatency = 0;           // core cycles added to each response: controller and physical interface; it bounds no bandwidth
  u32 perfectLatency = 0;         // ticks, of DRAM without a limit of its bandwidth; 0: DRAM is simulated
  u32 interleaveBytes = 256;      // consecutive bytes of one channel
  Policy hashChannels = "false";  // of channelHashes

  bool operator==(const Dram&) const = default;
};

// What one column command moves.
constexpr u32 columnBytes(const Dram& dram) { return dram.busBytes * dram.burstLength; }
// Ticks for which it occupies the data bus.
constexpr u32 burstTicks(const Dram& dram) { return dram.burstLength / dram.dataRate; }
// Column accesses of one request: at most so many, when its line is as long as lines can be.
constexpr u32 mostColumns(const Dram& dram) {
  const u32 bytes = columnBytes(dram);
  return bytes < kLongestLineBytes ? kLongestLineBytes / bytes : 1;
}

}  // namespace warpwright::config
