// What a launch did, as far as it tells how long it takes: launches that are alike in it take about the same time for the same work.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "exec/launch.hpp"
#include "profile/counters.hpp"

namespace warpwright::sampling {

// Of a whole launch.
enum class Amount : u8 {
  blocks,
  warpInstructions,
  threadInstructions,
  sectors,       // of global memory and textures, that accesses ask for
  lines,         // distinct ones that it touches
  sharedPasses,  // over the banks of shared memory
  atomicSteps,   // the most lanes at one address, summed over atomics
};
inline constexpr std::size_t kAmounts = 7;

struct Signature {
  // What must be the same: the kernel, and what a block is.
  std::string kernel, module;  // as exec::Launch has them: its name, and its module's source name
  Dim3 block;
  u64 dynamicSharedBytes = 0;
  exec::CachePreference cachePreference = exec::CachePreference::none;
  bool cooperative = false;

  std::array<u64, kAmounts> amounts{};
  struct Executed {
    Pc pc;
    u64 warps = 0;  // times that a warp issued it
  };
  std::vector<Executed> executed;  // by pc, those that were

  u64 operator[](Amount amount) const { return amounts[static_cast<std::size_t>(amount)]; }
  u64& operator[](Amount amount) { return amounts[static_cast<std::size_t>(amount)]; }
};

// use: what the profile counted of the launch; lines: distinct ones that it touched.
Signature signatureOf(const exec::LaunchRequest& request, const exec::LaunchResult& result, const profile::Counters& use, u64 lines);

// How unlike two launches are, from 0 to 1: the greatest of the share of the instructions that are others, and of what one amount has less
// than the other, as a share of it. Amounts that are rare beside the warp instructions matter as little as they are. 1: what must be the
// same is not. Above `enough` it need not be the greatest.
double difference(const Signature& one, const Signature& other, double enough = 1);

}  // namespace warpwright::sampling
