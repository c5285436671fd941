// Access patterns of loads, and how they hold.
#pragma once

#include "compiler/patterns/access_pattern.hpp"
#include "stats/formula.hpp"
#include "stats/statistics.hpp"

namespace warpwright::mechanisms::access_patterns {

// Loads by the bytes that each fetches at once.
struct SizeStats {
  u64 bytes32 = 0, bytes64 = 0, bytes128 = 0, bytes256 = 0, other = 0;

  u64 all() const { return bytes32 + bytes64 + bytes128 + bytes256 + other; }
  void count(u32 bytes) { ++(bytes == 32 ? bytes32 : bytes == 64 ? bytes64 : bytes == 128 ? bytes128 : bytes == 256 ? bytes256 : other); }

  static constexpr void fields(auto&& field) {
    using S = SizeStats;
    field("bytes_32", "loads", "of 32 bytes", &S::bytes32);
    field("bytes_64", "loads", "of 64 bytes", &S::bytes64);
    field("bytes_128", "loads", "of 128 bytes", &S::bytes128);
    field("bytes_256", "loads", "of 256 bytes", &S::bytes256);
    field("other", "loads", "of other sizes, where rows are not rounded", &S::other);
  }
  bool operator==(const SizeStats&) const = default;
};

// Loads by the reason why nothing is known of their addresses.
struct FailureStats {
  u64 loaded = 0, exchanged = 0, argument = 0, privateSpace = 0, operation = 0, step = 0, tooComplex = 0, wraps = 0, product = 0,
      composition = 0, versions = 0;

  u64 all() const {
    return loaded + exchanged + argument + privateSpace + operation + step + tooComplex + wraps + product + composition + versions;
  }
  void count(compiler::PatternFailure failure);

  static constexpr void fields(auto&& field) {
    using S = FailureStats;
    field("loaded", "loads", "depend on values that the program loads", &S::loaded);
    field("exchanged", "loads", "… on what lanes exchange, or on numbers that are no place in the grid", &S::exchanged);
    field("argument", "loads", "… on arguments of functions and results of calls", &S::argument);
    field("private", "loads", "by generic addresses of memory of the thread's own", &S::privateSpace);
    field("operation", "loads", "depend on operations that no skeleton has", &S::operation);
    field("step", "loads", "changed by loops otherwise than by one step", &S::step);
    field("too_complex", "loads", "made of more than the compiler keeps", &S::tooComplex);
    field("wraps", "loads", "made of integers that may overflow", &S::wraps);
    field("product", "loads", "products of indices", &S::product);
    field("composition", "loads", "indices, and bits of indices, of neither skeleton", &S::composition);
    field("versions", "loads", "depend on the path through the program", &S::versions);
  }
  bool operator==(const FailureStats&) const = default;
};

// Each load of a kernel's own code counts once, in the kernel's first launch; loads of functions that it calls do not.
struct AccessPatternStats {
  SizeStats literal, relaxed;
  FailureStats failures;
  u64 skewed = 0, stores = 0, failedStores = 0;
  u64 predicted = 0, unpredicted = 0, wrong = 0, apart = 0;

  static constexpr void fields(auto&& field) {
    using S = AccessPatternStats;
    field("literal", "", "by algorithm 6.1 as it stands", &S::literal);
    field("relaxed", "", "where blocks beside one another need not continue each other's rows", &S::relaxed);
    field("failures", "", "loads whose analysis fails", &S::failures);
    field("skewed", "loads", "of the second skeleton", &S::skewed);
    field("stores", "stores", "to global and private memory", &S::stores);
    field("failed_stores", "stores", "whose analysis fails", &S::failedStores);
    field("predicted", "accesses of lanes", "to global and private memory, of patterns that are known", &S::predicted);
    field("unpredicted", "accesses of lanes", "to global and private memory, of all others but atomics and spill code", &S::unpredicted);
    field("wrong", "accesses of lanes", "elsewhere than predicted: 0", &S::wrong);
    field("apart", "warp-wide accesses", "by lanes in different iterations of a loop that the address counts", &S::apart);
  }
  static constexpr void figures(auto&& figure) {
    using S = AccessPatternStats;
    figure("failed", "share", "of the loads, those whose analysis fails",
           [](const S& s) { return stats::ratio(s.failures.all(), s.literal.all()); });
    figure("literal_256", "share", "of the loads, those of 256 bytes by the algorithm as it stands",
           [](const S& s) { return stats::ratio(s.literal.bytes256, s.literal.all()); });
    figure("relaxed_256", "share", "of the loads, those of 256 bytes where blocks need not continue each other's rows",
           [](const S& s) { return stats::ratio(s.relaxed.bytes256, s.relaxed.all()); });
  }
  bool operator==(const AccessPatternStats&) const = default;
};

}  // namespace warpwright::mechanisms::access_patterns
