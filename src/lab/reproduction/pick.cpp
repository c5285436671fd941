#include "lab/reproduction/pick.hpp"

#include <algorithm>
#include <set>

namespace warpwright::lab {
namespace {

// Null: there is none.
const Row* rowOf(const Table& table, const std::string& program, const std::string& machine) {
  const auto found =
      std::find_if(table.rows.begin(), table.rows.end(), [&](const Row& row) { return row.program == program && row.machine == machine; });
  return found == table.rows.end() ? nullptr : &*found;
}

Row pickedRow(const Table& table, const Pick& pick, const Row& first) {
  const std::vector<std::string> least = leastOf(table, pick, first.program);
  Row row = least.empty() ? first : *rowOf(table, first.program, least.front());
  if (least.empty()) std::fill(row.values.begin(), row.values.end(), std::nullopt);
  row.machine = pick.name;
  return row;
}

// A column has a mean if any machine's rows have it.
bool has(const std::vector<MeanRow>& means, Mean mean, std::size_t column) {
  return std::any_of(means.begin(), means.end(), [&](const MeanRow& row) { return row.mean == mean && row.values[column]; });
}

MeanRow meanRow(const Table& table, Mean mean, const std::string& machine) {
  MeanRow result{mean, machine, {}, {}, {}, {}};
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    std::vector<const Row*> rows;
    u64 wanted = 0;
    for (const Row& row : table.rows) {
      if (row.machine != machine) continue;
      ++wanted;
      if (row.values[column]) rows.push_back(&row);
    }
    result.values.push_back(has(table.means, mean, column) ? meanOfRows(mean, rows, column, table.byApplication) : std::nullopt);
    result.counts.push_back(rows.size());
    result.wanted.push_back(wanted);
  }
  return result;
}

}  // namespace

std::vector<std::string> leastOf(const Table& table, const Pick& pick, const std::string& program) {
  const std::size_t column = columnOf(table, pick.least);
  std::vector<std::string> least;
  double value = 0;
  for (const std::string& machine : pick.machines) {
    const Row* row = rowOf(table, program, machine);
    if (row == nullptr || !row->values[column]) return {};
    if (least.empty() || *row->values[column] < value) {
      least = {machine};
      value = *row->values[column];
    } else if (*row->values[column] == value) {
      least.push_back(machine);
    }
  }
  return least;
}

void addPick(Table& table, const Pick& pick) {
  std::vector<Row> picked;
  std::set<std::string> seen;
  for (const Row& row : table.rows)
    if (seen.insert(row.program).second) picked.push_back(pickedRow(table, pick, row));
  table.rows.insert(table.rows.end(), picked.begin(), picked.end());
  std::set<Mean> means;
  for (const MeanRow& row : table.means) means.insert(row.mean);
  for (const Mean mean : means) table.means.push_back(meanRow(table, mean, pick.name));
}

}  // namespace warpwright::lab
