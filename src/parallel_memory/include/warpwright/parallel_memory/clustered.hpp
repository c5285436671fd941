// Clusters of banks, for two windows of stride families.
#pragma once

#include <warpwright/parallel_memory/bank_map.hpp>

namespace warpwright::parallel_memory {

// 2^c clusters of 2^(q - c) banks: more banks than an access has lanes, so that strides of unmatched families find banks of their own
// (Harper 1991; Gou's thesis, section 2.1: at least half of the banks idle in each access). Harper's XOR for stride family s chooses the
// bank of a cluster, the address bits at + c - 1 ... at the cluster. An access of 2^(q - c) lanes is without conflict for
//
//   family s                                         within one cluster's banks, whichever clusters take part
//   families at ... at + c - (q - c) where c >= q - c    each lane in a cluster of its own
//
// s >= q - c and at >= q - c, so that the map is one to one.
class Clustered final : public BankMap {
 public:
  struct Parameters {
    std::uint32_t q = 0, c = 0;   // logarithms of all banks and of the clusters, c <= q
    std::uint32_t s = 0, at = 0;  // lowest bit that is added to a bank's number, and lowest bit of the cluster's
  };
  Clustered(Parameters parameters, Address words);
  Cell cellOf(Address address) const override;

 private:
  Parameters parameters_;
};

}  // namespace warpwright::parallel_memory
