#include "spe/konata.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warpwright::spe {

void KonataLog::issued(const Instruction& instruction, u32 address, u64 cycle, u64 resultCycle) {
  const u64 id = count_++;
  const char* const stage = kindOf(unitOf(instruction.opcode)).pipe == Pipe::even ? "Ev" : "Od";
  events_.push_back(
      {cycle, fmt::format("I\t{0}\t{0}\t0\nL\t{0}\t0\t{1:05x}: {2}\nS\t{0}\t0\t{3}\n", id, address, nameOf(instruction.opcode), stage)});
  events_.push_back({resultCycle, fmt::format("E\t{0}\t0\t{1}\nR\t{0}\t{0}\t0\n", id, stage)});
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
