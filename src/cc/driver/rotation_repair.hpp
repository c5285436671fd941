// A correction of the PTX that clang writes.
#pragma once

#include <string>

namespace warpwright::cc {

// clang (seen with 14) turns a 64-bit rotation by a variable amount into two shifts without reducing the amount modulo 64 (LLVM,
// NVPTXInstrInfo.td, ROTL64reg_sw and ROTR64reg_sw), and a PTX shift by 64 or more gives 0. This reduces it first.
std::string repairRotations(std::string ptx);

}  // namespace warpwright::cc
