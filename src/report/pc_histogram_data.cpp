#include "report/pc_histogram_data.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "base/error.hpp"

namespace warpwright::report {
namespace {

// A row: where its interval begins, block, instruction, threads.
u64 cell(const Json& row, std::size_t column) { return row.at(column).get<u64>(); }

Json launchOf(const Json& launch, u64 interval, std::size_t mostSamples) {
  const Json& rows = launch.at("rows");
  Json result = {{"launch", launch.at("launch")}, {"interval", interval}, {"rows", Json::array()}};
  if (rows.empty()) return result;
  const u64 first = cell(rows.front(), 0), samples = (cell(rows.back(), 0) - first) / interval + 1;
  const u64 together = (samples + mostSamples - 1) / mostSamples, span = interval * together;
  std::map<std::array<u64, 3>, u64> sums;
  for (const Json& row : rows) sums[{first + (cell(row, 0) - first) / span * span, cell(row, 1), cell(row, 2)}] += cell(row, 3);
  result["interval"] = span;
  for (const auto& [key, threads] : sums)
    result["rows"].push_back({key[0], key[1], key[2], numberJson(static_cast<double>(threads) / static_cast<double>(together))});
  return result;
}

}  // namespace

Json pcHistogramOf(Json recorded, std::size_t mostSamples) {
  try {
    const u64 interval = recorded.at("interval").get<u64>();
    for (Json& launch : recorded.at("launches")) launch = launchOf(launch, interval, mostSamples);
    recorded.erase("interval");
    return recorded;
  } catch (const Json::exception&) {
    throw Error("a PC histogram of the store is damaged", {}, "run the experiment anew in another store");
  }
}

}  // namespace warpwright::report
