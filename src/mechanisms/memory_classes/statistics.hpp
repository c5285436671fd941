// Classes of the vectors that warps load and store.
#pragma once

#include "stats/formula.hpp"
#include "stats/statistics.hpp"
#include "values/vector_class.hpp"

namespace warpwright::mechanisms::memory_classes {

struct ClassStats {
  u64 zero = 0, uniform = 0, affine = 0, generic = 0;

  u64 all() const { return zero + uniform + affine + generic; }
  u64 allAffine() const { return zero + uniform + affine; }
  void count(values::VectorClass c) {
    u64* const counters[] = {&zero, &uniform, &affine, &generic};
    ++*counters[static_cast<std::size_t>(c)];
  }

  static constexpr void fields(auto&& field) {
    using S = ClassStats;
    field("zero", "vectors", "all active lanes zero", &S::zero);
    field("uniform", "vectors", "all active lanes the same, not zero", &S::uniform);
    field("affine", "vectors", "base and power of two as stride, not uniform", &S::affine);
    field("generic", "vectors", "everything else", &S::generic);
  }
  bool operator==(const ClassStats&) const = default;
};

struct TrafficStats {
  ClassStats loads, stores;

  static constexpr void fields(auto&& field) {
    field("loads", "", "loads", &TrafficStats::loads);
    field("stores", "", "stores", &TrafficStats::stores);
  }
  bool operator==(const TrafficStats&) const = default;
};

struct MemoryClassStats {
  u64 instructions = 0;
  TrafficStats privateWords, sharedWords, globalWords;
  u64 privateStrided = 0, privateFloatAffine = 0, privateAffineFloats = 0;
  ClassStats private16, private8;
  u64 globalLines = 0;

  u64 privateAffine() const { return privateWords.loads.allAffine() + privateWords.stores.allAffine(); }
  u64 privateVectors() const { return privateWords.loads.all() + privateWords.stores.all(); }

  static constexpr void fields(auto&& field) {
    using S = MemoryClassStats;
    field("instructions", "warp instructions", "issued", &S::instructions);
    field("private", "", "words of private memory, of 32 lanes that access the same one", &S::privateWords);
    field("shared", "", "words of each warp-wide access to shared memory, in the order of the lanes", &S::sharedWords);
    field("global", "", "the same to global memory", &S::globalWords);
    field("private_strided", "vectors", "of private memory, generic but affine with a stride that is no power of two", &S::privateStrided);
    field("private_float_affine", "vectors", "of private memory, generic as words but affine as floating-point numbers",
          &S::privateFloatAffine);
    field("private_affine_floats", "vectors",
          "of private memory, affine ones (with uniform and zero ones) that hold floating-point numbers: what an instruction computes, or "
          "another one reads, as such",
          &S::privateAffineFloats);
    field("private16", "", "private memory in vectors of 16 lanes", &S::private16);
    field("private8", "", "private memory in vectors of 8 lanes", &S::private8);
    field("global_lines", "lines of 128 bytes", "touched by each warp-wide access to global memory", &S::globalLines);
  }
  static constexpr void figures(auto&& figure) {
    using S = MemoryClassStats;
    const auto share = [](const ClassStats& s) { return stats::ratio(s.allAffine(), s.all()); };
    figure("private_affine", "share", "of the vectors of private memory, affine ones, uniform and zero ones included",
           [](const S& s) { return stats::ratio(s.privateAffine(), s.privateVectors()); });
    figure("private_affine_floats", "share", "of the affine vectors of private memory, those that hold floating-point numbers",
           [](const S& s) { return stats::ratio(s.privateAffineFloats, s.privateAffine()); });
    figure("private_zero", "share", "of the vectors of private memory, zero",
           [](const S& s) { return stats::ratio(s.privateWords.loads.zero + s.privateWords.stores.zero, s.privateVectors()); });
    figure("private_uniform", "share", "of the vectors of private memory, uniform and not zero",
           [](const S& s) { return stats::ratio(s.privateWords.loads.uniform + s.privateWords.stores.uniform, s.privateVectors()); });
    figure("private16_affine", "share", "of the vectors of 16 lanes, affine", [share](const S& s) { return share(s.private16); });
    figure("private8_affine", "share", "of the vectors of 8 lanes, affine", [share](const S& s) { return share(s.private8); });
    figure("private_traffic", "vectors per warp instruction", "of private memory",
           [](const S& s) { return stats::ratio(s.privateVectors(), s.instructions); });
    figure("private_generic_traffic", "vectors per warp instruction", "of private memory, generic ones",
           [](const S& s) { return stats::ratio(s.privateWords.loads.generic + s.privateWords.stores.generic, s.instructions); });
    figure("global_traffic", "lines per warp instruction", "of global memory",
           [](const S& s) { return stats::ratio(s.globalLines, s.instructions); });
  }
  bool operator==(const MemoryClassStats&) const = default;
};

}  // namespace warpwright::mechanisms::memory_classes
