// Every arbitration policy of the simulator. A new one is a line here.
#include "mem/network/arbitration/oldest.hpp"
#include "mem/network/arbitration/round_robin.hpp"

namespace warpwright::mem {

ArbitrationList& arbitrationList() {
  static auto& list = *new ArbitrationList(config::arbitrations,  //
                                           kRoundRobin,           //
                                           kOldestPacket);
  return list;
}

namespace {

// Machine files know the policies of every program that can simulate them.
[[maybe_unused]] const ArbitrationList& installedArbitrations = arbitrationList();

}  // namespace
}  // namespace warpwright::mem
