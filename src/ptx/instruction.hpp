// One PTX instruction after parsing: names are resolved, modifiers are enums, nothing has been given a meaning yet.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "ptx/matrix_form.hpp"
#include "ptx/opcode.hpp"
#include "ptx/types.hpp"

namespace warpwright::ptx {

inline constexpr u32 kNoIndex = ~u32{0};

enum class Rounding : u8 { none, rn, rz, rm, rp, rna, rni, rzi, rmi, rpi };
enum class Compare : u8 { none, eq, ne, lt, le, gt, ge, lo, ls, hi, hs, equ, neu, ltu, leu, gtu, geu, num, nan };
enum class BoolOp : u8 { none, and_, or_, xor_ };
// How much of a product mul/mad keeps.
enum class MulMode : u8 { none, lo, hi, wide };
enum class AtomicOp : u8 { none, and_, or_, xor_, cas, exch, add, inc, dec, min, max };
enum class Ordering : u8 { weak, volatile_, relaxed, acquire, release, acq_rel, sc, mmio };
enum class Scope : u8 { none, cta, cluster, gpu, sys };
enum class CacheOp : u8 { none, ca, cg, cs, lu, cv, wb, wt, nc };
enum class ShuffleMode : u8 { none, up, down, bfly, idx };
enum class VoteMode : u8 { none, all, any, uni, ballot };
enum class BarrierOp : u8 { none, sync, arrive, red, warp_sync, wait };
enum class PrmtMode : u8 { none, f4e, b4e, rc8, ecl, ecr, rc16 };
// The shape that texture and surface instructions address (PTX ISA, "tex"); a…: arrays of it.
enum class Geometry : u8 { none, d1, d2, d3, a1d, a2d, cube, acube };
// What a surface access outside the surface does (PTX ISA, "suld").
enum class SurfaceBoundary : u8 { trap, clamp, zero };
// What txq and suq ask for.
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
// What tensormap.replace replaces in a tensor map.
enum class MapField : u8 {
  none,
  global_address,
  rank,
  box_dim,
  global_dim,
  global_stride,
  element_stride,
  elemtype,
  interleave_layout,
  swizzle_mode,
  swizzle_atomicity,
  fill_mode,
};
enum class TestProperty : u8 { none, finite, infinite, number, notanumber, normal, subnormal };

// What a video instruction does with its last operand.
enum class Accumulate : u8 { none, add, min, max };

struct Modifiers {
  Type type = Type::none;    // the (destination) instruction type
  Type source = Type::none;  // second type where there is one: cvt.dst.src, set.cmp.dst.src, slct.dst.sel, dp4a.a.b …
  Rounding rounding = Rounding::none;
  bool ftz = false;
  bool sat = false;
  bool approx = false;    // .approx
  bool full = false;      // div.full
  bool carryOut = false;  // .cc
  bool uni = false;
  bool sync = false;         // .sync on shfl, vote, match, redux, bar.warp
  bool aligned = false;      // barrier.sync.aligned (bar.* is always aligned)
  bool clampShift = false;   // .clamp of shf, bmsk, szext; otherwise .wrap
  bool left = false;         // shf.l; otherwise shf.r
  bool shiftAmount = false;  // bfind.shiftamt
  bool toSpace = false;      // cvta.to
  bool anyMatch = false;     // match.any; otherwise match.all
  bool relu = false;
  bool nan = false;  // min.NaN / max.NaN
  bool xorsign = false;
  bool noftz = false;                        // atom.add.noftz
  bool absolute = false;                     // min/max .abs: of magnitudes
  bool satFinite = false;                    // cvt.satfinite
  bool cacheHint = false;                    // .L2::cache_hint: a policy follows as the last operand
  bool cluster = false;                      // barrier.cluster
  bool plusOne = false;                      // vmad.po
  u8 scale = 0;                              // vmad: bits that the sum is shifted right
  Type second = Type::none;                  // video: type of b
  Accumulate accumulate = Accumulate::none;  // video
  bool high = false;                         // dp2a.hi; otherwise .lo
  MulMode mul = MulMode::none;
  Compare compare = Compare::none;
  BoolOp combine = BoolOp::none;  // setp/set with a predicate, bar.red, redux and/or/xor use their own field
  Space space = Space::generic;
  bool ofCluster = false;            // .shared::cluster
  u8 vector = 1;                     // 1, 2, 4
  AtomicOp atomic = AtomicOp::none;  // atom, red, redux
  Ordering ordering = Ordering::weak;
  Scope scope = Scope::none;
  CacheOp cache = CacheOp::none;
  ShuffleMode shuffle = ShuffleMode::none;
  VoteMode vote = VoteMode::none;
  BarrierOp barrier = BarrierOp::none;
  PrmtMode prmt = PrmtMode::none;
  TestProperty test = TestProperty::none;
  MatrixForm matrix;  // mma, wmma, wgmma, ldmatrix, stmatrix, movmatrix
  MbarrierOp mbarrier = MbarrierOp::none;
  AsyncOp async = AsyncOp::copy;  // cp.async, wgmma
  bool ofGlobal = false;          // … of global memory alone
  bool bulk = false;              // cp.async.bulk
  bool isAsync = false;           // st.async, red.async; fence.proxy.async
  bool prefetches = false;        // cp.async.bulk.prefetch
  bool tensor = false;            // cp.async.bulk.tensor
  u8 dimensions = 0;              // … of so many
  bool fromShared = false;        // cp.async.bulk: .shared::cta is the source
  bool multicast = false;         // cp.async.bulk: .multicast::cluster
  bool sourceOnly = false;        // cp.async.bulk.wait_group.read
  bool replaces = false;          // tensormap.replace; otherwise .cp_fenceproxy
  bool tensorMap = false;         // prefetch.tensormap
  MapField field = MapField::none;
  bool secondLevel = false;  // prefetch: .L2
  bool expectTx = false;     // mbarrier.arrive.expect_tx
  bool parity = false;       // mbarrier waits
  bool noIncrement = false;  // cp.async.mbarrier.arrive.noinc
  Geometry geometry = Geometry::none;
  SurfaceBoundary boundary = SurfaceBoundary::trap;
  TextureQuery query = TextureQuery::none;
  u8 component = 0;        // tld4: 0 … 3 for .r .g .b .a
  bool formatted = false;  // sust.p, sured.p: coordinates count texels; otherwise (.b) bytes
};

// What a name in an operand refers to.
enum class SymbolKind : u8 {
  none,
  module_variable,    // index into Module::variables
  function_variable,  // index into Function::variables (declared in the body: .local, .shared, .param of a call sequence)
  parameter,          // index into Function::parameters
  return_parameter,   // index into Function::returns
  function,           // index into Module::functions
  label,              // index into Function::labels
  branch_targets,     // index into Function::branchTargets   (brx.idx)
  call_targets,       // index into Function::callTargets     (indirect call)
  call_prototype,     // index into Function::prototypes      (indirect call)
};

struct SymbolRef {
  SymbolKind kind = SymbolKind::none;
  u32 index = kNoIndex;
  bool operator==(const SymbolRef&) const = default;
};

enum class SpecialRegister : u8;  // ptx/special_register.hpp

struct Operand {
  enum class Kind : u8 {
    none,      // operand absent (optional operand left out)
    discard,   // "_"
    reg,       // registers[0]
    special,   // special register
    integer,   // bits: two's complement 64-bit value of the literal or constant expression
    floating,  // bits: as f64 pattern, or as f32 pattern when floatIsSingle (0f… literals)
    symbol,    // the address of a symbol, plus displacement
    address,   // [base + displacement]; base is a register, a symbol or absent (absolute). elements: coordinates of a texture or surface
    vector,    // {a, b, …}: elements
    group,     // (a, b, …): argument lists of call: elements
  };
  Kind kind = Kind::none;
  bool negated = false;  // "!p" on a predicate source
  bool floatIsSingle = false;
  SpecialRegister special{};
  std::string selector;  // the part that a video instruction takes: "b0", "h1", "h10", "b3210"; empty: all
  u32 reg = kNoIndex;    // index into Function::registers; also the base register of an address
  SymbolRef symbol;      // symbol, or symbolic base of an address
  u64 bits = 0;          // literal value
  s64 displacement = 0;  // bytes
  std::vector<Operand> elements;
  u32 line = 0, column = 0;
};

struct Guard {
  u32 reg = kNoIndex;  // kNoIndex: always
  bool negated = false;
};

// Registers of which a function beside this one wants the values that they have before the instruction, or may change them there.
struct Observation {
  struct Observed {
    u32 reg = kNoIndex;  // index into Function::registers
    bool mayChange = false;
  };
  u32 function = kNoIndex;  // index into Module::functions
  std::vector<Observed> registers;
};

// setp/shfl/match with two destinations "p|q" put the second one in `secondDestination`.
// The operands are those of the grammar row, one for one: an optional operand that was left out is there with Kind::none
// (bar.red.popc d, a, {b,} p always has four). call always has four: group of returns, target (symbol of a function or a
// register), group of arguments, and the prototype or target list of an indirect call (none for a direct one).
struct Instruction {
  Opcode opcode{};
  Modifiers modifiers;
  Guard guard;
  std::vector<Operand> operands;  // in PTX order, destination first where there is one
  Operand secondDestination;
  u32 line = 0, column = 0;            // in the PTX text
  u32 sourceFile = 0, sourceLine = 0;  // from .loc: key into Module::files and line; 0: unknown
  std::vector<Observation> observed;   // by nobody, in any text: whoever compiles may ask for it
  std::string text;                    // as written, without comments, for messages and the disassembler
};

}  // namespace warpwright::ptx
