// Lines of the program's source files, where the files can be read.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "isa/program.hpp"

namespace warpwright::isa {

class SourceText {
 public:
  explicit SourceText(const Program& program) : program_(program) {}

  // "saxpy.cu:12: y[i] = a * x[i] + y[i];", without the text where the file cannot be read.
  std::string describe(u32 file, u32 line);

 private:
  const std::vector<std::string>& linesOf(const std::string& path);

  const Program& program_;
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace warpwright::isa
