// [sm.pipes] and [sm.operations].
#include "config/fields/rows.hpp"

namespace warpwright::config {

Rows<Pipes> pipesRows() {
  static constexpr std::array kRows = {
      row<&Pipes::count>("count", "pipes", {0, 64}, "how many an SM has"),
      row<&Pipes::width>("width", "lanes", {1, 64, true}, "lanes of one; a warp takes warp_size / width cycles to enter, at least one"),
  };
  return kRows;
}

std::span<const Part<Pipes>> pipesParts() {
  static constexpr std::array<Part<Pipes>, 6> kParts = {{
      {"integer",
       "Integer, logic, comparison and move pipes. Default: 2 x 32; a GTX480 uses its fp32 pipes, and its two schedulers issue no more "
       "than two instructions anyway",
       &Sm::integer},
      {"fp32", "Single- and half-precision pipes. Default: 2 x 32 (GTX480: two groups of 16 cores at twice the core clock)", &Sm::fp32},
      {"fp64", "Double-precision pipes. Default: 1 x 32; the intervals of the GTX480 configuration give the throughput", &Sm::fp64},
      {"sfu", "Special-function pipes. Default: 1 x 8 (GTX480: four units at twice the core clock)", &Sm::sfu},
      {"load_store", "Load/store pipes. Default: 1 x 32 (GTX480: 16 units at twice the core clock)", &Sm::loadStore},
      {"tensor", "Matrix pipes; 0 where there are none. Default: 0 x 32 (GTX480)", &Sm::tensor},
  }};
  return kParts;
}

Rows<LatencyOf> latencyRows() {
  static constexpr std::array kRows = {
      row<&LatencyOf::latency>(
          "latency", "cycles", {1, 10'000},
          "from issue to that of an instruction that needs the result, as a chain of dependent instructions measures it"),
      row<&LatencyOf::interval>("interval", "cycles", {1, 10'000},
                                "between two instructions in one pipe, where it is more than entering takes"),
      row<&LatencyOf::issues>("issues", "cycles", {1, 1'000},
                              "for which its scheduler issues nothing else: more than 1 where a GPU has no such instruction and its "
                              "assembler writes several"),
  };
  return kRows;
}

Rows<LatencyOf> finerLatencyRows() {
  static constexpr std::array kRows = {
      row<&LatencyOf::latency>("latency", "cycles", {0, 10'000}, "as of the others; 0: that of the class"),
      row<&LatencyOf::interval>("interval", "cycles", {0, 10'000}, "as of the others; 0: that of the class"),
      row<&LatencyOf::issues>("issues", "cycles", {1, 1'000}, "as of the others; that of the class where latency is 0"),
  };
  return kRows;
}

std::span<const Part<LatencyOf>> operationParts() {
  static constexpr std::array<Part<LatencyOf>, 13> kParts = {{
      {"simple", "Integer addition, logic, shifts, comparisons, moves. Default: 9, 1 (GTX480)", &Sm::simple},
      {"multiply", "Integer multiplication and multiply-add. Default: 11, 2 (GTX480)", &Sm::multiply},
      {"divide", "Integer division. Default: 151, 8 (GTX480)", &Sm::divide},
      {"fma32", "Single- and half-precision addition, multiplication, multiply-add. Default: 9, 1 (GTX480)", &Sm::fma32},
      {"divide32", "Single-precision division and square root. Default: 45, 4 (GTX480)", &Sm::divide32},
      {"fma64", "Double-precision addition, multiplication, multiply-add. Default: 14, 8 (GTX480)", &Sm::fma64},
      {"divide64", "Double-precision division and square root. Default: 336, 130 (GTX480)", &Sm::divide64},
      {"special", "Reciprocals, roots, sine, cosine, powers of two. Default: 14, 8 (GTX480)", &Sm::special},
      {"convert", "Conversions. Default: 9, 1, as simple ones (GTX480)", &Sm::convert},
      {"shuffle", "Exchanges and votes of a warp. Default: 38, 4 (GTX480)", &Sm::shuffle},
      {"branch",
       "Branches; their latency is that from issue until the warp may fetch again. Default: 2, 1, the target is known one cycle after "
       "dispatch",
       &Sm::branch},
      {"matrix", "Matrix multiply-accumulate. Default: 69, 64, GPGPU-Sim's QV100", &Sm::matrix},
      {"group_matrix",
       "Matrix product of a warp group (wgmma) with eight columns; a wider one takes an interval for every eight. Default: 69, 64, as "
       "matrix",
       &Sm::groupMatrix},
  }};
  return kParts;
}

std::span<const Part<LatencyOf>> finerOperationParts() {
  static constexpr std::array<Part<LatencyOf>, 10> kParts = {{
      {"add64", "Of simple: 64-bit addition, subtraction. Default: 0, 0", &Sm::add64},
      {"shift", "Of simple: shifts, permutation of bytes. Default: 0, 0", &Sm::shift},
      {"count", "Of special: counting, finding and reversing bits. Default: 0, 0", &Sm::count},
      {"add32", "Of fma32: single-precision addition. Default: 0, 0", &Sm::add32},
      {"fma16", "Of fma32: all of half precision. Default: 0, 0", &Sm::fma16},
      {"convert_integer",
       "Of convert: 32-bit integers to single precision; where they are told apart, they have the integer pipes. Default: 0, 0",
       &Sm::convertInteger},
      {"vote", "Of shuffle: votes. Default: 0, 0", &Sm::vote},
      {"reduce", "Of shuffle: reductions. Default: 0, 0", &Sm::reduce},
      {"matrix_integer", "Of matrix: of integers and bits. Default: 0, 0", &Sm::matrixInteger},
      {"matrix64", "Of matrix: in double precision. Default: 0, 0", &Sm::matrix64},
  }};
  return kParts;
}

}  // namespace warpwright::config
