#include "mem/cache/replacement/replacement.hpp"

#include "mem/cache/replacement/fifo.hpp"
#include "mem/cache/replacement/lru.hpp"
#include "mem/cache/replacement/random.hpp"
#include "mem/cache/replacement/tree_plru.hpp"

namespace warpwright::mem {

std::unique_ptr<Replacement> makeReplacement(config::Replacement policy, u32 sets, u32 ways) {
  switch (policy) {
    case config::Replacement::lru:
      return std::make_unique<Lru>(sets, ways);
    case config::Replacement::treePlru:
      return std::make_unique<TreePlru>(sets, ways);
    case config::Replacement::fifo:
      return std::make_unique<Fifo>(sets, ways);
    case config::Replacement::random:
      return std::make_unique<RandomReplacement>();
  }
  return nullptr;
}

}  // namespace warpwright::mem
