// What figures draw of an experiment and give no numbers of, as tables.
#pragma once

#include <string>

#include "lab/analysis/table.hpp"
#include "lab/reproduction/published.hpp"

namespace warpwright::lab {

// A line a program, or a kernel where the table's rows are kernels, and a column of text a machine, for each column of the experiment;
// below, the means that the experiment asks for. With one machine all columns stand side by side. Cells without a value are empty. Throws
// Error for a column that the table has not.
std::string barsText(const Table& table, const Bars& bars);
// A line a value of one parameter and a column of text a value of the other, for each column of the experiment: its mean. The least are
// marked. Throws the same.
std::string mapText(const Table& table, const Map& map);

}  // namespace warpwright::lab
