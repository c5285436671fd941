// Clustering of a stream of points by k-median, a block of it at a time (Gou, section 4.5; the algorithm is of O'Callaghan, Mishra,
// Meyerson, Guha, Motwani: "Streaming-Data Algorithms for High-Quality Clustering", ICDE 2002). The PPU draws and decides
// (streamcluster_search.hpp), the SPU measures distances (streamcluster_spu.hpp).
#pragma once

#include "spe/programs/program.hpp"

namespace warpwright::spe::streamcluster {

inline constexpr u32 kStreamPoints = 1024;
inline constexpr u32 kIterations = kStreamPoints;

Result run(Spu& spu);
Result expected();

}  // namespace warpwright::spe::streamcluster
