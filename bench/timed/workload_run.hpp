// Workloads as a user runs them.
#pragma once

#include <string>

namespace warpwright::bench {

// Runs a shell command and reads the time of its launches from its output, in milliseconds; 0 when it fails.
double launchTime(const std::string& command);

// On a whole machine: the settings before the command. workload: its name and arguments.
std::string timedRun(const std::string& workload, long threads, const std::string& settings = {}, const std::string& machine = "gtx480");

}  // namespace warpwright::bench
