// The instruction table (table.def): the operations of the machine, and what is known of each of them. Whoever needs to know something of
// an operation asks for a column; a switch over operations is for what they mean alone.
#pragma once

#include <string_view>

#include "isa/types.hpp"

namespace warpwright::isa {

enum class Opcode : u8 {
#define WW_OP(id, ...) id,
#include "isa/table.def"
};

enum class Family : u8 { lane, memory, texture, warp, control };

// What the functional machine does to carry an operation out (exec/operations).
enum class Handler : u8 {
  undefined,  // there is no instruction: running into it is an error
  lane,       // a function of each lane's registers
  load,
  store,
  atomic,
  branch,
  branchIndexed,
  call,
  callIndirect,
  ret,
  exit,
  nothing,  // fence, nop
  copy,     // each source to the destination at its place, if there is one
  prefetch,
  specialRegister,
  shuffle,
  vote,
  match,
  reduce,
  activeMask,
  elect,
  warpSync,
  matrix,
  groupMultiply,
  groupCommit,
  groupWait,
  copyAsync,
  commitCopies,
  waitForCopies,
  bulkCopy,
  commitBulk,
  waitForBulk,
  mbarrier,
  barrierSync,
  barrierArrive,
  barrierReduce,
  clusterArrive,
  clusterWait,
  systemCall,
  sleep,
  trap,
  breakpoint,
  texture,
  textureQuery,
  surface,
#ifdef WARPWRIGHT_TOY_ROWS
  toy,
#endif
};

// The kind of work an operation is, from which its unit and its latency class follow.
enum class Work : u8 {
  simple,
  shift,
  arithmetic,
  multiply,
  divide,
  special,
  count,
  convert,
  memory,
  shuffle,
  barrier,
  branch,
  matrix,
  group_matrix
};

// What is known of a result across the lanes of a warp from what is known of its sources: a rule of propagation for uniform and affine
// vectors (docs/values.md). Floating-point types, and what a rule does not name, are as with `lanewise`.
enum class Across : u8 {
  none,         // writes nothing
  lanewise,     // uniform sources give a uniform result
  copy,         // what its source is
  sum,          // affine + uniform is affine
  difference,   // affine - uniform is affine
  product,      // as lanewise, unless a multiplication by a power of two counts as a shift
  product_sum,  // a product, and the sum with the third source
  shift_left,   // affine << uniform is affine
  select,       // a uniform condition, the last source, selects one of the others
  convert,      // between integers: what its source is, unless an affine value overflows the narrower type
  pack,         // halves of registers
  unpack,
  address,    // a constant is added or subtracted
  special,    // by the special register
  load,       // from shared, constant and parameter memory: uniform addresses give a uniform result
  group,      // the same for all lanes that execute it together
  scattered,  // nothing is known
};

// Where control goes behind an operation, and what its warp waits for.
enum class Flow : u8 {
  next,     // straight on
  jump,     // to a label
  call,     // into a function or the system, and back
  leave,    // a function or the kernel
  stop,     // nowhere: the grid ends
  pause,    // straight on, when others have run
  barrier,  // straight on, when other warps have come
  fence,    // straight on, when the warp's accesses are through
};

// What an operation does beside writing its destinations.
enum class Effect : u8 {
  none,    // nothing: from the same sources it always gives the same
  reads,   // memory that may change
  writes,  // memory, or asks for it to be fetched
  meets,   // lanes of the warp exchange values
  orders,  // no access to memory and no meeting of lanes moves across it
  all,     // nothing moves across it
};

// The class that executions are counted in, where neither type nor space decides.
enum class Kind : u8 {
  move,
  conversion,
  computation,  // by work and type
  load,         // by space
  store,        // by space
  atomic,
  memory,
  texture,
  surface,
  exchange,
  barrier,
  tensor,
  control,
};

struct OpcodeInfo {
  std::string_view id, mnemonic;
  Family family;
  Handler handler;
  Work work;
  Across across;
  Flow flow;
  Effect effect;
  Kind kind;
  u32 types;  // bit per DataType
  std::string_view destinations, sources;

  bool allows(DataType type) const { return types >> static_cast<u32>(type) & 1; }
};
inline constexpr u32 kOpcodes = 0
#define WW_OP(...) +1
#include "isa/table.def"
    ;
const OpcodeInfo& info(Opcode opcode);

// Whether lanes of a warp come together in it, be it to exchange values or to be ordered.
inline bool lanesMeet(Opcode opcode) { return info(opcode).family == Family::warp && info(opcode).effect != Effect::none; }

}  // namespace warpwright::isa
