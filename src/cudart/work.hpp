// Pieces of work that begin when those before them have ended, in simulated time.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/types.hpp"

namespace warpwright::cudart {

// All times are simulated nanoseconds since the program began.
struct Work {
  u64 begin = 0;           // at the earliest; settled when all that it waits for has ended
  std::optional<u64> end;  // once it is done
  u32 waitsFor = 0;        // pieces of work
  std::vector<std::shared_ptr<Work>> dependents;
  // Carries it out, once it may begin, and ends with WorkQueue::finish(), at once or later.
  std::function<void(const std::shared_ptr<Work>&)> start;
};
using WorkPointer = std::shared_ptr<Work>;
using Start = std::function<void(const WorkPointer&)>;

class WorkQueue {
 public:
  // Work that begins at `notBefore` or later, after those that are not null.
  WorkPointer add(u64 notBefore, std::span<const WorkPointer> after, Start start);
  void finish(const WorkPointer& work, u64 end);
  // What ends when all of them have.
  WorkPointer join(std::span<const WorkPointer> parts);
  // Starts what may begin, in the order in which it became able to; and what that makes able to.
  void startReady();
  bool hasReady() const { return !ready_.empty(); }
  // Forgets what has not begun.
  void abandon() { ready_.clear(); }

 private:
  std::deque<WorkPointer> ready_;
};

}  // namespace warpwright::cudart
