// A command line as a user gives it, and what it did.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

// The command, without the settings that tests in this process make.
inline const std::string kCommand = "env -u WARPWRIGHT_MACHINE -u WARPWRIGHT_QUIET " WARPWRIGHT_COMMAND " ";

struct Result {
  int status = -1;
  std::string output, errors;
};

inline Result run(const std::string& command) {
  const auto errors = std::filesystem::temp_directory_path() / ("warpwright_program_test_" + std::to_string(getpid()));
  Result result;
  FILE* const pipe = popen((command + " 2>" + errors.string()).c_str(), "r");
  char buffer[4096];
  while (pipe && std::fgets(buffer, sizeof buffer, pipe)) result.output += buffer;
  result.status = pipe ? WEXITSTATUS(pclose(pipe)) : -1;
  std::ostringstream text;
  text << std::ifstream(errors).rdbuf();
  result.errors = text.str();
  std::filesystem::remove(errors);
  return result;
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
