#include "engine/free_processors.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <thread>

namespace warpwright::engine {

u32 freeProcessors(const std::string& loadAverages, u32 processors) {
  double average = 0;
  u32 runnable = 0;
  char slash = 0;
  std::istringstream words(loadAverages);
  words >> average >> average >> average >> runnable >> slash;
  const u32 taken = words && slash == '/' ? std::max(runnable, 1u) : 1;
  return processors - std::min(processors, taken);
}

u32 freeProcessors() {
  std::ifstream file("/proc/loadavg");
  std::string line;
  std::getline(file, line);
  return freeProcessors(line, std::max(std::thread::hardware_concurrency(), 1u));
}

}  // namespace warpwright::engine
