// The members of a numbered collection that have something to do, in the order in which they became active.
#pragma once

#include <vector>

#include "base/types.hpp"

namespace warpwright::mem {

class ActiveList {
 public:
  explicit ActiveList(u32 bound) : isListed_(bound) { members_.reserve(bound); }

  void add(u32 member) {
    if (isListed_[member] != 0) return;
    isListed_[member] = 1;
    members_.push_back(member);
  }
  // Visits the members, in the order of their numbers in the list or backwards. None may be added meanwhile.
  template <class Visit>
  void visit(bool backwards, Visit&& visit) const {
    if (!backwards) {
      for (std::size_t i = 0; i < members_.size(); ++i) visit(members_[i]);
    } else {
      for (std::size_t i = members_.size(); i-- > 0;) visit(members_[i]);
    }
  }
  // Takes those off the list for which isIdle(member) holds.
  template <class IsIdle>
  void prune(IsIdle&& isIdle) {
    std::size_t kept = 0;
    for (const u32 member : members_) {
      if (isIdle(member)) {
        isListed_[member] = 0;
      } else {
        members_[kept++] = member;
      }
    }
    members_.resize(kept);
  }

 private:
  std::vector<u32> members_;
  std::vector<u8> isListed_;
};

}  // namespace warpwright::mem
