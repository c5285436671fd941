// Checks a command stream against the rules that data sheets state, pair by pair and with the whole history. It knows nothing of the
// channel's timing tables or of its bookkeeping.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "unit/mem/dram/probe.hpp"

namespace warpwright::mem::testing {

class LegalityChecker {
 public:
  explicit LegalityChecker(const config::Dram& dram) : d_(dram), banks_(dram.ranks * dram.banks) {}

  void check(const std::vector<LoggedCommand>& stream) {
    for (const LoggedCommand& command : stream) {
      checkBuses(command);
      checkBank(command);
      for (const LoggedCommand& earlier : history_) checkPair(earlier, command);
      checkActivationWindow(command);
      checkDataBus(command);
      history_.push_back(command);
    }
    checkRefreshes();
  }

  const std::vector<std::string>& violations() const { return violations_; }

 private:
  using C = dram::Command;
  struct Bank {
    bool open = false;
    u64 row = 0;
  };
  struct Burst {
    u64 start = 0, end = 0;
    u32 rank = 0;
    bool isWrite = false;
  };

  static bool isRead(C c) { return c == C::read || c == C::readPrecharge; }
  static bool isWrite(C c) { return c == C::write || c == C::writePrecharge; }
  static bool isColumn(C c) { return isRead(c) || isWrite(c); }
  static bool closesItself(C c) { return c == C::readPrecharge || c == C::writePrecharge; }
  u64 burst() const { return d_.burstLength / d_.dataRate; }
  u64 longer(u32 general, u32 inGroup) const { return std::max(general, inGroup); }

  void fail(const LoggedCommand& command, const std::string& rule) {
    violations_.push_back(fmt::format("tick {}: {} to bank {}: {}", command.tick, name(command.command), command.location.bank, rule));
  }
  void requireDistance(const LoggedCommand& earlier, const LoggedCommand& later, u64 ticks, const char* rule) {
    if (later.tick < earlier.tick + ticks) fail(later, fmt::format("{} after {} in tick {}", rule, name(earlier.command), earlier.tick));
  }

  // One command a tick; HBM takes a row command and a column command.
  void checkBuses(const LoggedCommand& command) {
    for (const LoggedCommand& earlier : history_) {
      if (earlier.tick > command.tick) fail(command, "issued before its predecessor");
      const bool sameBus = d_.kind != config::DramKind::hbm2 || isColumn(earlier.command) == isColumn(command.command);
      if (earlier.tick == command.tick && sameBus) fail(command, "command bus is taken");
    }
  }

  void checkBank(const LoggedCommand& command) {
    Bank& bank = banks_[command.location.bank];
    if (command.command == C::activate) {
      if (bank.open) fail(command, "bank is open");
      bank = {true, command.location.row};
    } else if (command.command == C::precharge) {
      bank.open = false;
    } else if (isColumn(command.command)) {
      if (!bank.open || bank.row != command.location.row) fail(command, "row is not open");
      if (command.location.column >= d_.rowBytes / (d_.busBytes * d_.burstLength)) fail(command, "no such column");
      if (closesItself(command.command)) bank.open = false;
    } else {
      for (u32 i = 0; i < d_.banks; ++i) {
        Bank& each = banks_[command.location.rank * d_.banks + i];
        if (command.command == C::refresh && each.open) fail(command, "a bank is open");
        each.open = false;
      }
    }
  }

  void checkPair(const LoggedCommand& a, const LoggedCommand& b) {
    if (a.location.rank != b.location.rank) return;
    checkRank(a, b);
    if (a.location.group == b.location.group && d_.bankGroups > 1) checkGroup(a, b);
    const bool wholeRank =
        a.command == C::prechargeAll || b.command == C::prechargeAll || b.command == C::refresh || a.command == C::refresh;
    if (a.location.bank == b.location.bank || wholeRank) checkSameBank(a, b);
  }

  void checkRank(const LoggedCommand& a, const LoggedCommand& b) {
    if (a.command == C::activate && b.command == C::activate) requireDistance(a, b, d_.tRRD, "tRRD");
    if (isRead(a.command) && isRead(b.command)) requireDistance(a, b, d_.tCCD, "tCCD");
    if (isWrite(a.command) && isWrite(b.command)) requireDistance(a, b, d_.tCCD, "tCCD");
    if (isWrite(a.command) && isRead(b.command)) requireDistance(a, b, d_.tWL + burst() + d_.tWTR, "tWTR");
    if (isRead(a.command) && isWrite(b.command) && d_.tRTW != 0) requireDistance(a, b, d_.tRTW, "tRTW");
  }

