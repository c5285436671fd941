// Every set hash of the simulator. A new one is a line here.
#include "mem/cache/set_hash/none.hpp"
#include "mem/cache/set_hash/xor_fold.hpp"

namespace warpwright::mem {

SetHashList& setHashList() {
  static auto& list = *new SetHashList(config::setHashes,  //
                                       kNoSetHash,         //
                                       kXorFold);
  return list;
}

namespace {

// Machine files know the hashes of every program that can simulate them.
[[maybe_unused]] const SetHashList& installedSetHashes = setHashList();

}  // namespace
}  // namespace warpwright::mem
