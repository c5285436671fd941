// What arrays of SRAM cells cost: a formula of the kind that CACTI works out, held against it in tests (docs/energy.md).
#pragma once

#include "base/integers.hpp"
#include "energy/quantity.hpp"

namespace warpwright::energy {

struct Sram {
  u64 bytes = 0;      // of all banks
  u32 wordBits = 32;  // that one access of a bank moves
  u32 banks = 1;      // alike, side by side
  u32 ports = 1;      // of each: for reading and writing; further ones may be for either
};

struct SramEstimate {
  Energy read, write;  // of a word, in one bank; the way to the bank is not included
  Power leakage;       // of all banks
  Area area;           // of all banks
};

// Node in nanometres (technology.hpp).
//
// A word's bits travel the side of the bank on bit lines and wires, and so do as many wires for the address whatever the word; with N bits
// in a bank, W bits in a word and P ports
//
//   read  = (1 + 0.23 (P - 1)) sqrt(N) (0.0115 + 0.000140 W) pJ
//   write = (1 + 0.23 (P - 1)) (sqrt(N) (0.0065 + 0.000225 W) + 0.0109 W) pJ
//   area  = (1 + 0.42 (P - 1))^2 (1.30 N cell + 14.2 W) square micrometres
//   leakage = (1 + 0.22 (P - 1)) 126 nW N
//
// at 45 nm, high-performance transistors, 350 K. The coefficients are a least-squares fit to what CACTI 7 gives for one bank of 512 B to 1
// MB with words of 32 to 256 bits, those of ports to CACTI's arrays with 1 to 6 ports. Wider words lie in several arrays of 256 bits or
// less, side by side. The range of the energies is what CACTI's other optimisation targets and low-power transistors give (x 0.6), and what
// published chips say of their arrays (x 2: Horowitz, ISSCC 2014; Keckler and others, IEEE Micro 31(5), 2011); of the leakage, transistors
// of low operating power (x 0.064) and a temperature of some 30 K more (x 2).
SramEstimate estimate(const Sram& sram, double nanometres);

// A search in content-addressed memory: all bits of all entries are compared. CACTI 7, 45 nm: 64 entries of 32 bits 4.81 pJ, of 39 bits
// 7.55 pJ, which is 2.35 and 3.0 fJ a bit.
Energy searchEnergy(u64 bits, double nanometres);

}  // namespace warpwright::energy
