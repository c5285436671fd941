// A machine instruction. The compiler produces it (first with virtual registers, then with real ones), the engine and the
// oracle execute it, the disassembler prints it.
#pragma once

#include <array>
#include <string_view>

#include "base/types.hpp"
#include "isa/matrix.hpp"
#include "isa/opcode_info.hpp"
#include "isa/types.hpp"

namespace warpwright::isa {

// Machine predicates: 0 … kPredicates-1 are writable, kTruePredicate reads as true.
inline constexpr u32 kPredicates = 63;
inline constexpr u32 kTruePredicate = 63;
inline constexpr u32 kMaxRegisters = 255;
// Stack pointer into local memory, live in every function that calls or is called; reserved only there.
inline constexpr u32 kStackRegister = 1;
inline constexpr u32 kInstructionBytes = 16;

enum class Rounding : u8 { nearest, zero, down, up };
enum class Accuracy : u8 { ieee, full, approximate };  // .rn …; .full; .approx
// For cvt to integer and integral rounding of floats.
enum class Compare : u8 { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
enum class BoolOp : u8 { none, and_, or_, xor_ };
enum class AtomicOp : u8 { none, and_, or_, xor_, cas, exch, add, inc, dec, min, max };
enum class Ordering : u8 { weak, volatile_, relaxed, acquire, release, acq_rel, sc };
enum class Scope : u8 { none, cta, gpu, sys };
enum class CacheOp : u8 { none, ca, cg, cs, lu, cv, wb, wt, nc };
enum class ShuffleMode : u8 { up, down, bfly, idx };
enum class VoteMode : u8 { all, any, uni, ballot };
enum class PermuteMode : u8 { index, f4e, b4e, rc8, ecl, ecr, rc16 };
enum class TestProperty : u8 { finite, infinite, number, notanumber, normal, subnormal };
// Formats of 8 bits and less that exist only in memory and in pairs.
enum class SmallFormat : u8 { e4m3, e5m2, e2m3, e3m2, e2m1, e8m0 };

// Video instructions (PTX ISA, "Video Instructions"): parts of 32-bit operands, one operation, and a second one with c.
enum class VideoOp : u8 { add, sub, absdiff, min, max, shl, shr, set, mad, average };
enum class VideoSecond : u8 { none, add, min, max };
struct Video {
  VideoOp operation = VideoOp::add;
  VideoSecond second = VideoSecond::none;
  Compare compare = Compare::eq;           // set
  u8 lanes = 1;                            // 2, 4: SIMD
  u8 widthA = 4, widthB = 4, widthTo = 4;  // bytes of the selected part: 1, 2, 4
  std::array<u8, 4> selectA{}, selectB{};  // per lane: index of the part; SIMD: 0 … 3 (7) over the bytes (halves) of a, then b
  u8 to = 0;                               // scalar: index of the part that is written; SIMD: mask of lanes
  bool signedA = false, signedB = false, signedTo = false;
  bool negateProduct = false, negateC = false, plusOne = false;  // vmad
  u8 scale = 0;                                                  // vmad: bits that the sum is shifted right
  bool wrapShift = false;                                        // vshl, vshr: shift amount modulo 32; otherwise clamped to 32

  bool operator==(const Video&) const = default;
};

// Operations on mbarrier objects (PTX ISA, "mbarrier").
enum class MbarrierOp : u8 { init, inval, arrive, arriveDrop, expectTx, completeTx, testWait, tryWait, asyncArrive };
// What a bulk operation moves: from global to shared memory, from shared memory to global, from one block's to another's; or what it asks
// L2 to fetch.
enum class BulkOp : u8 { none, load, store, send, prefetch };
struct Bulk {
  BulkOp operation = BulkOp::none;
  u8 dimensions = 0;        // of a tensor, whose map the second address leads to; 0: plain bytes, which lie there
  bool multicast = false;   // to the blocks of a mask
  bool sourceOnly = false;  // bulk_wait: until the sources may be written

