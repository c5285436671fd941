// The code of a kernel as instruction caches see it.
#pragma once

#include "config/machine.hpp"
#include "isa/program.hpp"

namespace warpwright::sm {

struct KernelCode {
  GlobalAddress begin;
  u64 bytes = 0;
};

// program: where its first instruction lies. With what is fetched ahead behind the kernel's end, by warps and by stream buffers of
// sub-cores, as the assembler pads code.
inline KernelCode codeOf(GlobalAddress program, const isa::Function& kernel, const config::Machine& machine) {
  const u32 ahead = machine.sm.instructionBuffer + machine.sm.fetchWidth, instruction = machine.sm.instructionBytes;
  return {program + u64{kernel.begin} * instruction,
          u64{kernel.end - kernel.begin + ahead} * instruction + u64{machine.sm.l0PrefetchLines} * machine.l1i.lineBytes};
}

}  // namespace warpwright::sm
