// Wall-clock time of the reference and of the launches, in milliseconds, so that one run gives their ratio.
#pragma once

#include <chrono>
#include <cstdio>

#include "device.hpp"

namespace workloads {

class Timings {
 public:
  // Runs a piece of the single-threaded reference.
  template <class Function>
  void reference(Function&& function) {
    referenceMs_ += measure(function);
  }
  // Runs launches and waits for them.
  template <class Function>
  void kernels(Function&& function) {
    kernelsMs_ += measure([&] {
      function();
      finishKernels();
    });
  }
  void print() const { std::printf("reference: %.3f ms\nkernels: %.3f ms\n", referenceMs_, kernelsMs_); }

 private:
  template <class Function>
  static double measure(Function&& function) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    function();
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  }

  double referenceMs_ = 0, kernelsMs_ = 0;
};

}  // namespace workloads
