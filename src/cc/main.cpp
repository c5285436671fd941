// warpwright-cc: compiles and links CUDA C++ for the simulated machine.
#include <fmt/format.h>

#include <filesystem>

#include "base/error.hpp"
#include "cc/driver/driver.hpp"

int main(int count, char** words) {
  try {
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    return warpwright::cc::runDriver(self, {words + 1, words + count});
  } catch (const std::exception& error) {
    fmt::print(stderr, "warpwright-cc: {}\n", error.what());
    return 1;
  }
}
