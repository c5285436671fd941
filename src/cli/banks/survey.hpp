// A bank map asked for many access patterns, and the answers as table, bars, SVG, JSON and CSV.
#pragma once

#include <string>
#include <vector>
#include <warpwright/parallel_memory/conflicts.hpp>
#include <warpwright/parallel_memory/hardware_cost.hpp>
#include <warpwright/parallel_memory/routing.hpp>
#include <warpwright/parallel_memory/xor_map.hpp>

#include "base/types.hpp"
#include "stats/json.hpp"

namespace warpwright::cli {

struct SurveyRow {
  std::string pattern;
  parallel_memory::Degrees degrees;
  parallel_memory::Network network;  // that brings the words to their banks
};

struct Survey {
  std::string map;  // as makeBankMap() takes it
  u32 banks = 0, lineWords = 0, lanes = 0;
  u64 words = 0;
  std::optional<parallel_memory::XorMatrix> matrix;  // nothing for maps that are not linear over GF(2)
  std::vector<parallel_memory::HardwarePart> cost;   // empty where there are no formulas
  std::vector<SurveyRow> rows;
};

Survey surveyOf(const std::string& name, const parallel_memory::BankMap& map, const std::vector<parallel_memory::Pattern>& patterns,
                u32 lanes);

std::string surveyTable(const Survey& survey);
stats::Json surveyJson(const Survey& survey);
std::string surveyCsv(const Survey& survey);
// A bar for each pattern: dark up to the mean degree, light up to the worst.
std::string surveySvg(const Survey& survey);

// What the first rows of the banks hold, as the figures of parallel memories show it: a column a bank, the addresses in its cells.
std::string layoutTable(const parallel_memory::BankMap& map, u64 rows);

}  // namespace warpwright::cli
