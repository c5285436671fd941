// Random PTX kernels for property tests: any control flow, always terminating, no dependence between threads.
#pragma once

#include <string>

#include "base/types.hpp"

namespace warpwright::testing {

struct RandomProgramOptions {
  u32 addressBits = 64;
  u32 blocks = 8;  // basic blocks between entry and exit
  u32 instructionsPerBlock = 8;
  u32 registersPerType = 6;  // live values of each of b32, b64, f32, f64 and pred
  u32 fuel = 40;             // basic blocks that a thread may enter before it goes to the exit
  bool calls = false;        // call a recursive and a plain function
};

// A kernel `k(.param .u64 out, .param .u64 in)`: thread t (of a one-dimensional grid) reads kInputWords u32 at in + t * kInputBytes
// and writes all its registers, kOutputBytes(options) bytes, at out + t * kOutputBytes(options).
// The same seed and options give the same text on every machine.
std::string randomProgram(u64 seed, const RandomProgramOptions& options);

inline constexpr u32 kInputWords = 16;
inline constexpr u32 kInputBytes = kInputWords * 4;
constexpr u32 outputBytes(const RandomProgramOptions& options) { return options.registersPerType * (4 + 8 + 4 + 8 + 4); }

}  // namespace warpwright::testing
