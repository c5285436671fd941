// How consecutive pieces of memory change their order among partitions (and among the slices of a partition) from round to round, so that
// strides spread. A hash is one file of this folder and one line of catalogue.cpp (docs/adding-a-policy.md).
#pragma once

#include <memory>

#include "base/types.hpp"
#include "config/policy_list.hpp"

namespace warpwright::mem {

class ChannelHash {
 public:
  virtual ~ChannelHash() = default;
  // The pieces of a round, one for each of `count` partitions or slices, lie in the order of their addresses; this number changes it, by
  // exclusive-or where `count` is a power of two, by rotation otherwise. So each still has one piece of each round, whatever the number.
  virtual u32 change(u64 round, u32 count) const = 0;
  // It is always 0, and nobody needs to ask.
  virtual bool isIdentity() const { return false; }
};

using ChannelHashEntry = config::PolicyEntry<ChannelHash>;
using ChannelHashList = config::PolicyList<ChannelHash>;

ChannelHashList& channelHashList();

}  // namespace warpwright::mem
