// What the SMs need to know of a launch; shared by all of them and constant while it runs.
#pragma once

#include "access/shared_maps.hpp"
#include "exec/warp_source.hpp"
#include "sm/instruction_info.hpp"
#include "sm/launch_notes.hpp"

namespace warpwright::sm {

struct LaunchPlan {
  LaunchPlan(const exec::LaunchRequest& asked, const config::Machine& machine)
      : request(asked), info(asked.launch->program->program, machine) {}

  exec::LaunchRequest request;
  KernelInfo info;
  u32 id = 0;  // of the launches of the machine, in their order
  u32 warpsPerBlock = 0;
  u32 registersPerBlock = 0;                              // as the register file allocates them
  u64 sharedPerBlock = 0;                                 // bytes, as shared memory allocates them
  u64 localPerThread = 0;                                 // bytes
  u32 l1Ways = 0;                                         // that its shared memory leaves of L1's sets; 0: all
  access::SharedMaps sharedMaps;                          // of shared memory
  LaunchNotes notes;                                      // of mechanisms
  GlobalAddress codeAddress;                              // of Program::code[0], for instruction fetch
  std::shared_ptr<const exec::RecordedLaunch> recording;  // what the SMs play; null: they execute the kernel
};

}  // namespace warpwright::sm
