#include "sm/schedulers/barrel.hpp"
#include "sm/schedulers/greedy_then_oldest.hpp"
#include "sm/schedulers/round_robin.hpp"
#include "sm/schedulers/two_level.hpp"

namespace warpwright::sm {

std::unique_ptr<WarpScheduler> makeScheduler(const config::Sm& sm) {
  using config::WarpScheduler;
  switch (sm.scheduler) {
    case WarpScheduler::looseRoundRobin:
    case WarpScheduler::relaxedBarrel:
      return std::make_unique<LooseRoundRobin>();
    case WarpScheduler::greedyThenOldest:
      return std::make_unique<GreedyThenOldest>();
    case WarpScheduler::oldestFirst:
      return std::make_unique<OldestFirst>();
    case WarpScheduler::twoLevel:
      return std::make_unique<TwoLevel>(sm.twoLevelActive);
    case WarpScheduler::strictBarrel:
      return std::make_unique<StrictBarrel>();
  }
  return std::make_unique<LooseRoundRobin>();
}

}  // namespace warpwright::sm
