// Where energy went: events counted, times what each costs, by unit.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "energy/amount.hpp"
#include "stats/conservation.hpp"

namespace warpwright::energy {

class Account {
 public:
  struct Line {
    std::string unit, event;
    u64 count = 0;
    Amount amount;
  };

  // Further events of a line that is there already add to it, also where they cost something else.
  void add(std::string_view unit, std::string_view event, u64 count, const Energy& each);
  void merge(const Account& other);

  // In the order in which they were first added.
  std::span<const Line> lines() const { return lines_; }
  // Null when there is none.
  const Line* find(std::string_view unit, std::string_view event) const;
  const std::map<std::string, Amount, std::less<>>& units() const { return units_; }
  // Of a unit; nothing when it has no line.
  Energy of(std::string_view unit) const;
  Energy total() const { return total_.energy(); }

  // What parts leave of it, line by line: with them it makes up the whole again, unless they have more of a line than there is.
  Account rest(std::span<const Account> parts) const;

  // Lines make up units, and units the whole: exactly (amount.hpp).
  void check(stats::Conservation& laws) const;

 private:
  void add(std::string_view unit, std::string_view event, u64 count, const Amount& amount);

  std::vector<Line> lines_;
  std::map<std::string, Amount, std::less<>> units_;
  Amount total_;
};

// The parts (kernels of a run, launches of a kernel, lines of a program, SMs) make up the whole, line by line.
void checkParts(const Account& whole, std::span<const Account> parts, stats::Conservation& laws);

// What one makes of an energy and the time that it took, in seconds, more than 0.
struct Figures {
  Energy energy;
  Power power;  // average
  EnergyDelay energyDelay;
  EnergyDelay2 energyDelay2;
};
Figures figuresOf(const Account& account, double seconds);

}  // namespace warpwright::energy
