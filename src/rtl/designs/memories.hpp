// Modules of the parallel memories that several designs have.
#pragma once

#include <vector>
#include <warpwright/parallel_memory/bank_map.hpp>

#include "rtl/module.hpp"

namespace warpwright::rtl {

// A memory of 2^q banks whose rows have two words; an access has as many lanes as there are banks.
struct WideMemory {
  u32 n = 0, q = 0;  // logarithms of words and of banks
  u32 wordBits = 0;  // data of a word

  u32 lanes() const { return 1u << q; }
  u32 cells() const { return 2u << q; }  // words of a row of all banks
  u32 rowBits() const { return n - q - 1; }
};

// base + lane * stride for each lane.
Module strideAgu(const WideMemory& memory, const std::string& name);
// Lanes' rows and data to the banks, as wired ORs: lanes of one bank have one row, and no two have one cell.
Module switchIn(const WideMemory& memory);
// Words of the banks to the lanes.
Module switchOut(const WideMemory& memory);

// What the switches make of lanes' cells; by the names of their ports.
struct Routed {
  Bits rows, enables, toMemory;
};
Routed routeIn(const WideMemory& memory, const std::vector<parallel_memory::Cell>& cells, bool write, const Bits& data);
// As many words as cells.
Bits routeOut(const WideMemory& memory, const std::vector<parallel_memory::Cell>& cells, const Bits& fromMemory);

}  // namespace warpwright::rtl
