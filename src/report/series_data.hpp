// What the page shows of a run's time series, as JSON.
#pragma once

#include <string>

#include "report/json.hpp"

namespace warpwright::report {

// `{"columns", "rows"}` from the CSV of `warpwright run --series`: `from`, `until`, the counters of which the page makes its figures, the
// issue slots. Neighbouring rows are added up until no more than `mostRows` are left.
Json seriesOf(const std::string& csv, std::size_t mostRows);

}  // namespace warpwright::report
