// A cache of any level: L1 data, constant, texture, instruction, an L2 slice, the last level.
#pragma once

#include "config/policy.hpp"

namespace warpwright::config {

// What Jouppi, "Cache Write Policies and Performance" (ISCA 1993), calls fetch-on-write is writeBack; write-validate is writeBackLazy.
enum class WritePolicy : u8 {
  writeThrough,          // no allocation: a write goes below, and updates the line when it is there
  writeThroughEvict,     // no allocation: a write goes below and evicts the line (Fermi's L1 for global data)
  writeThroughAllocate,  // a write goes below and leaves its bytes in a line, of which the rest is fetched when it is read
  writeBack,             // a write allocates, and fetches what it does not cover; the line goes below when it is evicted
  writeBackLazy,         // the same, but what writes have not covered is fetched when it is read
  writeBackNoAllocate,   // a write that misses goes below
};

// The largest caches that can be simulated: ways of a set and banks are bits of a word of 64, and accesses that wait have numbers.
inline constexpr u32 kMostWays = 64, kMostCacheBanks = 64, kMostHeldAccesses = 65'536;

struct Cache {
  u64 bytes = 0;  // capacity of one instance; 0: the cache is absent
  u32 ways = 4;
  u32 lineBytes = 128;
  u32 sectorBytes = 128;       // what is fetched at once: 32 … lineBytes
  Policy replacement = "lru";  // of replacementPolicies
  WritePolicy globalWrites = WritePolicy::writeThroughEvict;
  WritePolicy localWrites = WritePolicy::writeBack;
  Policy setHash = "none";    // of setHashes
  u32 hitLatency = 1;         // own clock's ticks from acceptance to response
  u32 missLatency = 1;        // own clock's ticks from acceptance until a miss can leave downwards: tag look-up
  u32 ports = 1;              // accesses a tick
  u32 banks = 1;              // interleaved by line; one access a bank and tick
  u32 mshrs = 32;             // outstanding lines (sectors of one line share an entry)
  u32 mergesPerMshr = 8;      // accesses that one entry can hold, the first included
  u32 inputQueue = 8;         // accesses waiting for a port
  u32 missQueue = 8;          // requests waiting to go below
  u32 fillBytesPerTick = 32;  // bandwidth of the fill port

  bool operator==(const Cache&) const = default;
};

}  // namespace warpwright::config
