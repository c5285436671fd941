#include "machines/energy/lines.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "machines/energy/report.hpp"
#include "profile/source_text.hpp"
#include "profile/text_page.hpp"
#include "profile/units.hpp"

namespace warpwright::machines {
namespace {

using energy::Account;

constexpr u32 kEnergyColumns = 74;  // what the figures take; source text has the rest

// Columns of the table, by the units that they add up.
struct Column {
  std::string_view title;
  std::array<std::string_view, 7> units;
};
constexpr Column kColumns[] = {{"instr.", {"instruction", "l1i"}},
                               {"regs", {"register_file", "operand_collector"}},
                               {"pipes", {"pipe"}},
                               {"L1", {"coalescer", "data_crossbar", "shared_memory", "l1d", "l1c", "l15c", "texture_cache"}},
                               {"L2", {"network", "l2", "llc"}},
                               {"DRAM", {"dram"}}};

std::string energyShareText(double part, double all) { return part == 0 || all == 0 ? "" : profile::percentText(stats::Ratio(part / all)); }

double energyIn(const Column& column, const Account& account) {
  double sum = 0;
  for (const std::string_view unit : column.units) sum += account.of(unit).value;
  return sum;
}

void headings(profile::TextPage& page) {
  std::string titles;
  for (const Column& column : kColumns) titles += fmt::format("{:>8}", column.title);
  page.row("{:>5} {:>9}{:>7} |{}  {}", "line", "energy", "share", titles, "source");
}

void row(profile::TextPage& page, const std::string& line, const Account& account, double all, const std::string& source) {
  std::string shares;
  for (const Column& column : kColumns) shares += fmt::format("{:>8}", energyShareText(energyIn(column, account), all));
  const double energy = account.total().value;
  page.row("{:>5} {:>9}{:>7} |{}  {}", line, scaledText(energy, "J"), energyShareText(energy, all), shares,
           profile::clipped(source, page.width() - std::min(page.width(), kEnergyColumns)));
}

}  // namespace

LineEnergies energyOfLines(const EnergyModel& model, const KernelTiming& kernel) {
  LineEnergies result;
  std::vector<Account> parts;
  for (const auto& [where, line] : kernel.lines) parts.push_back(result.lines[where] = model.account(line));
  result.rest = model.account(kernel.counters.gpu).rest(parts);
  return result;
}

std::string energyTable(const KernelTiming& kernel, const EnergyModel& model, const profile::ReportOptions& options) {
  const LineEnergies energies = energyOfLines(model, kernel);
  const double all = model.account(kernel.counters.gpu).total().value;
  profile::TextPage page(options);
  profile::SourceText sources;
  std::string file = "-";
  page.heading("Energy of source lines (shares of the kernel's)");
  for (const auto& [where, account] : energies.lines) {
    if (account.total().value == 0) continue;
    if (where.file != file) {
      file = where.file;
      page.row("");
      page.row("  {}", file.empty() ? "code without a source line (compile with -lineinfo)" : profile::clipped(file, options.width - 2));
      headings(page);
    }
    row(page, where.line == 0 ? "-" : fmt::format("{}", where.line), account, all, sources.line(where.file, where.line));
  }
  row(page, "other", energies.rest, all, "leakage, refresh, time, and what no instruction of the launch asked for");
  return page.take();
}

}  // namespace warpwright::machines
