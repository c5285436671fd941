// Where the profile and the timing go when a program ends: tables on stderr, JSON and CSV in files.
#pragma once

#include <string>

#include "runtime/device.hpp"

namespace warpwright::runtime {

struct ReportSettings {
  bool quiet = false;    // no table
  bool lines = false;    // per source line too
  std::string kernel;    // tables of kernels with this in their names alone; empty: of all
  std::string heading;   // above the table, of one of several devices; empty: none
  std::string jsonFile;  // empty: none
  std::string csvFile;   // timing, a row a launch; empty: none
};

// Prints and writes what the settings ask for; a program that launched nothing prints nothing. Throws Error when the file cannot be
// written.
void report(Device& device, const ReportSettings& settings);

}  // namespace warpwright::runtime
