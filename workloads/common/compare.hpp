// Comparison of a result with its reference; differences are printed with index, expected and got.
#pragma once

#include <cmath>
#include <iostream>
#include <string>
#include <vector>

namespace workloads {

constexpr size_t kDifferencesPrinted = 8;

namespace detail {

template <class T, class Same>
bool compare(const std::string& what, const std::vector<T>& expected, const std::vector<T>& got, Same same) {
  if (expected.size() != got.size()) {
    std::cerr << what << ": expected " << expected.size() << " elements, got " << got.size() << "\n";
    return false;
  }
  size_t differences = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (same(expected[i], got[i])) continue;
    // Unary plus: characters print as numbers.
    if (differences++ < kDifferencesPrinted) std::cerr << what << "[" << i << "]: expected " << +expected[i] << ", got " << +got[i] << "\n";
  }
  if (differences != 0) std::cerr << what << ": " << differences << " of " << expected.size() << " elements differ\n";
  return differences == 0;
}

}  // namespace detail

template <class T>
bool expectEqual(const std::string& what, const std::vector<T>& expected, const std::vector<T>& got) {
  return detail::compare(what, expected, got, [](T a, T b) { return a == b; });
}

// |expected - got| <= absolute + relative * |expected|; a NaN never agrees.
inline bool expectNear(const std::string& what, const std::vector<float>& expected, const std::vector<float>& got, float relative,
                       float absolute) {
  return detail::compare(what, expected, got, [=](float a, float b) { return std::fabs(a - b) <= absolute + relative * std::fabs(a); });
}

// The exit status for the outcome of all comparisons; says so when they agree.
inline int report(const std::string& program, bool correct) {
  std::cout << program << ": " << (correct ? "correct" : "WRONG") << std::endl;
  return correct ? 0 : 1;
}

}  // namespace workloads
