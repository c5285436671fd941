// What an SPE is like: the original, or one with a SAMS local store.
#pragma once

#include <string>

#include "base/types.hpp"

namespace warpwright::spe {

// The order in which the instructions of a block stand.
enum class Order : u8 {
  program,    // as they were written: gcc 4.1 at -O1, which Gou compiled with, schedules no instructions
  scheduled,  // by critical path, for two pipes
};

// Latencies of the local store and of branches: Gou, section 4.4.2 and table 4.5.
struct Machine {
  std::string name = "original";
  bool sams = false;       // the local store keeps arrays in layouts of their own
  u32 loadLatency = 6;     // cycles until the result can be used; SAMS: 3 inbound and 1 outbound more
  u32 storeLatency = 4;    // until a load finds it; SAMS: 3 more
  u32 branchPenalty = 18;  // of a taken branch without a hint, or one whose hint was wrong; SAMS: the 3 inbound stages more
  u32 hintLatency = 15;    // cycles from a hint to its branch that hide the penalty (programming tutorial, table 1)
  u32 fetchBytes = 64;     // of an instruction fetch (section 4.3.2)
  u32 fetchLatency = 6;    // cycles until its instructions can be issued: a load's way; SAMS: the 3 inbound stages more (section 4.4.2)
  u32 fetchesAhead = 2;  // that sequential code is fetched ahead by; chosen: the buffers hold 3.5 lines of 32 instructions (Flachs et al.,
                         // "The microarchitecture of the Synergistic Processor for a Cell processor", 2006)
  // The memory flow controller. A transfer of a line takes less than 100 ns, and transfers move 25.6 GB/s (M. Kistler, M. Perrone, F.
  // Petrini, "Cell multiprocessor communication network: built for speed", IEEE Micro 26(3), 2006, abstract), of a processor of 3.2 GHz.
  u32 dmaLatency = 320;
  u32 dmaBytesPerCycle = 8;
  u32 dmaQueue = 16;       // commands (Cell Broadband Engine Architecture: the MFC's queue for the SPU)
  u32 dmaPortBytes = 128;  // that a transfer moves in a cycle in which it has the local store's port (section 4.4.2)
  Order order = Order::program;
};

// "original", "sams", or "long-latency": the original with the latencies of SAMS and none of its layouts (footnote 6). Throws Error for
// others.
Machine machineOf(const std::string& name);

}  // namespace warpwright::spe
