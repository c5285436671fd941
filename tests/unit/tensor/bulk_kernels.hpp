// What kernels with bulk copies begin with.
#pragma once

#include "kernel.hpp"

namespace warpwright::tensor {

// A tile of 2048 bytes and an mbarrier object.
inline LaunchSetup bulkSetup() {
  LaunchSetup setup;
  setup.module = ".shared .align 1024 .b8 tile[2048];\n.shared .align 8 .b64 done;";
  return setup;
}

// %s: the tile; %own: the thread's word of it; %to: its two words of `out`; %b: the object, for one arrival; %first: thread 0.
inline const std::string kBulkPrologue =
    ".reg .b32 %s, %own, %b, %v<8>;\n.reg .b64 %to, %from;\n.reg .pred %p, %first;\nmov.u32 %s, tile;\nmad.lo.u32 %own, %tid, 4, %s;\n"
    "mul.wide.u32 %to, %tid, 8;\nadd.u64 %to, %to, %out;\nmov.u32 %b, done;\nsetp.eq.u32 %first, %tid, 0;\n"
    "@%first mbarrier.init.shared.b64 [%b], 1;\nbar.sync 0;\n";
inline constexpr char kAwaitPhase[] = "wait:\nmbarrier.try_wait.parity.shared.b64 %p, [%b], 0;\n@!%p bra wait;\n";

// 1, 2, 3 …
inline std::vector<u32> numbers(u32 count) {
  std::vector<u32> values(count);
  for (u32 i = 0; i < count; ++i) values[i] = i + 1;
  return values;
}

}  // namespace warpwright::tensor
