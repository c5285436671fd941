// Random PTX kernels that take, convert, compute, keep and use the addresses of variables in every space, in registers of either width,
// with what they must put out.
#pragma once

#include <string>
#include <vector>

#include "base/types.hpp"

namespace warpwright::testing {

struct AddressProgram {
  // A kernel k(.param .u64 out, .param .u64 in, .param .align 8 .b8 bytes[…]) for a one-dimensional grid: thread t writes
  // expected[t].size() u64 at out + t * expected[t].size() * 8.
  std::string ptx;
  std::vector<u8> bytes;  // the third parameter
  std::vector<std::vector<u64>> expected;
};

// The same arguments give the same program on every machine.
AddressProgram randomAddresses(u64 seed, u32 addressBits, u32 threads);

}  // namespace warpwright::testing
