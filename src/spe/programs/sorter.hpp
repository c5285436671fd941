// Shuffles that sort words of quads into lanes, as programs of the original SPE have to.
#pragma once

#include <map>
#include <vector>

#include "spe/spu.hpp"

namespace warpwright::spe {

// Keeps the constants of the shuffles, one for each way to sort.
class Sorter {
 public:
  explicit Sorter(Spu& spu) : spu_(spu) {}

  // Lanes 0 … 3 of the first and 4 … 7 of the second.
  Quad shuffle(const Quad& first, const Quad& second, const std::array<u32, 4>& lanes);
  // Word `wanted[i]` of the quads, counted through, in lane i: a shuffle for each further quad that has one.
  Quad gather(const std::vector<Quad>& quads, const std::array<u32, 4>& wanted);
  // Lane j of row i becomes lane i of column j: eight shuffles.
  std::array<Quad, 4> transpose(const std::array<Quad, 4>& rows);

 private:
  Spu& spu_;
  std::map<std::array<u32, 4>, Quad> patterns_;
};

}  // namespace warpwright::spe
