// What the kind.cpp of several mechanisms need.
#pragma once

#include <deque>
#include <memory>

#include "mechanisms/mechanism.hpp"
#include "stats/named_structure.hpp"

namespace warpwright::mechanisms {

// For Kind::make: an M made of its settings and the machine.
template <class M, class Settings>
std::unique_ptr<Mechanism> makeFor(const std::any& settings, const config::Machine& machine) {
  return std::make_unique<M>(*std::any_cast<Settings>(&settings), machine);
}

// For Kind::observed and Kind::counted: the structures S under one name, with all counters at zero.
template <class S>
stats::NamedStatistics zeroOf(std::string_view name) {
  stats::NamedStatistics result;
  result.add(name, stats::Structure(S{}));
  return result;
}

// A mechanism of the timed machine that counts in an S for each SM.
template <stats::Statistics S>
class CountsBySm : public Mechanism {
 public:
  explicit CountsBySm(std::string_view name) : name_(name) {}
  void collect(stats::NamedStatistics& into) const final {
    for (const S& each : statistics_) into.add(name_, stats::Structure(each));
  }

 protected:
  // Stays where it is.
  S& addSm() { return statistics_.emplace_back(); }

 private:
  std::string_view name_;
  std::deque<S> statistics_;
};

}  // namespace warpwright::mechanisms
