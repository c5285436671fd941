// warpwright-cc: compiles and links CUDA C++ for the simulated machine.
#include <fmt/format.h>

#include <csignal>
#include <filesystem>

#include "base/error.hpp"
#include "cc/driver/driver.hpp"
#include "cc/driver/process.hpp"

int main(int count, char** words) {
  try {
    warpwright::cc::unwindOnSignals();
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    return warpwright::cc::runDriver(self, {words + 1, words + count});
  } catch (const warpwright::cc::Interrupted& interrupted) {
    // As if the signal had not been caught.
    std::signal(interrupted.signal, SIG_DFL);
    return std::raise(interrupted.signal);
  } catch (const std::exception& error) {
    fmt::print(stderr, "warpwright-cc: {}\n", error.what());
    return 1;
  }
}
