// Every replacement policy of the simulator. A new one is a line here.
#include "mem/cache/replacement/fifo.hpp"
#include "mem/cache/replacement/lru.hpp"
#include "mem/cache/replacement/pc_bypass.hpp"
#include "mem/cache/replacement/random.hpp"
#include "mem/cache/replacement/ship.hpp"
#include "mem/cache/replacement/tree_plru.hpp"

namespace warpwright::mem {

ReplacementList& replacementList() {
  static auto& list = *new ReplacementList(config::replacementPolicies,  //
                                           kLru,                         //
                                           kTreePlru,                    //
                                           kFifo,                        //
                                           kRandom,                      //
                                           kShip,                        //
                                           kPcBypass);
  return list;
}

namespace {

// Machine files know the policies of every program that can simulate them.
[[maybe_unused]] const ReplacementList& installedReplacementPolicies = replacementList();

}  // namespace
}  // namespace warpwright::mem
