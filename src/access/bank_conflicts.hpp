// How many passes over the banks a warp-wide access to shared memory takes.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "access/like_accesses.hpp"
#include "access/mapped_banks.hpp"
#include "base/spread.hpp"
#include "base/types.hpp"

namespace warpwright::access {

// What decides how an access spreads over the banks of shared memory.
struct Geometry {
  u32 warpSize = 32;
  u32 sharedBanks = 32;
  u32 sharedBankBytes = 4;
  // Several words may be broadcast in a pass, each to all lanes that need it. Otherwise one: see BankConflicts.
  bool multicast = true;
  u32 lanesTogether = kMaxWarpSize;  // at most, because no more reach the banks in a cycle
  // A load whose lanes ask for one address in pairs, n and n^1 or n and n^2, is served in phases of twice as many lanes.
  bool pairsTogether = false;
};

// A warp access is served in phases: groups of neighbouring lanes whose data fills all banks once. With 32 banks of 4 B those are the
// whole warp for up to 4 B a lane, half-warps for 8 B and quarter-warps for 16 B (CUDA C Programming Guide, compute capability 2.x and
// 5.x); with 16 banks half-warps for 4 B (1.x). The degree of a phase is the largest number of distinct words that it needs
// from one bank; a word that several lanes ask for counts once. The access takes as many passes as the degrees sum up to (Gou,
// "Customizable Memory Schemes for Data Parallel Accelerators", equation 5.6).
//
// With pairsTogether a wide load takes half the phases when every active lane n asks for what lane n^1 asks for, if that is active, or
// every one for what n^2 does: what goes back to the registers is packed, 64 or 128 bits for a pair in one transfer (NVIDIA's answer
// "Unexpected shared memory bank conflict", developer forum, thread 77228, for compute capability 7.0 to 7.5).
//
// Without multicast (compute capability 1.x, section "Shared Memory" of that guide) a pass broadcasts one word to all lanes that need it,
// and every other bank serves one lane. The guide leaves the choice of the word and the lanes open; here the lowest lane that is left
// chooses the word, and the lowest lane of a bank goes first. The degree is the number of such passes.
class BankConflicts {
 public:
  explicit BankConflicts(Geometry geometry);

  // Offsets in shared memory, one a lane; `bytes` a lane. Phases without active lanes are skipped. `table`: the banks of words where they
  // are not interleaved, with all words of shared memory.
  void access(const u64* offsets, LaneMask mask, u32 bytes, Spread spread = Spread::unknown,
              const parallel_memory::BankTable* table = nullptr);
  // The same for loads, whose pairs of lanes may be served together.
  void load(const u64* offsets, LaneMask mask, u32 bytes, Spread spread = Spread::unknown,
            const parallel_memory::BankTable* table = nullptr);
  // The same for atomics: a word is served once for each lane that updates it, one lane after the other.
  void atomic(const u64* offsets, LaneMask mask, u32 bytes, const parallel_memory::BankTable* table = nullptr);

  u32 phases() const { return served_.phases; }
  u32 passes() const { return served_.passes; }
  // Words that the banks read or wrote, all of each line: with wide lines more than the lanes asked for.
  u32 words() const { return served_.words; }
  u32 degree(u32 phase) const { return served_.phase[phase].degree; }
  u32 firstLane(u32 phase) const { return served_.phase[phase].firstLane; }

 private:
  static constexpr u32 kMaxBanks = 64;
  static constexpr u32 kMaxWords = 256;  // of a phase: at most 64 lanes with two or 64 banks with two, and a lane's rest
  static constexpr u32 kMaxPhases = kMaxWarpSize;

  struct Served {
    struct Phase {
      u32 firstLane, degree;
    };
    u32 phases = 0, passes = 0, words = 0;
    std::array<Phase, kMaxPhases> phase{};
    void take(const Served& other) {  // no more than there is of it
      phases = other.phases;
      passes = other.passes;
      words = other.words;
      std::copy_n(other.phase.begin(), phases, phase.begin());
    }
  };
  void servedAlike(const u64* offsets, LaneMask mask, u32 bytes, Spread spread, const parallel_memory::BankTable* table, bool isLoad);
  bool mayRemember(LaneMask mask, Spread spread, const parallel_memory::BankTable* table) const;
  void serve(const u64* offsets, LaneMask mask, u32 bytes, Spread spread, const parallel_memory::BankTable* table);
  // What of an access decides, with the distances of its lanes.
  u64 keyOf(const u64* offsets, u32 bytes, bool isLoad) const {
    return (offsets[0] & ((u64{1} << bankShift_) - 1)) << 32 | u64{bytes} << 1 | u64{isLoad};
  }
  template <class PassesOf>
  void servePhases(LaneMask mask, u32 bytes, PassesOf passesOf);
  bool asksInPairs(const u64* offsets, LaneMask mask, u32 bytes, Spread spread) const;
  bool isConflictFree(const u64* offsets, LaneMask mask, u32 bytes, Spread spread) const;
  u32 wordsOfRun(const u64* offsets, LaneMask lanes, u32 bytes) const;
  std::span<u64> wordsOf(const u64* offsets, LaneMask lanes, u32 bytes);
  u32 degreeOf(std::span<const u64> words);
  std::optional<u32> degreeOfNear(std::span<const u64> words);
  u32 updatesOfOneBank(std::span<const u64> words);
  u32 passesWithOneBroadcast(std::span<u64> words);
  void record(u32 firstLane, u32 degree);
  u64 bankBit(u64 word) const { return u64{1} << (word & (banks_ - 1)); }

  u32 warpSize_, banks_;
  u32 bankShift_, bankBits_;  // log2 of the width of a bank, and of their number
  u32 lanesTogether_;
  bool multicast_, pairsTogether_;
  u32 lanesForOne_ = 1;  // that ask for one address and count as one in the size of a phase
  struct Word {          // that lanes need
    u64 number = 0;
    u32 before = 0;  // index of the one before in its bank
  };
  std::array<Word, kMaxWords> known_{};
  LikeAccesses<Served, 4> like_;
  std::array<u64, kMaxWords> wanted_{};  // words of lanes
  MappedBanks mapped_;
  Served served_;
};

}  // namespace warpwright::access
