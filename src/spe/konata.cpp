#include "spe/konata.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warpwright::spe {

void KonataLog::issued(const Issue& issue) {
  const u64 id = count_++;
  const Opcode opcode = issue.instruction.opcode;
  const char* const stage = kindOf(unitOf(opcode)).pipe == Pipe::even ? "Ev" : "Od";
  events_.push_back(
      {issue.cycle, fmt::format("I\t{0}\t{0}\t0\nL\t{0}\t0\t{1:05x}: {2}\nS\t{0}\t0\t{3}\n", id, issue.address, nameOf(opcode), stage)});
  events_.push_back({issue.resultCycle, fmt::format("E\t{0}\t0\t{1}\nR\t{0}\t{0}\t0\n", id, stage)});
}

std::string KonataLog::text() const {
  std::vector<const Event*> inOrder;
  for (const Event& event : events_) inOrder.push_back(&event);
  std::ranges::stable_sort(inOrder, {}, [](const Event* event) { return event->cycle; });
  std::string text = "Kanata\t0004\nC=\t0\n";
  u64 now = 0;
  for (const Event* const event : inOrder) {
    if (event->cycle != now) text += fmt::format("C\t{}\n", event->cycle - std::exchange(now, event->cycle));
    text += event->text;
  }
  return text;
}

}  // namespace warpwright::spe
