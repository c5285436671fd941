// Atomic read-modify-write operations on host memory, lane after lane in lane order.
#pragma once

#include "base/types.hpp"
#include "exec/transfer.hpp"
#include "isa/instruction.hpp"

namespace warpwright::exec {

// b, c: register planes of the operands (c only of cas). result: planes for the old values, or null. lanes: distance of planes.
// True when memory changed.
using AtomicFunction = bool (*)(u64 base, const LaneAddresses& addresses, LaneMask mask, const u32* b, const u32* c, u32* result,
                                u32 lanes);

// Null for a combination that PTX does not have. flush: atom.add.f32 on global memory flushes subnormals (PTX ISA, "atom").
AtomicFunction atomicFunction(isa::AtomicOp op, isa::DataType type, bool flush);

}  // namespace warpwright::exec
