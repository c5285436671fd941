// What the tagged register file counts. Registers are warp-wide and 32 bits a lane; one that several operands of an instruction name is
// read once. Shares of "uniform" include zero, those of "affine" include uniform, as in the paper.
#pragma once

#include "isa/types.hpp"
#include "mechanisms/affine_tags/tag.hpp"
#include "stats/formula.hpp"
#include "stats/statistics.hpp"

namespace warpwright::mechanisms::affine_tags {

// By the class that the values show (values/vector_class.hpp); each register counts in one.
struct ClassStats {
  u64 zero = 0, uniform = 0, powerAffine = 0, otherAffine = 0;
  static constexpr void fields(auto&& field) {
    using C = ClassStats;
    field("zero", "registers", "all lanes 0", &C::zero);
    field("uniform", "registers", "all lanes the same, not 0", &C::uniform);
    field("affine", "registers", "not uniform; affine with a stride that is a power of two", &C::powerAffine);
    field("affine_other", "registers", "affine with another stride", &C::otherAffine);
  }
  u64 allUniform() const { return zero + uniform; }
  u64 allAffine() const { return allUniform() + powerAffine + otherAffine; }
};

// Registers that are affine over all lanes and whose tag does not say so, by what lost it first.
struct MissStats {
  u64 partialWrite = 0, multiplication = 0, division = 0, load = 0, logic = 0, conversion = 0, overflow = 0, other = 0;
  static constexpr void fields(auto&& field) {
    using M = MissStats;
    field("partial_write", "registers", "a partial write", &M::partialWrite);
    field("multiplication", "registers", "a multiplication", &M::multiplication);
    field("division", "registers", "a division, a remainder, a root or a transcendental function", &M::division);
    field("load", "registers", "a load, an atomic or a texture", &M::load);
    field("logic", "registers", "a shift to the right, a bit operation, a minimum or a change of sign", &M::logic);
    field("conversion", "registers", "a conversion to or from floating point, or arithmetic there", &M::conversion);
    field("overflow", "registers", "an overflow of an affine value", &M::overflow);
    field("other", "registers", "sums of affine values, operations among lanes, numbers of threads in blocks of several rows a warp",
          &M::other);
  }
  void add(Loss loss, u64 times) {
    constexpr u64 MissStats::*kMembers[kLosses] = {&MissStats::partialWrite, &MissStats::multiplication, &MissStats::division,
                                                   &MissStats::load,         &MissStats::logic,          &MissStats::conversion,
                                                   &MissStats::overflow,     &MissStats::other};
    this->*kMembers[static_cast<u32>(loss)] += times;
  }
  u64 total() const { return partialWrite + multiplication + division + load + logic + conversion + overflow + other; }
};

struct OperandStats {
  u64 total = 0;
  ClassStats all, masked;
  u64 highWords = 0, uniformHighWords = 0;
  u64 taggedUniform = 0, taggedAffine = 0, unsound = 0;
  MissStats missed;
  u64 lanes = 0, lanesMoved = 0;

