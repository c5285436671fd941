// `warpwright banks`: where a bank map finds conflicts (docs/bank-maps.md).
#include <fmt/format.h>

#include <bit>
#include <set>
#include <warpwright/parallel_memory/bank_table.hpp>
#include <warpwright/parallel_memory/schemes.hpp>

#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/app.hpp"
#include "cli/banks/scheme_choice.hpp"
#include "cli/banks/search.hpp"
#include "cli/banks/stream.hpp"
#include "cli/banks/survey.hpp"
#include "cli/checks.hpp"

namespace warpwright::cli {
namespace {

namespace pm = parallel_memory;

constexpr const char* kBanksExamples =
    "Examples:\n"
    "  warpwright banks --list                           the schemes and their parameters\n"
    "  warpwright banks --scheme sams --q 3 --s 2        strides 1 to 32 on 8 banks\n"
    "  warpwright banks --scheme sams:q=3,s=2 --layout 4     and what the banks hold\n"
    "  warpwright banks --scheme swizzle --q 5 --strides 64 --svg swizzle.svg\n"
    "  warpwright banks --scheme 2dsmm --q 4 --vs 1 --hs 2 --columns 64 --pattern block:4x4@64,2x4 --pattern stride:12\n"
    "  warpwright banks --scheme table:my.map --json my.json\n"
    "  warpwright banks stream --scheme harper --q 3 --s 4 --busy 8 --length 128     long vectors, busy banks\n"
    "\n"
    "The degree of an access is the number of rows that its busiest bank is asked for; 1 without conflict. Words of one row are served\n"
    "together. With s >= 1, SAMS serves unit stride and stride family s; other odd strides do conflict.\n";

struct BanksChoice {
  SchemeChoice map;
  std::string json, csv, svg, writeTable;
  std::vector<std::string> patterns;
  u64 strides = 0, layout = 0;
  u32 lanes = 0;
  bool list = false;
};

void listSchemes() {
  for (const pm::Scheme& scheme : pm::schemes()) {
    fmt::print("{}\n    {}\n", scheme.name, scheme.text);
    for (const pm::Parameter& parameter : scheme.parameters) fmt::print("    {}: {}\n", parameter.name, parameter.text);
  }
  fmt::print(
      "matrix:MASKS[/PARTNER]\n    linear over GF(2): a mask of address bits for each bit of the bank, such as 0x9,0x12; /0x4: words whose "
      "addresses differ in these bits share a row\n");
  fmt::print("table:FILE\n    a line 'banks line_words', then 'bank row offset' for each address\n");
  fmt::print("\nAll but the last two have q, the logarithm of the number of banks (default 5), and n, that of the words.\n");
}

std::vector<pm::Pattern> patternsFor(const BanksChoice& choice, u32 lanes, u32 banks) {
  std::vector<pm::Pattern> patterns;
  for (const std::string& text : choice.patterns)
    for (pm::Pattern& pattern : pm::parsePatterns(text, lanes)) patterns.push_back(std::move(pattern));
  const u64 strides = choice.strides == 0 && patterns.empty() ? 4 * u64{banks} : choice.strides;
  for (u64 stride = 1; stride <= strides; ++stride) patterns.push_back(pm::stridedPattern(stride, lanes));
  return patterns;
}

void show(const BanksChoice& choice) {
  const std::string name = choice.map.text();
  const u64 banks = u64{1} << std::min<u64>(choice.map.value("q", 5), 10);
  const auto map = pm::makeBankMap(name, memoryFor(choice.map, 4 * banks * std::max(choice.strides, 4 * banks)));
  const u32 lanes = choice.lanes == 0 ? std::bit_floor(map->banks()) : choice.lanes;
  const Survey survey = surveyOf(name, *map, patternsFor(choice, lanes, map->banks()), lanes);
  fmt::print("{}", surveyTable(survey));
  if (choice.layout != 0) fmt::print("\n{}", layoutTable(*map, choice.layout));
  if (!choice.json.empty()) writeFile(choice.json, surveyJson(survey).dump(2) + "\n");
  if (!choice.csv.empty()) writeFile(choice.csv, surveyCsv(survey));
  if (!choice.svg.empty()) writeFile(choice.svg, surveySvg(survey));
  if (!choice.writeTable.empty()) pm::writeTable(*map, map->words(), choice.writeTable);
}

}  // namespace

void addBanks(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("banks", "Show for which strides and patterns a memory's banks conflict");
  auto choice = std::make_shared<BanksChoice>();
  addSchemeOptions(*command, choice->map);
  command->add_flag("--list", choice->list, "List the schemes and their parameters");
  command->add_option("--strides", choice->strides, "Strides 1 to N; default 4 x banks, none with --pattern")
      ->check(CLI::Range(1, 65536))
      ->type_name("N");
  command
      ->add_option(
          "--pattern", choice->patterns,
          "stride:S, family:V, block:RxC@P, diagonal@P or antidiagonal@P of an array with P columns; ,VxH behind the last three: lanes "
          "V rows and H columns apart; /A behind: base addresses that are multiples of A. Repeatable")
      ->type_name("PATTERN");
  command->add_option("--lanes", choice->lanes, "Lanes of an access; default: as many as banks, a power of two")
      ->check(CLI::Range(1, 1024))
      ->type_name("N");
  command->add_option("--layout", choice->layout, "Also print what the first ROWS rows of the banks hold")
      ->check(CLI::Range(1, 4096))
      ->type_name("ROWS");
  command->add_option("--svg", choice->svg, "Write the bars as a picture")->type_name("FILE");
  command->add_option("--json", choice->json, "Write the table as JSON")->type_name("FILE");
  command->add_option("--csv", choice->csv, "Write the table as CSV")->type_name("FILE");
  command->add_option("--write-table", choice->writeTable, "Write the map as a table, for table:FILE")->type_name("FILE");
  addBankSearch(*command, status);
  addBankStream(*command, status);
  command->footer(kBanksExamples);
  command->callback([choice, command, &status] {
    if (!command->get_subcommands().empty()) return;
    status = 0;
    if (choice->list) return listSchemes();
    show(*choice);
  });
}

}  // namespace warpwright::cli
