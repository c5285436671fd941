// Which blocks of a large grid are a sample of it: stretches that lie all over the grid.
//
// What blocks take drifts from one end of a grid to the other, as rows of DRAM and what neighbours share in caches do, slowly beside a
// fill of the machine: of the first blocks alone neither the mean nor the spread of the whole grid follows. So after the first fills, which
// show how a launch begins, the machine gets a few fills from elsewhere, then a few from elsewhere again (systematic sampling; Wunderlich
// and others, "SMARTS", ISCA 2003). It stays full meanwhile: each stretch begins as blocks of the one before it end. The fill in which
// blocks of both run is not measured, and neither is the next one, whose blocks have begun beside others: on gtx480 transposeTiled takes a
// fifth and a third less in these two than in those behind them, and of eight kernels that were looked at none drifts behind the second.
#pragma once

#include <vector>

#include "exec/block_order.hpp"
#include "machines/block_work.hpp"
#include "machines/fill_times.hpp"
#include "stats/estimate.hpp"

namespace warpwright::machines {

// Fills at the grid's beginning; of a stretch, of which the first and the last are not measured; and the fewest stretches whose spread is
// taken for that of the grid (chosen: the interval of four is 1.6 times that of as many whose spread is known).
inline constexpr u64 kHeadFills = 4, kStretchFills = 5, kLeastStretches = 4;
// So many fills has a grid of which half shows the fewest stretches: of smaller ones too little would be left out.
inline constexpr u64 kFillsOfSpreadGrids = 2 * (kHeadFills + kLeastStretches * kStretchFills + 1);

// The order in which blocks begin. places: for blocks, on the whole machine; the grid fills it kFillsOfSpreadGrids times. Wherever one
// stops, stretches are spread as evenly as so many can be (the fractional parts of multiples of the golden ratio; Knuth, "The Art of
// Computer Programming", volume 3, section 6.4).
exec::BlockOrder spreadOrder(u64 blocks, u64 places);

// Work and cycles of what was measured.
struct MeasuredParts {
  std::vector<stats::Measurement> parts;
  // The same in smaller pieces, one after the other; empty: there are none. Few parts may be alike by chance, and many pieces are not;
  // pieces that lie together are alike, and parts are not.
  std::vector<stats::Measurement> pieces;
  // Of the fills between the parts, which are not measured.
  double workBetween = 0, cyclesBetween = 0;

  // Of what is left, by the wider of the intervals that parts and pieces give.
  stats::Estimate predictRest(double work) const;
};
// By stretch, and by fill. work: in that order.
MeasuredParts measuredStretches(const std::vector<Fill>& fills, const BlockWork& work);

}  // namespace warpwright::machines
