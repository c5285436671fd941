// What the page shows of an experiment, as JSON (docs/report.md, "The page's data").
#pragma once

#include <functional>
#include <string>

#include "lab/store/store.hpp"
#include "report/json.hpp"

namespace warpwright::report {

// Hears which part is being made.
using Told = std::function<void(const std::string& what)>;

// Everything. Throws Error when no run has finished.
Json dataOf(lab::Store& store, const lab::ExperimentInfo& experiment, const Told& told);

}  // namespace warpwright::report
