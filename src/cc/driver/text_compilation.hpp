// CUDA source that is a text in memory, to PTX: for the libraries that compile while a program runs.
#pragma once

#include <map>
#include <string>

#include "cc/driver/options.hpp"

namespace warpwright::cc {

struct SourceText {
  std::string text;
  std::string name;                            // of its file, for messages and line numbers
  std::map<std::string, std::string> headers;  // include name → text
};

struct CompiledText {
  bool succeeded = false;
  std::string ptx;  // where it succeeded
  std::string log;  // what the compiler says
};

// The compiler driver of the build tree or installation that the code at this address belongs to: the tool chain lies relative to it.
// Throws Error when there is none.
std::string driverNear(const void* code);

// Throws Error for what is wrong beside the source: a header's name, the tool chain, a full disk.
CompiledText compileText(const SourceText& source, const Options& options, const std::string& driver);

}  // namespace warpwright::cc
