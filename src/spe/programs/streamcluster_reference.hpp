// What the SPU does of streamcluster in C++: the same operations in the same order, so that results are the same bits.
#pragma once

#include "spe/programs/streamcluster_search.hpp"

namespace warpwright::spe::streamcluster {

class Reference final : public Engine {
 public:
  Outcome speedy(const BlockOfPoints& block, const std::vector<float>& thresholds) override;
  Outcome refine(float price, const std::vector<u32>& candidates) override;
  std::vector<Point> points() override { return block_.points; }

 private:
  float wayTo(u32 point, u32 centre) const;      // a dimension after the other
  float wayAcross(u32 point, u32 centre) const;  // in four lanes, which are added up
  float tryCandidate(u32 candidate, float price);
  void open(u32 candidate, const std::vector<bool>& moves);

  BlockOfPoints block_;
  std::vector<u32> centres_;
};

}  // namespace warpwright::spe::streamcluster
