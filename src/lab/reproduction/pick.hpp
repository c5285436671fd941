// Of several machines the best for each program, as a study picks it by hand: a further machine of an experiment's table.
#pragma once

#include <string>
#include <vector>

#include "lab/analysis/table.hpp"
#include "lab/reproduction/published.hpp"

namespace warpwright::lab {

// The machines of the pick whose row of this program has the least value in its column, in the order of the pick; several where values are
// equal. None where a machine has no value there, as its run failed: it might have been the least. Throws Error for a column that the table
// has not.
std::vector<std::string> leastOf(const Table& table, const Pick& pick, const std::string& program);

// Adds rows of a machine with the pick's name, each a copy of the row of the first machine of leastOf(), without values where there is
// none; and their means, of the columns that have one.
void addPick(Table& table, const Pick& pick);

}  // namespace warpwright::lab
