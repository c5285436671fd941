// Where the words of shared memory lie while a kernel runs.
#pragma once

#include <memory>
#include <vector>
#include <warpwright/parallel_memory/bank_table.hpp>

#include "base/types.hpp"

namespace warpwright::access {

struct SharedMaps {
  using Table = std::shared_ptr<const parallel_memory::BankTable>;

  Table common;                // null: words are interleaved over the banks
  std::vector<Table> layouts;  // of accesses that name theirs
  std::vector<u32> layoutOf;   // by pc: 1 + index into layouts, 0: the common one; empty: of all

  // Null: interleaved.
  const parallel_memory::BankTable* at(Pc pc) const {
    const u32 layout = pc < layoutOf.size() ? layoutOf[pc] : 0;
    return layout == 0 ? common.get() : layouts[layout - 1].get();
  }
};

}  // namespace warpwright::access
