#include "work.hpp"

#include <algorithm>
#include <utility>

namespace warpwright::cudart {

WorkPointer WorkQueue::add(u64 notBefore, std::span<const WorkPointer> after, Start start) {
  auto work = std::make_shared<Work>();
  work->begin = notBefore;
  work->start = std::move(start);
  for (const WorkPointer& before : after) {
    if (!before) continue;
    if (before->end) {
      work->begin = std::max(work->begin, *before->end);
      continue;
    }
    before->dependents.push_back(work);
    ++work->waitsFor;
  }
  if (work->waitsFor == 0) ready_.push_back(work);
  return work;
}

void WorkQueue::finish(const WorkPointer& work, u64 end) {
  work->end = end;
  for (const WorkPointer& dependent : std::exchange(work->dependents, {})) {
    dependent->begin = std::max(dependent->begin, end);
    if (--dependent->waitsFor == 0) ready_.push_back(dependent);
  }
}

WorkPointer WorkQueue::join(std::span<const WorkPointer> parts) {
  return add(0, parts, [this](const WorkPointer& work) { finish(work, work->begin); });
}

void WorkQueue::startReady() {
  while (!ready_.empty()) {
    const WorkPointer work = std::move(ready_.front());
    ready_.pop_front();
    std::exchange(work->start, nullptr)(work);
  }
}

}  // namespace warpwright::cudart
