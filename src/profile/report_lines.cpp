// The table of source lines.
#include <algorithm>
#include <filesystem>

#include "base/demangle.hpp"
#include "profile/derived.hpp"
#include "profile/report.hpp"
#include "profile/source_text.hpp"
#include "profile/text_page.hpp"
#include "profile/units.hpp"

namespace warpwright::profile {
namespace {

using stats::ratio;

constexpr u32 kFigureColumns = 66;  // what the figures take; source text has the rest

std::string branchText(const BranchCounts& control) {
  return control.branches == 0 ? "" : percentText(ratio(control.divergent, control.branches));
}

void lineRow(TextPage& page, const SourceLine& where, const LineProfile& profile, u64 allWarps, u32 warpSize, const std::string& source) {
  const Counters& line = profile.counters;
  const u64 warps = line.warpInstructions.total();
  const Traffic global = line.global.total(), local = line.local.total();
  Traffic memory = global;
  stats::merge(memory, local);
  const BankTraffic shared = line.shared.total();
  page.row("{:>5} {:>9}{:>8}{:>8}{:>8}{:>6}{:>8}{:>6}{:>5}  {}", where.line == 0 ? "-" : fmt::format("{}", where.line), countText(warps),
           percentText(ratio(warps, allWarps)), percentText(simdEfficiency(line, warpSize)), branchText(line.control),
           memory.requests == 0 ? "" : ratioText(sectorsPerRequest(memory), 1),
           memory.requests == 0 ? "" : percentText(sectorEfficiency(memory)),
           global.requests == 0 ? "" : ratioText(ratio(global.sectors, profile.footprintSectors), 1),
           shared.requests == 0 ? "" : ratioText(meanDegree(shared), 1),
           clipped(source, page.width() - std::min(page.width(), kFigureColumns)));
}

}  // namespace

std::string lineTable(const KernelProfile& kernel, const ReportOptions& options) {
  TextPage page(options);
  SourceText sources;
  std::string file = "-";
  const u64 all = kernel.counters().warpInstructions.total();
  page.heading("Source lines of " + clipped(demangled(kernel.name()), options.width - std::min(options.width, 16u)));
  for (const auto& [where, line] : kernel.lines()) {
    if (where.file != file) {
      file = where.file;
      page.row("");
      page.row("  {}", file.empty() ? "code without a source line (compile with -lineinfo)" : clipped(file, options.width - 2));
      page.row("{:>5} {:>9}{:>8}{:>8}{:>8}{:>6}{:>8}{:>6}{:>5}  {}", "", "warp", "", "lanes", "diver-", "sect.", "bytes", "re-", "bank",
               "");
      page.row("{:>5} {:>9}{:>8}{:>8}{:>8}{:>6}{:>8}{:>6}{:>5}  {}", "line", "instr.", "share", "active", "gent", "/req.", "used", "use",
               "deg.", "source");
    }
    lineRow(page, where, line, all, kernel.warpSize(), sources.line(where.file, where.line));
  }
  return page.take();
}

}  // namespace warpwright::profile
