// The counters of a kernel and of a source line. docs/profile.md defines each; the text here is its short form.
#pragma once

#include "profile/instruction_class.hpp"
#include "stats/enum_vector.hpp"
#include "stats/histogram.hpp"
#include "stats/statistics.hpp"

namespace warpwright::profile {

enum class AccessKind : u8 { load, store, atomic };
inline constexpr std::size_t kAccessKinds = 3;

// The same counters for loads, stores and atomics.
template <class T>
struct ByKind {
  T loads, stores, atomics;

  T& operator[](AccessKind kind) { return kind == AccessKind::load ? loads : kind == AccessKind::store ? stores : atomics; }
  const T& operator[](AccessKind kind) const { return const_cast<ByKind&>(*this)[kind]; }
  T total() const {
    T sum = loads;
    stats::merge(sum, stores);
    stats::merge(sum, atomics);
    return sum;
  }
  static constexpr void fields(auto&& field) {
    field("loads", "", "loads", &ByKind::loads);
    field("stores", "", "stores", &ByKind::stores);
    field("atomics", "", "atomics and reductions", &ByKind::atomics);
  }
};

// Global or local memory.
struct Traffic {
  u64 requests = 0, lanes = 0, bytesAsked = 0, bytesUsed = 0, sectors = 0, idealSectors = 0, lines = 0;

  u64 sectorBytes() const { return sectors * 32; }
  u64 lineBytes() const { return lines * 128; }
  static constexpr void fields(auto&& field) {
    field("requests", "requests", "warp-wide accesses", &Traffic::requests);
    field("lanes", "lanes", "lanes that take part", &Traffic::lanes);
    field("bytes_asked", "bytes", "sum over lanes of the width of the access", &Traffic::bytesAsked);
    field("bytes_used", "bytes", "distinct bytes of each request", &Traffic::bytesUsed);
    field("sectors", "sectors", "distinct 32 B sectors of each request", &Traffic::sectors);
    field("ideal_sectors", "sectors", "sectors if the bytes used lay side by side", &Traffic::idealSectors);
    field("lines", "lines", "distinct 128 B lines of each request", &Traffic::lines);
  }
};

// Shared memory.
struct BankTraffic {
  u64 requests = 0, lanes = 0, bytesAsked = 0, phases = 0, passes = 0, words = 0;
  stats::Histogram<stats::Linear, kMaxWarpSize + 1> degree;

  static constexpr void fields(auto&& field) {
    field("requests", "requests", "warp-wide accesses", &BankTraffic::requests);
    field("lanes", "lanes", "lanes that take part", &BankTraffic::lanes);
    field("bytes_asked", "bytes", "sum over lanes of the width of the access", &BankTraffic::bytesAsked);
    field("phases", "phases", "groups of lanes served together", &BankTraffic::phases);
    field("passes", "passes", "passes over the banks", &BankTraffic::passes);
    field("words", "words", "that the banks read or wrote, all of each line of the bank map", &BankTraffic::words);
    field("degree", "passes per phase", "bank conflict degree", &BankTraffic::degree);
  }
};

struct AtomicTraffic {
  u64 requests = 0, lanes = 0, steps = 0;
  stats::Histogram<stats::Linear, kMaxWarpSize + 1> degree;

  static constexpr void fields(auto&& field) {
    field("requests", "requests", "warp-wide atomics in any space", &AtomicTraffic::requests);
    field("lanes", "lanes", "lanes that take part", &AtomicTraffic::lanes);
    field("steps", "steps", "sum over requests of the most lanes that meet at one address", &AtomicTraffic::steps);
    field("degree", "lanes per address", "most lanes that meet at one address", &AtomicTraffic::degree);
  }
};

// Accesses that are only counted: constant and parameter space.
struct PlainTraffic {
  u64 requests = 0, lanes = 0, bytesAsked = 0;

  static constexpr void fields(auto&& field) {
    field("requests", "requests", "warp-wide accesses", &PlainTraffic::requests);
    field("lanes", "lanes", "lanes that take part", &PlainTraffic::lanes);
    field("bytes_asked", "bytes", "sum over lanes of the width of the access", &PlainTraffic::bytesAsked);
  }
};

// Textures and surfaces. Their texels lie in global memory but go a way of their own: they are no part of the global traffic.
struct TexelTraffic {
  u64 requests = 0, lanes = 0, texels = 0, bytesAsked = 0, sectors = 0, lines = 0;

