#include "cli/banks/search.hpp"

#include <fmt/format.h>

#include <bit>
#include <map>

#include "bank_search/problem.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/progress_line.hpp"
#include "cli/banks/survey.hpp"
#include "cli/checks.hpp"

namespace warpwright::cli {
namespace {

namespace pm = parallel_memory;
using bank_search::Outcome;
using bank_search::Problem;
using bank_search::Result;

constexpr const char* kBanksSearchExamples =
    "Examples:\n"
    "  warpwright banks search --q 3 --n 6 --pattern stride:1 --pattern family:2          is there one? No: rows of one word\n"
    "  warpwright banks search --q 3 --n 6 --wide --pattern stride:1 --pattern family:2   with rows of two\n"
    "  warpwright banks search --q 2 --n 4 --exhaustive --pattern stride:1/4 --pattern stride:4 --pattern block:2x2@4/2\n"
    "\n"
    "Searched are maps whose bank bits are exclusive-ors of the low n address bits, in a memory of any size. The map is printed as "
    "--scheme,\n"
    "and sm.memory.bank_map of a machine, take it.\n";

struct BanksSearchChoice {
  u32 q = 3, n = 8;
  bool wide = false, exhaustive = false;
  u64 limit = 10'000'000;
  std::vector<std::string> patterns;
  std::string json;
};

Problem problemOf(const BanksSearchChoice& choice) {
  if (choice.n < choice.q) throw Error(fmt::format("{} address bits cannot tell 2^{} banks apart", choice.n, choice.q), {}, "raise --n");
  Problem problem{choice.q, choice.n, choice.wide, {}};
  for (const std::string& text : choice.patterns)
    for (pm::Pattern& pattern : pm::parsePatterns(text, 1u << choice.q)) problem.patterns.push_back(std::move(pattern));
  return problem;
}

std::string mapText(const pm::XorMatrix& matrix) {
  std::string text = "matrix:";
  for (const u64 mask : matrix.bankMasks) text += fmt::format("{}{:#x}", text.back() == ':' ? "" : ",", mask);
  return matrix.linePartner == 0 ? text : text + fmt::format("/{:#x}", matrix.linePartner);
}

const char* outcomeText(const Result& result) {
  switch (result.outcome) {
    case Outcome::none:
      return "none: no such map serves all patterns";
    case Outcome::found:
      return "found, and none takes fewer gates";
    case Outcome::stopped:
      return result.matrix.bankMasks.empty() ? "stopped at the limit: not known whether there is one"
                                             : "found; stopped at the limit: not known whether another takes fewer gates";
  }
  return "";
}

stats::Json jsonOf(const Result& result) {
  constexpr const char* kNames[] = {"found", "none", "stopped"};
  stats::Json json = {{"outcome", kNames[static_cast<std::size_t>(result.outcome)]}};
  if (result.matrix.bankMasks.empty()) return json;
  json["map"] = mapText(result.matrix);
  json["bank_masks"] = result.matrix.bankMasks;
  json["line_partner"] = result.matrix.linePartner;
  json["xor_gates"] = result.gates;
  if (result.maps != 0) json["maps"] = result.maps;
  return json;
}

// "a0 ^ a3"
std::string sumText(u64 mask) {
  std::string text;
  for (; mask != 0; mask &= mask - 1) text += fmt::format("{}a{}", text.empty() ? "" : " ^ ", std::countr_zero(mask));
  return text;
}

// "banks search: 12 s, 81920 of at most 10000000 steps; the cheapest map so far takes 9 gates"
std::string progressText(double seconds, u64 steps, u64 limit, const Result& soFar) {
  std::string text = "banks search: " + durationText(seconds);
  if (steps != 0) text += fmt::format(", {} of at most {} steps", steps, limit);
  return text + (soFar.matrix.bankMasks.empty() ? "; no map so far" : fmt::format("; the cheapest map so far takes {} gates", soFar.gates));
}

Result searchAloud(const Problem& problem, const BanksSearchChoice& choice) {
  ProgressLine line(ProgressLine::In::terminalsAndLogs);
  const auto watch = [&](u64 steps, const Result& soFar) {
    if (line.isDue()) line.show(progressText(line.seconds(), steps, choice.limit, soFar));
  };
  return choice.exhaustive ? searchExhaustively(problem, choice.limit, watch) : searchWithSolver(problem, choice.limit, watch);
}

void search(const BanksSearchChoice& choice) {
  const Problem problem = problemOf(choice);
  const Result result = searchAloud(problem, choice);
  if (!choice.json.empty()) writeFile(choice.json, jsonOf(result).dump(2) + "\n");
  fmt::print("2^{} banks, {} address bits, rows of {}: {}\n", choice.q, choice.n, choice.wide ? "one or two words" : "one word",
             outcomeText(result));
  if (result.maps != 0) fmt::print("{} maps, but for the names of banks\n", result.maps);
  if (result.matrix.bankMasks.empty()) return;
  for (std::size_t bit = 0; bit < result.matrix.bankMasks.size(); ++bit)
    fmt::print("  bank bit {} = {}\n", bit, sumText(result.matrix.bankMasks[bit]));
  if (result.matrix.linePartner != 0) fmt::print("  a row holds a word and the one with {} inverted\n", sumText(result.matrix.linePartner));
  // Far enough for every base address within a period of the banks.
  const pm::XorMap map(result.matrix, std::min(choice.n + choice.q + 1, 20u));
  fmt::print("\n{}", surveyTable(surveyOf(mapText(result.matrix), map, problem.patterns, 1u << choice.q)));
}

}  // namespace

void addBankSearch(CLI::App& banks, int& status) {
  CLI::App* command =
      banks.add_subcommand("search", "Search for a bank map that serves patterns without conflict, with the fewest XOR gates");
  auto choice = std::make_shared<BanksSearchChoice>();
  command->add_option("--q", choice->q, "Logarithm of the number of banks; default 3")->check(CLI::Range(1, 6))->type_name("N");
  command->add_option("--n", choice->n, "Address bits that the bank may depend on; default 8")->check(CLI::Range(1, 16))->type_name("N");
  command->add_option("--pattern", choice->patterns, "What must be served, as for `warpwright banks`. Repeatable")
      ->required()
      ->type_name("PATTERN");
  command->add_flag("--wide", choice->wide, "Rows may hold two words");
  command->add_flag("--exhaustive", choice->exhaustive, "Try all maps, and count them, instead of asking the SAT solver CaDiCaL");
  command->add_option("--limit", choice->limit, "Steps, or conflicts of the solver before each answer; default 10000000")
      ->check(positive<u64>())
      ->type_name("N");
  command->add_option("--json", choice->json, "Write what was found as JSON")->type_name("FILE");
  command->footer(kBanksSearchExamples);
  command->callback([choice, &status] {
    search(*choice);
    status = 0;
  });
}

}  // namespace warpwright::cli
