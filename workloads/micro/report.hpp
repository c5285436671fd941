// What the benchmarks print: a row a measurement, as a table or as CSV.
#pragma once

#include <cstdio>
#include <string>

namespace micro {

class Report {
 public:
  explicit Report(bool csv) : csv_(csv) {
    if (csv_) std::printf("benchmark,case,value,unit\n");
  }

  void begin(const std::string& benchmark, const std::string& summary) {
    benchmark_ = benchmark;
    if (!csv_) std::printf("\n%s: %s\n", benchmark.c_str(), summary.c_str());
  }
  void row(const std::string& what, double value, const char* unit) const {
    if (csv_) {
      std::printf("%s,%s,%.6f,%s\n", benchmark_.c_str(), what.c_str(), value, unit);
    } else {
      std::printf("  %-28s %14.3f %s\n", what.c_str(), value, unit);
    }
  }

 private:
  bool csv_;
  std::string benchmark_;
};

}  // namespace micro
