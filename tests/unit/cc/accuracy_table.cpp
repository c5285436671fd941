// Prints the accuracy table of docs/device-math.md.
#include <fmt/format.h>

#include <cstdlib>

#include "unit/cc/accuracy.hpp"

int main(int count, char** words) {
  using namespace warpwright::cc::test;
  const int samples = count > 1 ? std::atoi(words[1]) : 200000;
  fmt::print("| function | f64 bound | f64 measured | at | f32 bound | f32 measured | at |\n|---|---|---|---|---|---|---|\n");
  for (const Row& row : accuracyRows()) {
    const Measured m = measure(row, samples);
    const auto at = [&](const double* x) {
      return row.second.empty() ? fmt::format("{:.6g}", x[0]) : fmt::format("{:.6g}, {:.6g}", x[0], x[1]);
    };
    fmt::print("| {} | {} | {:.2f} | {} | {} | {:.2f} | {} |\n", row.name, row.boundDouble, m.ulpsDouble, at(m.worstDouble), row.boundFloat,
               m.ulpsFloat, at(m.worstFloat));
  }
}
