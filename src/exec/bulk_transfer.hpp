// Moving the bytes of bulk copies that are under way: see bulk_copy.hpp for when.
#pragma once

#include "exec/grid.hpp"

namespace warpwright::exec {

// Global memory as the SM sees it.
void readGlobal(const Grid& grid, GlobalAddress address, u32 bytes, void* to);

// A store's source may be written from now on.
void readBulkSource(Grid& grid, BulkCopy& copy);
// A store is complete, or, stepping, all destinations of a load or send have their bytes; the copy is no more. Stepping, a reduction in
// global memory is performed by performReductions().
void finishBulk(Grid& grid, u32 number);
// Whether another block than that of its thread gets bytes. Where blocks are stepped, such a copy arrives between quanta: performRemote().
bool goesElsewhere(const BulkCopy& copy);
void putOffBulk(Grid& grid, u32 number, u64 now);
void performReductions(Grid& grid);

// What a wait for the object's phase finds: copies arrive, in the order of their issue, until the phase is complete. None does while
// threads have yet to arrive.
void completePhase(Grid& grid, Block& block, SharedOffset barrier);

// All stores of lanes that exit.
void finishStoresOf(Grid& grid, Warp& warp, LaneMask lanes);
// The block ends: what was to come to it comes to nobody.
void dropArrivals(Grid& grid, Block& block);

}  // namespace warpwright::exec