  static constexpr void fields(auto&& field) {
    field("requests", "requests", "warp-wide reads or writes", &TexelTraffic::requests);
    field("lanes", "lanes", "lanes that take part", &TexelTraffic::lanes);
    field("texels", "texels", "texels that filters and stores touch", &TexelTraffic::texels);
    field("bytes_asked", "bytes", "sum of their sizes", &TexelTraffic::bytesAsked);
    field("sectors", "sectors", "distinct 32 B sectors of each request", &TexelTraffic::sectors);
    field("lines", "lines", "distinct 128 B lines of each request", &TexelTraffic::lines);
  }
};

struct RegisterTraffic {
  u64 warpReads = 0, warpWrites = 0, threadReads = 0, threadWrites = 0, predicateReads = 0, predicateWrites = 0;

  static constexpr void fields(auto&& field) {
    using R = RegisterTraffic;
    field("warp_reads", "vector registers", "32-bit registers read, once a warp instruction", &R::warpReads);
    field("warp_writes", "vector registers", "32-bit registers written, once a warp instruction", &R::warpWrites);
    field("thread_reads", "registers", "32-bit registers read by executing lanes", &R::threadReads);
    field("thread_writes", "registers", "32-bit registers written by executing lanes", &R::threadWrites);
    field("predicate_reads", "predicates", "predicates read, once a warp instruction", &R::predicateReads);
    field("predicate_writes", "predicates", "predicates written, once a warp instruction", &R::predicateWrites);
  }
};

// Accesses to spill slots: loads and stores that the program does not ask for. They are a part of the local memory's traffic.
struct SpillTraffic {
  u64 warpLoads = 0, warpStores = 0, threadLoads = 0, threadStores = 0;

  static constexpr void fields(auto&& field) {
    field("warp_loads", "warp instructions", "reloads from spill slots", &SpillTraffic::warpLoads);
    field("warp_stores", "warp instructions", "stores to spill slots", &SpillTraffic::warpStores);
    field("thread_loads", "thread instructions", "… by executing lanes", &SpillTraffic::threadLoads);
    field("thread_stores", "thread instructions", "… by executing lanes", &SpillTraffic::threadStores);
  }
};

struct BranchCounts {
  u64 branches = 0, divergent = 0;

  static constexpr void fields(auto&& field) {
    field("branches", "warp instructions", "branches executed", &BranchCounts::branches);
    field("divergent", "warp instructions", "branches whose lanes go to several places", &BranchCounts::divergent);
  }
};

struct Counters {
  stats::EnumVector<InstructionClass, kInstructionClasses> warpInstructions, threadInstructions;
  u64 activeLanes = 0;
  BranchCounts control;
  ByKind<Traffic> global, local;
  ByKind<BankTraffic> shared;
  AtomicTraffic atomics;
  PlainTraffic constant, parameters;
  TexelTraffic textures, surfaces;
  RegisterTraffic registers;
  SpillTraffic spills;

  static constexpr void fields(auto&& field) {
    field("warp_instructions", "warp instructions", "issued, by class", &Counters::warpInstructions);
    field("thread_instructions", "thread instructions", "executed, by class", &Counters::threadInstructions);
    field("active_lanes", "lanes", "sum of active lanes, before predication", &Counters::activeLanes);
    field("control", "", "branches", &Counters::control);
    field("global", "", "global memory", &Counters::global);
    field("local", "", "local memory", &Counters::local);
    field("shared", "", "shared memory", &Counters::shared);
    field("atomics", "", "contention of atomics", &Counters::atomics);
    field("constant", "", "constant memory", &Counters::constant);
    field("parameters", "", "parameter space", &Counters::parameters);
    field("textures", "", "texture fetches", &Counters::textures);
    field("surfaces", "", "surface accesses", &Counters::surfaces);
    field("registers", "", "register file", &Counters::registers);
    field("spills", "", "register spills", &Counters::spills);
  }
};

// Distinct global memory that a launch touches, summed over launches.
struct FootprintCounters {
  u64 sectors = 0, sectorsLoaded = 0, sectorsStored = 0, lines = 0, requests = 0;
  stats::Histogram<stats::PowersOfTwo, 18> reuse;

  static constexpr void fields(auto&& field) {
    using F = FootprintCounters;
    field("sectors", "sectors", "distinct 32 B sectors of a launch", &F::sectors);
    field("sectors_loaded", "sectors", "… that are loaded", &F::sectorsLoaded);
    field("sectors_stored", "sectors", "… that are stored to", &F::sectorsStored);
    field("lines", "lines", "distinct 128 B lines of a launch", &F::lines);
    field("requests", "sectors", "sectors that all requests ask for", &F::requests);
    field("reuse", "requests per sector", "how often a sector is asked for in its launch", &F::reuse);
  }
};

}  // namespace warpwright::profile
