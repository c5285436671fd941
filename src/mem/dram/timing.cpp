#include "mem/dram/timing.hpp"

#include <algorithm>

namespace warpwright::mem::dram {

namespace {

void postpone(DramTick& time, DramTick until) { time = std::max(time, until); }

template <class Rules>
void apply(const Rules& rules, std::array<DramTick, kCommands>& next, DramTick now) {
  for (const auto& rule : rules) postpone(next[static_cast<std::size_t>(rule.following)], now + rule.latency);
}

}  // namespace

Timing::Timing(const config::Dram& dram, std::span<const Constraint> table) {
  const std::array<u32, kLevels> parts = {1, dram.ranks, dram.ranks * dram.bankGroups, dram.ranks * dram.banks};
  for (std::size_t level = 0; level < kLevels; ++level) next_[level].assign(parts[level], NextTimes{});

  for (const Constraint& row : table) {
    const u32 latency = row.latency(dram);
    if (latency == 0) continue;
    const auto level = static_cast<std::size_t>(row.level);
    if (row.window > 1) {
      windows_.push_back({row.level, row.preceding, row.following, latency, row.window, {}, {}});
      windows_.back().times.assign(std::size_t{parts[level]} * row.window, DramTick{});
      windows_.back().oldest.assign(parts[level], 0);
      continue;
    }
    auto& rules = (row.scope == Scope::same ? same_ : other_)[level];
    for (std::size_t preceding = 0; preceding < kCommands; ++preceding) {
      if (!contains(row.preceding, static_cast<Command>(preceding))) continue;
      for (std::size_t following = 0; following < kCommands; ++following) {
        const auto command = static_cast<Command>(following);
        if (contains(row.following, command)) rules[preceding].push_back({command, latency});
      }
    }
  }
}

std::size_t Timing::part(Level level, const Location& location) {
  switch (level) {
    case Level::channel:
      return 0;
    case Level::rank:
      return location.rank;
    case Level::bankGroup:
      return location.group;
    case Level::bank:
      return location.bank;
  }
  return 0;
}

DramTick Timing::earliest(Command command, const Location& location) const {
  const DramTick inRank = earliestInRank(command, location.rank);
  // Commands to a whole rank follow the rules of channel and rank only.
  if (command == Command::refresh || command == Command::prechargeAll) return inRank;
  return std::max({inRank, earliestInGroup(command, location.group), earliestInBank(command, location.bank)});
}

void Timing::issue(Command command, const Location& location, DramTick now) {
  const auto c = static_cast<std::size_t>(command);
  for (std::size_t level = 0; level < kLevels; ++level) {
    const std::size_t own = part(static_cast<Level>(level), location);
    apply(same_[level][c], next_[level][own], now);
    if (other_[level][c].empty()) continue;
    for (std::size_t part = 0; part < next_[level].size(); ++part) {
      if (part != own) apply(other_[level][c], next_[level][part], now);
    }
  }
  for (Window& window : windows_) issueWindow(window, command, location, now);
}

void Timing::issueWindow(Window& window, Command command, const Location& location, DramTick now) {
  if (!contains(window.preceding, command)) return;
  const std::size_t own = part(window.level, location);
  u32& oldest = window.oldest[own];
  DramTick* times = &window.times[own * window.length];
  times[oldest] = now + window.latency;
  oldest = (oldest + 1) % window.length;
  for (std::size_t following = 0; following < kCommands; ++following) {
    if (contains(window.following, static_cast<Command>(following))) postpone(next(window.level, own)[following], times[oldest]);
  }
}

}  // namespace warpwright::mem::dram
