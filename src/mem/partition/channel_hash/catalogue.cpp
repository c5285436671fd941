// Every channel hash of the simulator. A new one is a line here.
#include "mem/partition/channel_hash/folded.hpp"
#include "mem/partition/channel_hash/in_order.hpp"

namespace warpwright::mem {

ChannelHashList& channelHashList() {
  static auto& list = *new ChannelHashList(config::channelHashes,  //
                                           kChannelsInOrder,       //
                                           kFoldedChannels);
  return list;
}

namespace {

// Machine files know the hashes of every program that can simulate them.
[[maybe_unused]] const ChannelHashList& installedChannelHashes = channelHashList();

}  // namespace
}  // namespace warpwright::mem
