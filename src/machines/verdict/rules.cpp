#include "machines/verdict/rules.hpp"

#include <algorithm>
#include <utility>

#include "profile/findings.hpp"

namespace warpwright::machines::verdict {
namespace {

constexpr std::size_t kMostLines = 3;

}  // namespace

std::span<const Rule> rules() {
  static constexpr Rule kRules[] = {
      launches, smsWithoutWork, schedulersWithoutWarps, waitsForMemory, loadStoreUnit, pipes, waitsForPipes, issue, barriers, fetch};
  return kRules;
}

std::vector<profile::SourceLine> linesThatLost(const Evidence& evidence, std::initializer_list<sm::Slot> slots) {
  std::vector<std::pair<u64, profile::SourceLine>> lost;
  for (const auto& [where, line] : evidence.kernel().lines) {
    u64 sum = 0;
    for (const sm::Slot slot : slots) sum += line.stalls[slot];
    if (sum != 0 && where.line != 0) lost.emplace_back(sum, where);
  }
  std::ranges::stable_sort(lost, [](const auto& a, const auto& b) { return a.first > b.first; });
  if (lost.size() > kMostLines) lost.resize(kMostLines);
  std::vector<profile::SourceLine> lines;
  for (auto& [sum, where] : lost) lines.push_back(std::move(where));
  return lines;
}

std::vector<profile::SourceLine> linesRemarked(const Evidence& evidence, std::string_view remark) {
  std::vector<profile::SourceLine> lines;
  if (evidence.profile() == nullptr) return lines;
  for (const profile::Finding& finding : profile::findingsOf(*evidence.profile()))
    if (finding.rule == remark && finding.where.line != 0 && lines.size() < kMostLines) lines.push_back(finding.where);
  return lines;
}

}  // namespace warpwright::machines::verdict