  static constexpr void fields(auto&& field) {
    using O = OperandStats;
    field("total", "registers", "registers", &O::total);
    field("all", "", "values of all lanes that have a thread, whether active or not", &O::all);
    field("masked", "", "values of the lanes that execute", &O::masked);
    field("high_words", "registers", "high words of 64-bit integers", &O::highWords);
    field("high_words_uniform", "registers", "… that are uniform over all lanes", &O::uniformHighWords);
    field("tagged_uniform", "registers", "with the tag uniform", &O::taggedUniform);
    field("tagged_affine", "registers", "with the tag affine", &O::taggedAffine);
    field("unsound", "registers", "whose values do not keep what the tag promises; always 0", &O::unsound);
    field("missed", "", "affine over all lanes, but with the tag generic, by the cause", &O::missed);
    field("lanes", "lanes", "lanes moved without tags", &O::lanes);
    field("lanes_moved", "lanes", "lanes moved with tags: one of a uniform register, two of an affine one", &O::lanesMoved);
  }
  u64 tagged() const { return taggedUniform + taggedAffine; }
};

struct OperationStats {
  u64 operations = 0, uniform = 0, affine = 0, overflows = 0, conversions = 0, expansions = 0, lanes = 0, lanesClocked = 0;
  static constexpr void fields(auto&& field) {
    using O = OperationStats;
    field("operations", "instructions", "operations of functional units on lanes", &O::operations);
    field("uniform", "instructions", "on uniform values: one lane suffices", &O::uniform);
    field("affine", "instructions", "on affine values: two lanes suffice", &O::affine);
    field("overflows", "instructions", "issued again as vector operations, because an affine value overflowed", &O::overflows);
    field("conversions", "registers", "affine operands that had to be converted for a vector operation", &O::conversions);
    field("expansions", "registers", "uniform or affine registers that had to be converted before a partial write", &O::expansions);
    field("lanes", "lanes", "lanes clocked without tags", &O::lanes);
    field("lanes_clocked", "lanes", "lanes clocked with tags", &O::lanesClocked);
  }
};

// Of the instructions of one unit. Affine includes uniform.
struct UnitOperandStats {
  u64 total = 0, uniform = 0, affine = 0, maskedUniform = 0, maskedAffine = 0;
  static constexpr void fields(auto&& field) {
    using U = UnitOperandStats;
    field("total", "registers", "registers", &U::total);
    field("uniform", "registers", "uniform over all lanes that have a thread", &U::uniform);
    field("affine", "registers", "affine over all of these lanes, uniform included", &U::affine);
    field("masked_uniform", "registers", "uniform in the lanes that execute", &U::maskedUniform);
    field("masked_affine", "registers", "affine in the lanes that execute, uniform included", &U::maskedAffine);
  }
};

struct UnitStats {
  UnitOperandStats reads, writes;
  static constexpr void fields(auto&& field) {
    field("reads", "", "registers read", &UnitStats::reads);
    field("writes", "", "registers written", &UnitStats::writes);
  }
};

struct UnitsStats {
  UnitStats integer, fp32, fp64, sfu, loadStore, branch, warp, control, tensor;
  static constexpr void fields(auto&& field) {
    using U = UnitsStats;
    field("integer", "", "integer and logic", &U::integer);
    field("fp32", "", "single precision", &U::fp32);
    field("fp64", "", "double precision", &U::fp64);
    field("sfu", "", "special functions", &U::sfu);
    field("load_store", "", "loads, stores, atomics, textures", &U::loadStore);
    field("branch", "", "branches and calls", &U::branch);
    field("warp", "", "operations among lanes", &U::warp);
    field("control", "", "barriers and other control", &U::control);
    field("tensor", "", "matrix multiplication", &U::tensor);
  }
  UnitStats& of(isa::Unit unit) {
    constexpr UnitStats UnitsStats::*kMembers[] = {&UnitsStats::integer, &UnitsStats::fp32,      &UnitsStats::fp64,
                                                   &UnitsStats::sfu,     &UnitsStats::loadStore, &UnitsStats::branch,
                                                   &UnitsStats::warp,    &UnitsStats::control,   &UnitsStats::tensor};
    return this->*kMembers[static_cast<u32>(unit)];
  }
};

struct AffineTagStats {
  OperandStats reads, writes;
  OperationStats operations;
  UnitsStats units;

