// Which set holds a line. A hash is one file of this folder and one line of catalogue.cpp (docs/adding-a-policy.md).
#pragma once

#include <memory>

#include "base/types.hpp"
#include "config/policy_list.hpp"

namespace warpwright::mem {

class SetHash {
 public:
  virtual ~SetHash() = default;
  // A number that stands for the line: the set is its remainder by the number of sets. Lines of equal numbers modulo the sets may part, and
  // must fill every set alike.
  virtual u64 mixed(u64 line) const = 0;
  // The numbers are those of the lines, and nobody needs to ask.
  virtual bool isIdentity() const { return false; }
};

using SetHashEntry = config::PolicyEntry<SetHash, u32>;  // of the number of sets
using SetHashList = config::PolicyList<SetHash, u32>;

SetHashList& setHashList();

}  // namespace warpwright::mem
