// What a trace says of its kernel before the instructions: lines "-key = value".
#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/types.hpp"

namespace warpwright::sass {

// Warps of the GPUs that are traced.
inline constexpr u32 kWarpSize = 32;

struct KernelHeader {
  std::string name;
  Dim3 grid, block;
  u64 sharedBytes = 0;  // of a block, static and dynamic
  u32 registers = 0;    // of a thread
  u32 smVersion = 0;    // 70: sm_70
  u32 tracerVersion = 0;
  // Where generic addresses have the shared memory of the block and the private memory of the thread; 0: the trace does not say.
  u64 sharedBase = 0, localBase = 0;
  bool hasLines = false;  // each instruction begins with its line in the source

  u32 warps() const { return static_cast<u32>((block.count() + kWarpSize - 1) / kWarpSize); }
};

class HeaderParser {
 public:
  // A line that begins with '-'. Keys that say nothing about time are passed over. Throws Error.
  void line(std::string_view text, const SourcePosition& where);
  // The header; `where`: the first line behind it. Throws Error where something is missing, or where such a trace cannot be read.
  KernelHeader end(const SourcePosition& where) const;

 private:
  KernelHeader header_;
  u32 seen_ = 0;  // a bit for each key that a trace must have
};

}  // namespace warpwright::sass