  static constexpr void fields(auto&& field) {
    using A = AffineTagStats;
    field("reads", "", "registers read", &A::reads);
    field("writes", "", "registers written", &A::writes);
    field("operations", "", "operations of functional units", &A::operations);
    field("units", "", "by the unit of the instruction", &A::units);
  }
  static constexpr void figures(auto&& figure) {
    using A = AffineTagStats;
    using stats::ratio;
    figure("uniform_reads", "of reads", "uniform over all lanes",
           [](const A& a) { return ratio(a.reads.all.allUniform(), a.reads.total); });
    figure("affine_reads", "of reads", "affine over all lanes", [](const A& a) { return ratio(a.reads.all.allAffine(), a.reads.total); });
    figure("uniform_writes", "of writes", "uniform over all lanes",
           [](const A& a) { return ratio(a.writes.all.allUniform(), a.writes.total); });
    figure("affine_writes", "of writes", "affine over all lanes",
           [](const A& a) { return ratio(a.writes.all.allAffine(), a.writes.total); });
    figure("masked_uniform_reads", "of reads", "uniform in the lanes that execute",
           [](const A& a) { return ratio(a.reads.masked.allUniform(), a.reads.total); });
    figure("masked_affine_reads", "of reads", "affine in the lanes that execute",
           [](const A& a) { return ratio(a.reads.masked.allAffine(), a.reads.total); });
    figure("masked_uniform_writes", "of writes", "uniform in the lanes that are written",
           [](const A& a) { return ratio(a.writes.masked.allUniform(), a.writes.total); });
    figure("masked_affine_writes", "of writes", "affine in the lanes that are written",
           [](const A& a) { return ratio(a.writes.masked.allAffine(), a.writes.total); });
    figure("uniform_reads_captured", "of reads", "tagged uniform", [](const A& a) { return ratio(a.reads.taggedUniform, a.reads.total); });
    figure("affine_reads_captured", "of reads", "tagged affine or uniform",
           [](const A& a) { return ratio(a.reads.tagged(), a.reads.total); });
    figure("uniform_writes_captured", "of writes", "tagged uniform",
           [](const A& a) { return ratio(a.writes.taggedUniform, a.writes.total); });
    figure("affine_writes_captured", "of writes", "tagged affine or uniform",
           [](const A& a) { return ratio(a.writes.tagged(), a.writes.total); });
    figure("scalar_operations", "of operations", "that need one or two lanes",
           [](const A& a) { return ratio(a.operations.uniform + a.operations.affine, a.operations.operations); });
    figure("lanes_read_saved", "of lanes", "not read", [](const A& a) { return ratio(a.reads.lanes - a.reads.lanesMoved, a.reads.lanes); });
    figure("lanes_written_saved", "of lanes", "not written",
           [](const A& a) { return ratio(a.writes.lanes - a.writes.lanesMoved, a.writes.lanes); });
    figure("lanes_clocked_saved", "of lanes", "not clocked",
           [](const A& a) { return ratio(a.operations.lanes - a.operations.lanesClocked, a.operations.lanes); });
  }
};

// What the timed machine saves, and pays.
struct TimedTagStats {
  u64 tagsRead = 0, tagsWritten = 0;
  u64 shortened = 0, cyclesSaved = 0, bankReadsSaved = 0, bankWritesSaved = 0, scalar = 0, issuedAgain = 0;
  static constexpr void fields(auto&& field) {
    using T = TimedTagStats;
    field("tags_read", "registers", "that instructions name as operands", &T::tagsRead);
    field("tags_written", "registers", "that instructions name as results", &T::tagsWritten);
    field("shortened", "instructions", "that occupied their pipe as one or two lanes do", &T::shortened);
    field("cycles_saved", "cycles", "of pipes, not occupied", &T::cyclesSaved);
    field("bank_reads_saved", "registers", "not read from the register banks", &T::bankReadsSaved);
    field("bank_writes_saved", "registers", "not written to the register banks", &T::bankWritesSaved);
    field("scalar", "instructions", "executed by the scalar pipe", &T::scalar);
    field("issued_again", "instructions", "issued again: overflows, and conversions if the SIMD units make them", &T::issuedAgain);
  }
};

}  // namespace warpwright::mechanisms::affine_tags
