// What the page shows of an experiment, as JSON (docs/report.md, "The page's data").
#pragma once

#include "lab/store/store.hpp"
#include "report/json.hpp"

namespace warpwright::report {

// Everything. Throws Error when no run has finished.
Json dataOf(lab::Store& store, const lab::ExperimentInfo& experiment);

}  // namespace warpwright::report