  void checkGroup(const LoggedCommand& a, const LoggedCommand& b) {
    if (a.command == C::activate && b.command == C::activate) requireDistance(a, b, longer(d_.tRRD, d_.tRRDL), "tRRDL");
    if (isRead(a.command) && isRead(b.command)) requireDistance(a, b, longer(d_.tCCD, d_.tCCDL), "tCCDL");
    if (isWrite(a.command) && isWrite(b.command)) requireDistance(a, b, longer(d_.tCCD, d_.tCCDL), "tCCDL");
    if (isWrite(a.command) && isRead(b.command)) requireDistance(a, b, d_.tWL + burst() + longer(d_.tWTR, d_.tWTRL), "tWTRL");
  }

  // Also pairs of which one command goes to all banks of the rank.
  void checkSameBank(const LoggedCommand& a, const LoggedCommand& b) {
    const bool closes = b.command == C::precharge || b.command == C::prechargeAll;
    const bool opens = b.command == C::activate, refreshes = b.command == C::refresh;
    const u64 writeRecovery = d_.tWL + burst() + d_.tWR;
    switch (a.command) {
      case C::activate:
        if (opens) requireDistance(a, b, d_.tRC, "tRC");
        if (isColumn(b.command)) requireDistance(a, b, d_.tRCD, "tRCD");
        if (closes) requireDistance(a, b, d_.tRAS, "tRAS");
        if (refreshes || opens) requireDistance(a, b, d_.tRAS + d_.tRP, "tRAS + tRP");
        break;
      case C::precharge:
      case C::prechargeAll:
        if (opens || refreshes) requireDistance(a, b, d_.tRP, "tRP");
        break;
      case C::read:
      case C::readPrecharge:
        if (closes) requireDistance(a, b, d_.tRTP, "tRTP");
        if (closesItself(a.command) && (opens || refreshes)) requireDistance(a, b, d_.tRTP + d_.tRP, "tRTP + tRP");
        break;
      case C::write:
      case C::writePrecharge:
        if (closes) requireDistance(a, b, writeRecovery, "tWR");
        if (closesItself(a.command) && (opens || refreshes)) requireDistance(a, b, writeRecovery + d_.tRP, "tWR + tRP");
        break;
      case C::refresh:
        requireDistance(a, b, d_.tRFC, "tRFC");
        break;
    }
  }

  void checkActivationWindow(const LoggedCommand& command) {
    if (command.command != C::activate || d_.tFAW == 0) return;
    u32 recent = 1;
    for (const LoggedCommand& earlier : history_) {
      const bool inWindow = earlier.tick + d_.tFAW > command.tick && earlier.location.rank == command.location.rank;
      recent += inWindow && earlier.command == C::activate;
    }
    if (recent > 4) fail(command, "fifth activation within tFAW");
  }

  // Bursts do not overlap, and drivers have time to change.
  void checkDataBus(const LoggedCommand& command) {
    if (!isColumn(command.command)) return;
    const bool writes = isWrite(command.command);
    const u64 start = command.tick + (writes ? d_.tWL : d_.tCL);
    const Burst burstNow{start, start + burst(), command.location.rank, writes};
    for (const Burst& earlier : bursts_) {
      const u64 gap = earlier.rank != burstNow.rank ? d_.tRTRS : 0;
      if (burstNow.start < earlier.end + gap) fail(command, fmt::format("data bus is taken until {}", earlier.end + gap));
      const bool toWrite = !earlier.isWrite && writes && earlier.rank == burstNow.rank;
      if (toWrite && d_.tRTW == 0 && burstNow.start < earlier.end + 2) fail(command, "no two idle ticks between read and write data");
    }
    bursts_.push_back(burstNow);
  }

  // Every rank is refreshed once a tREFI; JEDEC lets at most eight be late, this controller lets one.
  void checkRefreshes() {
    if (d_.tREFI == 0 || history_.empty()) return;
    for (u32 rank = 0; rank < d_.ranks; ++rank) {
      u64 refreshes = 0;
      for (const LoggedCommand& command : history_) refreshes += command.command == C::refresh && command.location.rank == rank;
      const u64 due = history_.back().tick / d_.tREFI;
      if (refreshes + 1 < due || refreshes > due + 1)
        violations_.push_back(fmt::format("rank {}: {} refreshes, {} due", rank, refreshes, due));
    }
  }

  config::Dram d_;
  std::vector<Bank> banks_;
  std::vector<LoggedCommand> history_;
  std::vector<Burst> bursts_;
  std::vector<std::string> violations_;
};

}  // namespace warpwright::mem::testing
