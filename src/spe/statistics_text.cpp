#include "spe/statistics_text.hpp"

#include <fmt/format.h>

namespace warpwright::spe {
namespace {

std::string row(std::string_view name, u64 count) { return fmt::format("  {:<32}{:>12}\n", name, count); }

std::string shareRow(std::string_view name, u64 cycles, u64 all) {
  const double share = all == 0 ? 0 : 100.0 * static_cast<double>(cycles) / static_cast<double>(all);
  return fmt::format("  {:<32}{:>12}{:>8.1f} %\n", name, cycles, share);
}

}  // namespace

std::string keyOf(std::string_view name) {
  std::string key(name);
  for (char& each : key)
    if (each == ' ' || each == '/') each = '_';
  return key;
}

std::string tableOf(const Statistics& statistics) {
  std::string text = "Instructions\n" + row("all", statistics.instructions);
  for (std::size_t unit = 0; unit < kUnits; ++unit)
    if (statistics.byUnit[unit] != 0) text += row(kUnitKinds[unit].name, statistics.byUnit[unit]);
  text += row("loads", statistics.loads) + row("stores", statistics.stores) + row("taken branches", statistics.takenBranches);
  text += "Cycles\n" + row("all", statistics.cycles);
  text += shareRow("two instructions issue", statistics.dualIssues, statistics.cycles);
  text += shareRow("one instruction issues", statistics.issueCycles - statistics.dualIssues, statistics.cycles);
  for (std::size_t stall = 0; stall < kStalls; ++stall)
    text += shareRow(fmt::format("stall: {}", kStallNames[stall]), statistics.stalls[stall], statistics.cycles);
  if (statistics.transfers != 0) {
    text += "Transfers\n" + row("commands", statistics.transfers) + row("bytes", statistics.transferBytes);
    text += row("accesses that did not wait", statistics.unawaited);
  }
  text += "Accesses to the local store, by port\n";
  for (std::size_t port = 0; port < kPorts; ++port) text += row(kPortNames[port], statistics.byPort[port]);
  text += "Local store and registers\n" + row("further cycles of conflicts", statistics.conflictCycles);
  text += row("words read in another layout", statistics.mismatches) + row("registers at most", statistics.mostRegisters);
  return text;
}

stats::Json jsonOf(const Statistics& statistics) {
  stats::Json json = {{"instructions", statistics.instructions},
                      {"loads", statistics.loads},
                      {"stores", statistics.stores},
                      {"taken_branches", statistics.takenBranches},
                      {"cycles", statistics.cycles},
                      {"issue_cycles", statistics.issueCycles},
                      {"dual_issues", statistics.dualIssues},
                      {"transfers", statistics.transfers},
                      {"transfer_bytes", statistics.transferBytes},
                      {"unawaited_accesses", statistics.unawaited},
                      {"conflict_cycles", statistics.conflictCycles},
                      {"layout_mismatches", statistics.mismatches},
                      {"registers", statistics.mostRegisters}};
  for (std::size_t unit = 0; unit < kUnits; ++unit) json["units"][keyOf(kUnitKinds[unit].name)] = statistics.byUnit[unit];
  for (std::size_t port = 0; port < kPorts; ++port) json["ports"][keyOf(kPortNames[port])] = statistics.byPort[port];
  for (std::size_t stall = 0; stall < kStalls; ++stall) json["stalls"][keyOf(kStallNames[stall])] = statistics.stalls[stall];
  return json;
}

}  // namespace warpwright::spe
