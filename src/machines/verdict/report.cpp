#include <fmt/format.h>

#include "machines/verdict/verdict.hpp"
#include "profile/findings.hpp"
#include "profile/units.hpp"
#include "stats/json.hpp"

namespace warpwright::machines {

using profile::percentText;

void appendLimits(profile::TextPage& page, const std::vector<Limit>& limits) {
  page.heading("What limits it (shares of the issue slots)");
  if (limits.empty()) page.row("  Nothing takes {} of the slots or more", percentText(kLeastShare));
  std::size_t number = 1;
  for (const Limit& limit : limits) {
    page.paragraph(fmt::format("  {}. {} {}: {}", number++, percentText(limit.share), limit.rule, limit.evidence), 5);
    std::string lines;
    for (const profile::SourceLine& where : limit.where) lines += (lines.empty() ? "" : ", ") + profile::positionText(where);
    if (!lines.empty()) page.paragraph("     at " + lines, 8);
    page.paragraph("     remedy: " + limit.remedy, 8);
  }
}

stats::Json limitsJson(const std::vector<Limit>& limits) {
  stats::Json result = stats::Json::array();
  for (const Limit& limit : limits) {
    stats::Json lines = stats::Json::array();
    for (const profile::SourceLine& where : limit.where) lines.push_back({{"file", where.file}, {"line", where.line}});
    result.push_back({{"rule", limit.rule},
                      {"share", limit.share},
                      {"evidence", limit.evidence},
                      {"remedy", limit.remedy},
                      {"what_if", limit.whatIfs},
                      {"lines", lines}});
  }
  return result;
}

}  // namespace warpwright::machines
