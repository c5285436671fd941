#include "cli/banks/survey.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <warpwright/parallel_memory/schemes.hpp>

#include "base/long_work.hpp"

namespace warpwright::cli {
namespace {

namespace pm = parallel_memory;

std::string shareText(const pm::Degrees& degrees) {
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(degrees.conflictFreeBases) / static_cast<double>(degrees.bases));
}

// A block for each unit of the mean, a shaded one for each further one of the worst.
std::string bar(const pm::Degrees& degrees) {
  std::string text;
  for (u32 unit = 1; unit <= degrees.worst; ++unit) text += unit <= std::lround(degrees.mean) ? "█" : "░";
  return text;
}

std::string gatesText(const Survey& survey) {
  if (!survey.matrix) return "no XOR matrix: the bank takes an addition or a division";
  return fmt::format("{} two-input XOR gates for the bank", pm::xorGates(*survey.matrix));
}

std::string costText(const Survey& survey) {
  std::string text;
  for (const auto& [name, size] : survey.cost) text += fmt::format("  {}: {}\n", name, size);
  return text.empty() ? text : "logic where the stride families may change at run time:\n" + text;
}

// Which network serves which patterns; empty where that is a crossbar for all.
std::string networksText(const Survey& survey) {
  std::map<std::pair<u64, std::string>, std::string> patterns;
  bool isNews = false;
  for (const SurveyRow& row : survey.rows) {
    if (row.degrees.bases == 0) continue;
    std::string& names = patterns[{row.network.crosspoints(), row.network.name}];
    names += (names.empty() ? "" : " ") + row.pattern;
    isNews = isNews || row.network.name != "crossbar";
  }
  if (!isNews) return "";
  std::string text = "\nnetworks between lanes and banks:\n";
  for (const auto& [network, names] : patterns) text += fmt::format("  {}, {} crosspoints: {}\n", network.second, network.first, names);
  return text;
}

stats::Json rowJson(const SurveyRow& row) {
  const pm::Degrees& degrees = row.degrees;
  stats::Json json = {{"pattern", row.pattern}, {"bases", degrees.bases}};
  if (degrees.bases == 0) return json;
  json["worst"] = degrees.worst;
  json["mean"] = degrees.mean;
  json["conflict_free_bases"] = degrees.conflictFreeBases;
  json["banks_differ"] = degrees.banksDiffer;
  json["network"] = {{"name", row.network.name}, {"crosspoints", row.network.crosspoints()}};
  return json;
}

}  // namespace

Survey surveyOf(const std::string& name, const pm::BankMap& map, const std::vector<pm::Pattern>& patterns, u32 lanes) {
  Survey survey{name, map.banks(), map.lineWords(), lanes, map.words(), pm::matrixOf(map), pm::hardwareCostOf(map), {}};
  const pm::BankTable table(map);
  LongWork work(name, patterns.size());
  for (const pm::Pattern& pattern : patterns) {
    work.begin(pattern.name);
    survey.rows.push_back({pattern.name, pm::degreesOf(table, pattern), pm::networkFor(map, pattern)});
  }
  return survey;
}

std::string surveyTable(const Survey& survey) {
  std::string text = fmt::format("{}: {} banks, {} a row, {} words; {} lanes together\n{}; a switch of {} x {} words\n{}\n", survey.map,
                                 survey.banks, survey.lineWords == 1 ? "1 word" : fmt::format("{} words", survey.lineWords), survey.words,
                                 survey.lanes, gatesText(survey), survey.lanes, survey.banks * survey.lineWords, costText(survey));
  text += fmt::format("{:<24}{:>6}{:>8}{:>15}\n", "pattern", "worst", "mean", "conflict-free");
  for (const auto& [pattern, degrees, network] : survey.rows) {
    text += degrees.bases == 0
                ? fmt::format("{:<24}does not fit\n", pattern)
                : fmt::format("{:<24}{:>6}{:>8.3f}{:>15}  {}\n", pattern, degrees.worst, degrees.mean, shareText(degrees), bar(degrees));
  }
  return text + networksText(survey) +
         "\nworst, mean: rows that the busiest bank is asked for, over all base addresses; conflict-free: of these\n";
}

stats::Json surveyJson(const Survey& survey) {
  stats::Json json = {{"map", survey.map},     {"banks", survey.banks}, {"line_words", survey.lineWords},
                      {"words", survey.words}, {"lanes", survey.lanes}, {"patterns", stats::Json::array()}};
  if (survey.matrix) {
    json["xor_gates"] = pm::xorGates(*survey.matrix);
    json["bank_masks"] = survey.matrix->bankMasks;
  }
  for (const auto& [name, size] : survey.cost) json["logic"][name] = size;
  for (const SurveyRow& row : survey.rows) json["patterns"].push_back(rowJson(row));
  return json;
}

std::string surveyCsv(const Survey& survey) {
  std::string text = "pattern,worst,mean,bases,conflict_free_bases,banks_differ,network,crosspoints\n";
  for (const auto& [pattern, degrees, network] : survey.rows)
    text += degrees.bases == 0 ? fmt::format("{},,,0,,,,\n", pattern)
                               : fmt::format("{},{},{},{},{},{},{},{}\n", pattern, degrees.worst, degrees.mean, degrees.bases,
                                             degrees.conflictFreeBases, degrees.banksDiffer, network.name, network.crosspoints());
  return text;
}

std::string layoutTable(const pm::BankMap& map, u64 rows) {
  std::map<std::tuple<u64, u32, u32>, u64> at;
  for (u64 address = 0; address < map.words(); ++address) {
    const pm::Cell cell = map.cellOf(address);
    if (cell.row < rows) at[{cell.row, cell.bank, cell.offset}] = address;
  }
  std::string text = "row";
  const std::size_t width = fmt::formatted_size("{}", map.words()) + 1;
  for (u32 bank = 0; bank < map.banks(); ++bank)
    text += fmt::format(" |{:>{}}", fmt::format("bank {}", bank), std::max<std::size_t>(width * map.lineWords(), 8));
  text += "\n";
  for (u64 row = 0; row < rows; ++row) {
    text += fmt::format("{:>3}", row);
    for (u32 bank = 0; bank < map.banks(); ++bank) {
      std::string cells;
      for (u32 offset = 0; offset < map.lineWords(); ++offset) {
        const auto found = at.find({row, bank, offset});
        cells += fmt::format("{:>{}}", found == at.end() ? "-" : fmt::format("{}", found->second), width);
      }
      text += fmt::format(" |{:>{}}", cells, std::max<std::size_t>(width * map.lineWords(), 8));
    }
    text += "\n";
  }
  return text;
}

}  // namespace warpwright::cli
