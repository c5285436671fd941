// The table of source lines: issue slots lost while a warp waited to issue an instruction of the line.
#include <algorithm>

#include "machines/timing_report.hpp"
#include "profile/source_text.hpp"
#include "profile/text_page.hpp"
#include "profile/units.hpp"

namespace warpwright::machines {
namespace {

using profile::countText;
using sm::Slot;

constexpr u32 kStallColumns = 74;  // what the figures take; source text has the rest

std::string shareText(u64 part, u64 all) { return part == 0 ? "" : profile::percentText(stats::ratio(part, all)); }

void lineRow(profile::TextPage& page, u32 number, const LineTiming& line, u64 all, const std::string& source) {
  const auto share = [&](std::initializer_list<Slot> slots) {
    u64 sum = 0;
    for (const Slot slot : slots) sum += line.stalls[slot];
    return shareText(sum, all);
  };
  page.row("{:>5} {:>9}{:>8}{:>8} |{:>8}{:>8}{:>8}{:>8}{:>7}  {}", number == 0 ? "-" : fmt::format("{}", number),
           countText(line.warpInstructions), countText(line.stalls.total()), shareText(line.stalls.total(), all),
           share({Slot::memoryDependence}), share({Slot::computeDependence}),
           share({Slot::memoryStructural, Slot::bankConflict, Slot::heldBack}), share({Slot::computeStructural, Slot::writeBackConflict}),
           share({Slot::barrier, Slot::fence, Slot::fetch, Slot::noWarp}),
           profile::clipped(source, page.width() - std::min(page.width(), kStallColumns)));
}

}  // namespace

std::string stallTable(const KernelTiming& kernel, const profile::ReportOptions& options) {
  profile::TextPage page(options);
  profile::SourceText sources;
  std::string file = "-";
  const u64 all = kernel.counters.gpu.sm.slots.total();
  page.heading("Issue slots lost at source lines (shares of all issue slots)");
  for (const auto& [where, line] : kernel.lines) {
    if (where.file != file) {
      file = where.file;
      page.row("");
      page.row("  {}", file.empty() ? "code without a source line (compile with -lineinfo)" : profile::clipped(file, options.width - 2));
      page.row("{:>5} {:>9}{:>8}{:>8} |{:>8}{:>8}{:>8}{:>8}{:>7}", "", "warp", "slots", "", "wait for", "pipes'", "memory", "pipes",
               "other");
      page.row("{:>5} {:>9}{:>8}{:>8} |{:>8}{:>8}{:>8}{:>8}{:>7}  {}", "line", "instr.", "lost", "share", "memory", "results", "full",
               "full", "", "source");
    }
    lineRow(page, where.line, line, all, sources.line(where.file, where.line));
  }
  return page.take();
}

}  // namespace warpwright::machines
