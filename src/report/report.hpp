// An experiment as one HTML file that opens without network or server (docs/report.md).
#pragma once

#include <string>

#include "lab/store/store.hpp"
#include "report/experiment_data.hpp"

namespace warpwright::report {

// Who writes a page, and what it knows.
struct Writer {
  std::string command = "warpwright report";
  bool knowsHost = true;                  // the time and the memory that runs took of the host
  Told told = [](const std::string&) {};  // hears what of the page is being made, as that may take long
};

// The page with everything that it shows. Throws Error when no run of the experiment has finished.
std::string pageOf(lab::Store& store, const lab::ExperimentInfo& experiment, const Writer& writer = {});

// Writes it whole or not at all: what stood in `file` before stays until the new page is complete. Throws Error.
void writePage(const std::string& file, const std::string& page);

}  // namespace warpwright::report
