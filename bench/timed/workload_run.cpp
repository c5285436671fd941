#include "workload_run.hpp"

#include <array>
#include <cstdio>

namespace warpwright::bench {

double launchTime(const std::string& command) {
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return 0;
  double ms = 0;
  std::array<char, 256> line;
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) std::sscanf(line.data(), "kernels: %lf ms", &ms);
  return pclose(pipe) == 0 ? ms : 0;
}

std::string timedRun(const std::string& workload, long threads, const std::string& settings, const std::string& machine) {
  return settings + " WARPWRIGHT_QUIET=1 WARPWRIGHT_TIMED=1 WARPWRIGHT_MACHINE=" + machine +
         " WARPWRIGHT_THREADS=" + std::to_string(threads) + " " WORKLOAD_FOLDER "/" + workload;
}

}  // namespace warpwright::bench
