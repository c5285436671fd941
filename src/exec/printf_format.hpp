// Device printf: a C format string and the buffer of promoted arguments that the compiler lays out for vprintf.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/types.hpp"

namespace warpwright::exec {

// Where arguments come from. Both give false when the bytes cannot be read.
struct PrintfArguments {
  u32 pointerBytes = 8;
  std::function<bool(u64 offset, u32 bytes, void* to)> read;  // of the buffer
  std::function<bool(u64 address, std::string& text)> text;   // a zero-terminated string
};

struct Printed {
  std::string text;
  s32 conversions = 0;  // what device printf returns; -1: the arguments could not be read
};

// int takes 4 bytes, long, long long and double 8, pointers pointerBytes; each aligned to its size. Follows the CUDA C++ programming guide,
// "Formatted Output": %% and flags, width, precision, h, hh, l, ll, and d i u o x X c s p e E f F g G a A; others are printed as they
// stand.
Printed formatPrintf(std::string_view format, const PrintfArguments& arguments);

}  // namespace warpwright::exec
