// The table of source lines: what the memory system did for the instructions of each.
#include <algorithm>

#include "machines/timing_report.hpp"
#include "profile/source_text.hpp"
#include "profile/text_page.hpp"
#include "profile/units.hpp"

namespace warpwright::machines {
namespace {

using mem::CacheUse;
using mem::Traffic;
using profile::bytesText;
using profile::countText;

constexpr u32 kTrafficColumns = 74;  // what the figures take; source text has the rest

// Of data, constants and texels; the instructions' own fetches are told in JSON alone.
CacheUse firstLevel(const Traffic& traffic) {
  CacheUse all = traffic.l1d;
  stats::merge(all, traffic.l1c);
  stats::merge(all, traffic.texture);
  return all;
}

std::string accessesText(const CacheUse& use) { return use.accesses == 0 ? "" : countText(use.accesses); }
std::string hitsText(const CacheUse& use) { return use.accesses == 0 ? "" : profile::percentText(stats::ratio(use.hits, use.accesses)); }
std::string movedText(u64 bytes) { return bytes == 0 ? "" : bytesText(bytes); }

void trafficRow(profile::TextPage& page, const std::string& line, const Traffic& traffic, const std::string& source) {
  const CacheUse first = firstLevel(traffic);
  page.row("{:>5} |{:>8}{:>8} |{:>8}{:>8} |{:>10}{:>10} |{:>7}  {}", line, accessesText(first), hitsText(first), accessesText(traffic.l2),
           hitsText(traffic.l2), movedText(traffic.dram.bytesRead), movedText(traffic.dram.bytesWritten),
           traffic.loads.count == 0 ? "" : profile::ratioText(stats::ratio(traffic.loads.cycles, traffic.loads.count), 1),
           profile::clipped(source, page.width() - std::min(page.width(), kTrafficColumns)));
}

}  // namespace

std::string trafficTable(const KernelTiming& kernel, const profile::ReportOptions& options) {
  profile::TextPage page(options);
  profile::SourceText sources;
  std::string file = "-";
  page.heading("Memory traffic of source lines");
  for (const auto& [where, line] : kernel.lines) {
    if (line.traffic == Traffic{}) continue;
    if (where.file != file) {
      file = where.file;
      page.row("");
      page.row("  {}", file.empty() ? "code without a source line (compile with -lineinfo)" : profile::clipped(file, options.width - 2));
      page.row("{:>5} |{:>8}{:>8} |{:>8}{:>8} |{:>10}{:>10} |{:>7}", "", "L1", "", "L2", "", "DRAM", "DRAM", "load");
      page.row("{:>5} |{:>8}{:>8} |{:>8}{:>8} |{:>10}{:>10} |{:>7}  {}", "line", "access.", "hit", "access.", "hit", "read", "written",
               "latency", "source");
    }
    trafficRow(page, where.line == 0 ? "-" : fmt::format("{}", where.line), line.traffic, sources.line(where.file, where.line));
  }
  if (!(kernel.otherTraffic == Traffic{}))
    trafficRow(page, "other", kernel.otherTraffic, "launches before or beside it, and no instruction");
  return page.take();
}

}  // namespace warpwright::machines
