// How far the benchmarks are, on stderr: a line for each that begins after the first seconds.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

namespace micro {

class Progress {
 public:
  explicit Progress(std::size_t benchmarks, double quietSeconds = 2) : benchmarks_(benchmarks), quietSeconds_(quietSeconds) {}

  // The next one begins, so that the one before has ended. What is left is taken to last as long in the mean as what is done.
  void begin(const std::string& benchmark) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    if (done_ != 0 && seconds > quietSeconds_) {
      const double left = seconds / static_cast<double>(done_) * static_cast<double>(benchmarks_ - done_);
      std::fprintf(stderr, "micro: %zu of %zu done in %.0f s, now %s; some %.0f s left\n", done_, benchmarks_, seconds, benchmark.c_str(),
                   left);
    }
    ++done_;
  }

 private:
  const std::size_t benchmarks_;
  const double quietSeconds_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::size_t done_ = 0;
};

}  // namespace micro