  bool operator==(const Bulk&) const = default;
};
// Words of a bulk operation's list, its last operand: the mbarrier object that a load or a send completes, the mask of a multicast, then
// the coordinates in the tensor, or the number of bytes and the address that a send reads. It has as many as a vector may.
inline constexpr u32 kBulkBarrier = 0, kBulkMask = 1, kBulkCoordinates = 2, kBulkBytes = 2, kBulkSource = 3;
constexpr u32 bulkListWords(u32 dimensions) { return dimensions <= 2 ? 4 : 8; }
// The shape that texture and surface instructions address; a…: arrays of it, whose index is the first coordinate.
enum class Geometry : u8 { none, d1, d2, d3, a1d, a2d, cube, acube };
enum class SurfaceBoundary : u8 { trap, clamp, zero };
enum class TextureQuery : u8 {
  none,
  width,
  height,
  depth,
  array_size,
  channel_data_type,
  channel_order,
  normalized_coords,
  filter_mode,
  addr_mode_0,
  addr_mode_1,
  addr_mode_2,
  num_mipmap_levels,
  num_samples,
};
// Coordinates of a shape, an array's index included.
constexpr u32 coordinatesOf(Geometry geometry) {
  constexpr u8 kCount[] = {0, 1, 2, 3, 2, 3, 3, 4};
  return kCount[static_cast<u8>(geometry)];
}
enum class SystemCall : u8 { vprintf, malloc, free, assertfail };

// Special registers: see ptx/special_register.hpp for the same list on the PTX side.
enum class SpecialRegister : u8 {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  clusterid_x,
  clusterid_y,
  clusterid_z,
  nclusterid_x,
  nclusterid_y,
  nclusterid_z,
  cluster_ctaid_x,
  cluster_ctaid_y,
  cluster_ctaid_z,
  cluster_nctaid_x,
  cluster_nctaid_y,
  cluster_nctaid_z,
  cluster_ctarank,
  cluster_nctarank,
  is_explicit_cluster,  // 1 or 0
  clock,
  clock_hi,
  clock64,
  globaltimer,
  globaltimer_lo,
  globaltimer_hi,
  envreg,
  envreg_last = envreg + 31,
  dynamic_smem_size,
  total_smem_size,
  aggr_smem_size,
  zero,
};

struct Modifiers {
  Rounding rounding = Rounding::nearest;
  Accuracy accuracy = Accuracy::ieee;
  bool ftz = false;
  bool saturate = false;   // clamp to [0, 1], or of an integer conversion/addition to its range
  bool integral = false;   // cvt float→float of the same size rounds to an integer (.rni …)
  bool nanMode = false;    // min.NaN, max.NaN
  bool relu = false;       // negative results become +0, NaN stays NaN
  bool satFinite = false;  // cvt: beyond the largest finite number becomes that number
  bool tiesAway = false;   // cvt_tf32.rna: nearest, ties away from zero
  bool carryIn = false, carryOut = false;
  bool clamp = false;         // shf, bmsk, szext: .clamp; otherwise .wrap
  bool shiftAmount = false;   // bfind.shiftamt
  bool high = false;          // dp2a.hi
  bool toSpace = false;       // cvta: generic → space; otherwise space → generic
  bool ofCluster = false;     // isspacep: the shared memory of all blocks of the cluster; otherwise of the own
  bool wordAddress = false;   // memory: the address register is one word with 64-bit addresses too; its sum with the offset wraps
  bool matchAll = false;      // match.all; otherwise match.any
  bool synchronised = false;  // shfl/vote/match/redux .sync: the last source is the member mask
  bool aligned = false;       // barrier that all threads of the warp must execute together (.aligned, bar.*)
  u8 lut = 0;                 // lop3
  Compare compare = Compare::eq;
  BoolOp combine = BoolOp::none;     // setp/set with a predicate; bar_red (and_, or_, none = popc)
  AtomicOp atomic = AtomicOp::none;  // atom, redux
  Ordering ordering = Ordering::weak;
  Scope scope = Scope::none;  // memory; bar_sync: anything but none is the barrier of the cluster
  bool asyncProxy = false;    // fence: bulk copies, too, find what was written to shared memory
  CacheOp cache = CacheOp::none;
  ShuffleMode shuffle = ShuffleMode::idx;
  VoteMode vote = VoteMode::all;
  PermuteMode permute = PermuteMode::index;
  TestProperty test = TestProperty::finite;
  Space space = Space::generic;
  SpecialRegister special = SpecialRegister::zero;
  SmallFormat small = SmallFormat::e4m3;  // cvt_to_small, cvt_from_small
  Video video;                            // video
  Matrix matrix;                          // mma, wgmma, mat_*
  MbarrierOp mbarrier = MbarrierOp::init;
  bool parity = false;                   // mbarrier waits: for the phase of a parity; otherwise for that of a state
  bool expectsTx = false;                // mbarrier arrivals: .expect_tx, the count is of transactions
  bool increments = false;               // mbarrier asyncArrive: without .noinc
  Bulk bulk;                             // bulk, bulk_wait; a reduction is atomic, of sourceType but for tensors
  DataType secondType = DataType::none;  // dp2a, dp4a: type of b
  // Textures and surfaces. Their coordinates are of Instruction::sourceType: s32 or f32.
  Geometry geometry = Geometry::none;
  SurfaceBoundary boundary = SurfaceBoundary::trap;
  TextureQuery query = TextureQuery::none;
  bool gather = false;     // tex: component `component` of the four texels around the coordinates
  u8 component = 0;        // 0 … 3
  bool formatted = false;  // sust: 32-bit components are converted to the texel's format and x counts texels; otherwise bytes

