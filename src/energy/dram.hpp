// What the commands of a DRAM cost, from the currents of a chip's data sheet: the method of Micron's technical notes TN-41-01 ("Calculating
// Memory System Power for DDR3") and TN-40-07.
#pragma once

#include "energy/quantity.hpp"

namespace warpwright::energy {

// Of one chip (of HBM: one channel of a stack), under the conditions that JEDEC's standards define.
struct DramCurrents {
  double volts = 0;
  // Milliamperes.
  double idd0 = 0;   // a bank is activated and precharged every tRC
  double idd2n = 0;  // standby, all banks precharged
  double idd3n = 0;  // standby, banks active
  double idd4r = 0;  // reads without a gap
  double idd4w = 0;  // writes without a gap
  double idd5 = 0;   // refreshes every tRFC
  // Nanoseconds, with which those currents were measured.
  double tRC = 0, tRAS = 0, tRFC = 0;
  double burstNanoseconds = 0;  // of data on the bus, of one read or write
  double bitsPerBurst = 0;      // that the chip moves in it
  double widthBits = 0;         // of its data bus
  Energy interfacePerBit;       // driver and termination, both ends together
  Factor uncertainty{1, 1, 1};  // of the currents
};

// One chip.
struct DramEnergies {
  Energy activate;     // with the precharge that follows
  Energy read, write;  // of a burst, interface included
  Energy refresh;
  Power open, precharged;  // standby, with and without an open row; the other entries come on top of it
};

DramEnergies dramEnergies(const DramCurrents& currents);

}  // namespace warpwright::energy
