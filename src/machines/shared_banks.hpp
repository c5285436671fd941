// Which bank map shared memory has while a kernel runs: the machine's, one for each array of the kernel, or that which an access names.
#pragma once

#include <map>
#include <memory>
#include <tuple>
#include <vector>
#include <warpwright/parallel_memory/bank_table.hpp>

#include "access/bank_conflicts.hpp"
#include "access/shared_maps.hpp"
#include "config/machine.hpp"
#include "exec/launch.hpp"

namespace warpwright::machines {

class SharedBanks {
 public:
  using Table = access::SharedMaps::Table;

  // Throws std::invalid_argument for a bank map that is none; the machine's rules exclude that.
  explicit SharedBanks(const config::Machine& machine);

  access::SharedMaps mapsFor(const exec::LaunchRequest& request);

 private:
  struct Region {  // of the block's shared memory
    SharedOffset begin, end;
  };

  Table byArrays(const exec::LaunchRequest& request);
  access::SharedMaps byAccesses(const isa::Program& program) const;
  Table chooseFor(const isa::Function& kernel, Dim3 block, u64 dynamicBytes);
  std::vector<Region> regionsOf(const isa::Function& kernel, u64 dynamicBytes) const;
  std::size_t bestFor(const Region& region, const isa::Function& kernel, Dim3 block);
  // The fewest passes are best; of those the fewest words that the banks read or write.
  struct Cost {
    double passes = 0, words = 0;
    auto operator<=>(const Cost&) const = default;
    void add(const Cost& more, double weight) { passes += weight * more.passes, words += weight * more.words; }
  };
  struct Unknown {  // of an access
    u32 iteration = 0;
    u32 bytes = 0;  // addend
  };
  Cost costOf(const isa::SharedAccess& access, const Region& region, Dim3 block, const parallel_memory::BankTable& table);
  // Of the warp of thread `first`.
  Cost costOfWarp(const isa::SharedAccess& access, const Region& region, Dim3 block, u64 first, Unknown unknown,
                  const parallel_memory::BankTable& table);

  const config::Machine& machine_;
  Table fixed_;                 // null where arrays have maps of their own, and for interleaving
  std::vector<Table> choices_;  // of an array, or of an access
  access::BankConflicts conflicts_;
  std::map<std::tuple<u64, Pc, std::array<u32, 3>, u64>, Table> chosen_;  // by program, kernel, block and dynamic shared memory
};

}  // namespace warpwright::machines
