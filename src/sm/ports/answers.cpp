#include "sm/ports/answers.hpp"

namespace warpwright::sm {

void Answers::deliver(const mem::Request& response, Cycle now) {
  const u32 asker = response.id >> kAskerShift;
  if (asker == 0) return answers_.push_back({false, response.id});
  mem::Request own = response;
  own.id &= (1u << kAskerShift) - 1;
  stages_[asker - 1]->fill(own, now);
}

std::span<const Answer> Answers::take() {
  taken_.swap(answers_);
  answers_.clear();
  return taken_;
}

}  // namespace warpwright::sm