  bool operator==(const Modifiers&) const = default;
};

struct Operand {
  enum class Kind : u8 {
    none,
    reg,        // index: (first) register number
    predicate,  // index: predicate number; negated allowed in sources
    immediate,  // value: the bits, already in the operand's type
    param,      // value: byte offset in the kernel's parameter block (constant bank 0), read with the operand's type
  };
  Kind kind = Kind::none;
  bool negated = false;
  u32 index = 0;  // virtual registers before allocation, physical ones after
  u64 value = 0;
  constexpr bool operator==(const Operand&) const = default;

  static constexpr Operand makeRegister(u32 index) { return {Kind::reg, false, index, 0}; }
  static constexpr Operand makePredicate(u32 index, bool negated = false) { return {Kind::predicate, negated, index, 0}; }
  static constexpr Operand makeImmediate(u64 bits) { return {Kind::immediate, false, 0, bits}; }
  static constexpr Operand makeParam(u64 offset) { return {Kind::param, false, 0, offset}; }
};

inline constexpr u32 kNoTarget = ~u32{0};

struct Instruction {
  Opcode opcode = Opcode::nop;
  DataType type = DataType::u32;
  DataType sourceType = DataType::none;
  u8 vector = 1;       // ld, st: elements (1, 2, 4)
  bool spill = false;  // ld, st: moves a value between its register and its spill slot; no part of the program that was compiled
  Operand guard = Operand::makePredicate(kTruePredicate);
  Modifiers modifiers;
  std::array<Operand, 4> destinations;
  std::array<Operand, 4> sources;
  s64 offset = 0;                      // memory displacement, bytes
  u32 target = kNoTarget;              // see table.def; branch: instruction index in Program::code
  u32 reconvergence = kNoTarget;       // bra, brx: index of the immediate post-dominator; kNoTarget: at the function's end
  u32 sourceFile = 0, sourceLine = 0;  // key into Program::files; 0: unknown
  u32 ptxLine = 0;                     // line in the PTX text
};

Unit unitOf(const Instruction& instruction);
Latency latencyOf(const Instruction& instruction);

// The type and the number of 32-bit registers of an operand, by the letters of the table. addressBits is 32 or 64.
DataType operandType(const Instruction& instruction, char letter, u32 addressBits);
u32 operandWords(const Instruction& instruction, char letter, u32 addressBits);

}  // namespace warpwright::isa
