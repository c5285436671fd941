#include "mechanisms/elastic_mshr/predictor.hpp"

#include <algorithm>

namespace warpwright::mechanisms::elastic_mshr {

u32 Predictor::blocksFor(Pc pc) const {
  const Entry& entry = entries_[pc % entries_.size()];
  return entry.pc == pc ? entry.blocks : 1;
}

Predictor::Entry& Predictor::own(Pc pc) {
  Entry& entry = entries_[pc % entries_.size()];
  if (entry.pc != pc) entry = {.pc = pc};
  return entry;
}

void Predictor::missedNeighbour(Pc pc, u32 blocks) {
  Entry& entry = own(pc);
  if (blocks != entry.blocks || blocks == mostBlocks_) return;
  if (entry.confidence < kMost) {
    ++entry.confidence;
    return;
  }
  entry = {.pc = pc, .blocks = 2 * blocks};
}

void Predictor::arrived(Pc pc, u32 blocks, u32 kept) {
  Entry& entry = entries_[pc % entries_.size()];
  if (entry.pc != pc || blocks != entry.blocks || blocks == 1) return;
  if (2 * kept > blocks) {
    entry.confidence = std::max<u8>(entry.confidence, 1);
    return;
  }
  if (entry.confidence > 0) {
    --entry.confidence;
    return;
  }
  entry = {.pc = pc, .blocks = blocks / 2};
}

}  // namespace warpwright::mechanisms::elastic_mshr
