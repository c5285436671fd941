#include "report/series_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace warpwright::report {
namespace {

// A column of the page: the sum of the columns of the CSV whose names begin so. A dot at the end: of a group (accesses by type).
struct Column {
  const char* name;
  const char* prefix;
};

constexpr Column kColumns[] = {
    {"cycles", "cycles"},
    {"warp_instructions", "sm.warp_instructions"},
    {"sm_cycles", "sm.cycles"},
    {"resident_warp_cycles", "sm.resident_warp_cycles"},
    {"l1d_accesses", "l1d.accesses."},
    {"l1d_hits", "l1d.hits."},
    {"l2_accesses", "memory.partition.l2.accesses."},
    {"l2_hits", "memory.partition.l2.hits."},
    {"dram_bytes", "memory.dram.moved_bytes"},
};
constexpr std::string_view kSlotColumns = "sm.slots.";

using Cells = std::vector<std::string_view>;

std::vector<std::string_view> parts(std::string_view text, char separator) {
  std::vector<std::string_view> result;
  for (std::size_t begin = 0; begin <= text.size(); begin += result.back().size() + 1)
    result.push_back(text.substr(begin, text.find(separator, begin) - begin));
  return result;
}

// A column of the page and the columns of the CSV that make it.
struct Selected {
  std::string name;
  std::vector<std::size_t> from;
};

std::vector<Selected> selectedOf(const Cells& header) {
  std::vector<Selected> selected;
  for (const Column& column : kColumns) {
    const std::string_view prefix = column.prefix;
    Selected each{column.name, {}};
    for (std::size_t i = 0; i < header.size(); ++i)
      if (header[i] == prefix || (prefix.ends_with('.') && header[i].starts_with(prefix))) each.from.push_back(i);
    if (each.from.empty())
      throw Error(fmt::format("a time series of the store has no column '{}'", prefix), {}, "run the experiment anew in another store");
    selected.push_back(std::move(each));
  }
  for (std::size_t i = 0; i < header.size(); ++i)
    if (header[i].starts_with(kSlotColumns)) selected.push_back({"slots." + std::string(header[i].substr(kSlotColumns.size())), {i}});
  return selected;
}

double numberOf(std::string_view cell) { return std::strtod(std::string(cell).c_str(), nullptr); }

[[noreturn]] void refuse() { throw Error("a time series of the store is damaged", {}, "run the experiment anew in another store"); }

// Lines of the CSV added up.
struct Row {
  double from = 0, until = 0;
  std::vector<double> sums;

  Json json() const {
    Json cells = {numberJson(from), numberJson(until)};
    for (const double sum : sums) cells.push_back(numberJson(sum));
    return cells;
  }
};

Row sumOf(std::span<const std::string_view> lines, const std::vector<Selected>& selected, std::size_t width) {
  Row row{.sums = std::vector<double>(selected.size())};
  for (const std::string_view line : lines) {
    const Cells cells = parts(line, ',');
    if (cells.size() != width) refuse();
    if (line.data() == lines.front().data()) row.from = numberOf(cells[0]);
    row.until = numberOf(cells[1]);
    for (std::size_t i = 0; i < selected.size(); ++i)
      for (const std::size_t cell : selected[i].from) row.sums[i] += numberOf(cells[cell]);
  }
  return row;
}

}  // namespace

Json seriesOf(const std::string& csv, std::size_t mostRows) {
  std::vector<std::string_view> lines = parts(csv, '\n');
  if (lines.back().empty()) lines.pop_back();
  if (lines.empty() || !lines.front().starts_with("from,until,")) refuse();
  const Cells header = parts(lines.front(), ',');
  const std::vector<Selected> selected = selectedOf(header);
  Json columns = {"from", "until"};
  for (const Selected& each : selected) columns.push_back(each.name);
  const std::span<const std::string_view> all = std::span(lines).subspan(1);
  const std::size_t together = std::max<std::size_t>(1, (all.size() + mostRows - 1) / mostRows);
  Json rows = Json::array();
  for (std::size_t first = 0; first < all.size(); first += together)
    rows.push_back(sumOf(all.subspan(first, std::min(together, all.size() - first)), selected, header.size()).json());
  return {{"columns", std::move(columns)}, {"rows", std::move(rows)}};
}

}  // namespace warpwright::report
