// The vector MSHRs of an SM with elastic granularity and deferred reservation, without time (Gou, "Customizable Memory Schemes for Data
// Parallel Accelerators", section 6.4 and figure 6.5b).
//
// An MSHR (PMSHR) has a tag, data for one normal block, and entries for loads that wait for the block (SMSHRs). A load that no load in
// flight covers is primary: its MSHR fires a request, for its block or for the hyper block of two, four or eight blocks around it, aligned
// to its size. A hyper block takes data for the primary's block alone; a load of another of its blocks reserves an MSHR for that when it
// comes, and fires nothing. What is not reserved when the packet comes is dropped, and covers nothing from then on: the next load of it is
// primary again.
#pragma once

#include <array>
#include <vector>

#include "base/bit_set.hpp"
#include "mem/request.hpp"

namespace warpwright::mechanisms::elastic_mshr {

struct Geometry {
  u32 entries = 64;     // at most 64
  u32 secondaries = 2;  // loads that wait in an MSHR, the primary itself included
  u32 ways = 64;        // MSHRs of a set: a divisor of `entries`
};

// What becomes of a load, and why it has to wait.
enum class Outcome : u8 { primary, secondary, reservation, noEntry, noSecondary };

class Mshrs {
 public:
  static constexpr u32 kMostEntries = 64, kNone = ~u32{0};

  struct Entry {
    u64 block = 0;       // number of the block, the tag
    u32 packet = kNone;  // the MSHR whose request brings it; its own number: it has fired one
    u32 hyper = 1;       // blocks of that request: the hyper block size
    u32 loads = 0;       // SMSHRs in use
    u32 stored = 0;      // bit b: block b of the request has been stored to since
    mem::SectorBytes used{};
  };
  struct Verdict {
    Outcome outcome = Outcome::noEntry;
    u32 entry = kNone;            // that takes the load
    u32 packet = kNone;           // a reservation's: the MSHR whose request brings the block
    bool isFalsePrimary = false;  // a primary's: a hyper block in flight covers it from another set
  };
  // A load that waits. The number of an SMSHR is that of its MSHR, times the SMSHRs of an MSHR, and its index there.
  struct Load {
    mem::Request request;
    Cycle accepted{};
  };
  struct Arrival {
    u32 kept = 0, dropped = 0, duplicate = 0;  // blocks of the packet; duplicate: their MSHR waits for a packet of its own
    u32 bytesTouched = 0;                      // of those kept
  };

  explicit Mshrs(const Geometry& geometry);

  // Changes nothing.
  Verdict find(u64 block) const;
  // As find() has said, of a load of `bytes` of the block; gives its SMSHR. hyper: what a primary asks for, in blocks: 1, 2, 4 or 8.
  u32 add(const Verdict& verdict, u64 block, u32 hyper, const mem::SectorBytes& bytes, const Load& load);
  // A load has joined a request that was fired before a store to its block.
  bool isOvertaken(const Verdict& verdict, u64 block) const;
  void noteStore(u64 block);
  // With the hyper block of so many blocks around this one, a request in flight that a load of the instruction has fired makes up one of
  // twice the size.
  bool hasNeighbour(u64 block, u32 hyper, Pc pc) const;

  // The first block of the request that the primary in this MSHR has fired, and how many it is for.
  u64 firstBlock(u32 entry) const { return entries_[entry].block & ~u64{entries_[entry].hyper - 1}; }

  // The packet of the request that this MSHR fired: `serve` gets the SMSHR of each load that waits for a block of it, those of the primary
  // first. They stay until release().
  template <class Serve>
  Arrival arrived(u32 entry, Serve serve) {
    Arrival arrival = serveBlock(entry, serve);
    for (const u32 other : tagged_) {
      if (entries_[other].packet == entry) merge(arrival, serveBlock(other, serve));
      if (entries_[other].packet != entry && covers(entry, entries_[other].block)) ++arrival.duplicate;
    }
    hyper_.erase(entry);
    arrival.dropped = entries_[entry].hyper - arrival.kept - arrival.duplicate;
    return arrival;
  }
  Load& load(u32 secondary) { return loads_[secondary]; }
  const Load& load(u32 secondary) const { return loads_[secondary]; }
  // The load has its data; its MSHR is free when it was the last.
  void release(u32 secondary);

  // Of an MSHR that is not free.
  const Entry& operator[](u32 entry) const { return entries_[entry]; }
  bool isFree(u32 entry) const { return free_.contains(entry); }
  // For data.
  bool isWaiting(u32 entry) const { return tagged_.contains(entry); }
  u32 used() const { return entryCount_ - free_.size(); }

 private:
  using Set = BitSet<Mshrs>;
  Set setOf(u64 block) const { return Set::range(static_cast<u32>(block & setMask_) * ways_, ways_); }
  bool covers(u32 entry, u64 block) const { return (block & ~u64{entries_[entry].hyper - 1}) == firstBlock(entry); }
  static void merge(Arrival& into, const Arrival& from) {
    into.kept += from.kept;
    into.bytesTouched += from.bytesTouched;
  }
  static u32 countBytes(const mem::SectorBytes& bytes);

  template <class Serve>
  Arrival serveBlock(u32 number, Serve& serve) {
    const u32 loads = entries_[number].loads;  // serve() may release some
    tagged_.erase(number);
    for (u32 index = 0; index < loads; ++index) serve(number * secondaries_ + index);
    return {.kept = 1, .bytesTouched = countBytes(entries_[number].used)};
  }

  u32 entryCount_, secondaries_, ways_;
  u64 setMask_;
  Set free_;
  Set tagged_;  // wait for data
  Set hyper_;   // of them, have fired a request for a hyper block
  std::array<Entry, kMostEntries> entries_{};
  std::vector<Load> loads_;  // by SMSHR
};

}  // namespace warpwright::mechanisms::elastic_mshr
