// The order of the accesses to memory between two walls of a basic block.
#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// What an address counts from. Addresses that count from the same base differ by their offsets, unless the base is a register that has been
// written in between; then that write keeps the accesses in order.
struct AddressBase {
  isa::Operand base;
  isa::Operand parameter;  // added to it; does not change

  bool operator<(const AddressBase& other) const;
};

struct MemoryAccess {
  std::optional<isa::Space> space;  // none: textures and surfaces
  std::optional<AddressBase> base;  // none: nothing is known of the address
  s64 offset = 0;
  u32 bytes = 0;
  bool isStore = false;
};

// Two accesses conflict when one is a store and they may touch the same byte: their spaces meet (the generic one meets each but that of
// textures), and they have different bases or common bytes. Conflicting accesses keep their order. Accesses of the same space and base make
// a group: within it bytes tell what conflicts; between groups whose spaces meet, a store conflicts with everything. So once a store of
// another group follows an access, nearly all that the access conflicts with follows that store, and the access need not be looked at
// again.
class MemoryOrder {
 public:
  // Adds the next access. Returns earlier ones that it conflicts with, such that every other one that it conflicts with comes before one of
  // them.
  std::vector<u32> add(u32 index, const MemoryAccess& access);
  // A wall: what comes now is ordered after everything added so far.
  void clear();

 private:
  struct Byte {
    u32 writer = kNone;
    std::vector<u32> readers;  // since the writer
  };
  struct Access {
    u32 index = 0, group = 0;
    std::optional<isa::Space> space;
    bool isStore = false;
  };
  // Loads or stores of a group that later accesses of other groups may have to be ordered after.
  struct Open {
    u32 group = 0;
    std::optional<isa::Space> space;
    bool areStores = false;
    std::vector<u32> accesses;
    bool followed = false;  // an access of another group comes after them all
    u32 follower = kNone;   // the group of a store that does; kNone: only loads do
    std::optional<isa::Space> followerSpace;
  };

  u32 groupOf(const MemoryAccess& access);
  void orderBytes(u32 index, u32 group, const MemoryAccess& access);
  void orderGroups(const Access& access);
  bool closes(const Access& access, Open& open);
  void open(const Access& access);

  u32 groups_ = 0;
  std::map<std::pair<isa::Space, AddressBase>, u32> groupOf_;
  std::map<std::pair<u32, s64>, Byte> bytes_;  // by group and offset
  std::vector<Open> stores_, followedLoads_;
  std::unordered_map<u32, Open> loads_;  // those not followed, by group
  std::vector<u32> preceding_;           // of the access that is being added
};

}  // namespace warpwright::compiler
