// Where the profile goes when a program ends: a table on stderr, JSON in a file.
#pragma once

#include <string>

#include "profile/profile.hpp"

namespace warpwright::runtime {

struct ReportSettings {
  bool quiet = false;    // no table
  bool lines = false;    // per source line too
  std::string jsonFile;  // empty: none
};

// Prints and writes what the settings ask for; a program that launched nothing prints nothing. Throws Error when the file cannot be
// written.
void report(const profile::Profile& profile, const ReportSettings& settings);

}  // namespace warpwright::runtime
