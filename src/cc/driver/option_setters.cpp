#include "cc/driver/option_setters.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "base/error.hpp"

namespace warpwright::cc {

u32 parseNumber(Value text, std::string_view option) {
  u32 number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  throw Error(fmt::format("{} needs a whole number, not '{}'", option, text));
}

bool parseBool(Value text, std::string_view option) {
  if (text == "true") return true;
  if (text == "false") return false;
  throw Error(fmt::format("{} needs true or false, not '{}'", option, text));
}

void setArchitecture(Options& options, Value value) {
  if (value == "native" || value == "all" || value == "all-major") return;
  const size_t underscore = value.find('_');
  std::string digits = underscore == std::string::npos ? "" : value.substr(underscore + 1);
  while (!digits.empty() && (digits.back() == 'a' || digits.back() == 'f')) digits.pop_back();
  u32 version = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), version);
  if (error != std::errc() || end != digits.data() + digits.size() || version < 20) {
    throw Error(fmt::format("unknown architecture '{}'", value), {}, "write sm_NN with NN from 20 on, such as -arch=sm_75");
  }
  options.smVersion = version;
}

void setGencode(Options& options, Value value) {
  const size_t start = value.find("arch=");
  if (start == std::string::npos) throw Error(fmt::format("-gencode needs arch=compute_NN, not '{}'", value));
  const size_t end = value.find(',', start);
  setArchitecture(options, value.substr(start + 5, end == std::string::npos ? end : end - start - 5));
}

void splitCommas(Value value, std::vector<std::string>& out) {
  size_t start = 0;
  while (start <= value.size()) {
    const size_t comma = std::min(value.find(',', start), value.size());
    if (comma > start) out.push_back(value.substr(start, comma - start));
    start = comma + 1;
  }
}

void setOptimisation(Options& options, Value value) {
  static const std::array<std::string, 7> kLevels = {"0", "1", "2", "3", "s", "fast", "z"};
  for (const std::string& level : kLevels) {
    if (level == value) {
      options.optimisation = value;
      return;
    }
  }
  throw Error(fmt::format("unknown optimisation level '-O{}'", value), {}, "write -O0, -O1, -O2 or -O3");
}

void setStandard(Options& options, Value value) {
  if (value.find("++") == std::string::npos && value[0] != 'c') throw Error(fmt::format("unknown language standard '{}'", value));
  options.standard = value;
}

void addLibrary(Options& options, Value name) {
  static const std::array<std::string, 8> kVendor = {"cublasLt", "cufft", "cusparse", "cusolver", "cudnn", "nccl", "npp", "cutensor"};
  for (const std::string& vendor : kVendor) {
    if (name.rfind(vendor, 0) == 0) {
      throw Error(fmt::format("library '{}' is a vendor library, which is out of scope", name), {},
                  "the simulator runs only kernels that are part of the program: replace the call by a kernel");
    }
  }
  // The runtime is always linked and stands for these.
  static const std::array<std::string, 3> kReplaced = {"cudart", "cudart_static", "cudadevrt"};
  for (const std::string& replaced : kReplaced) {
    if (name == replaced) return;
  }
  options.linkerFlags.push_back("-l" + name);
}

void setRdc(Options& options, Value value) { options.relocatable = parseBool(value, "-rdc"); }

void refuseMachineCode() {
  throw Error("there is no machine code to write: the device code is PTX", {}, "write --ptx for the PTX, -c for an object with it inside");
}

void setHostCompiler(Options& options, Value value) {
  if (value.find("clang") != std::string::npos) {
    options.clang = value;
    return;
  }
  options.notes.push_back(fmt::format("-ccbin {}: left out, clang compiles the host side too", value));
}

void addWarning(Options& options, Value value) {
  (value.starts_with("l,") ? options.linkerFlags : options.warnings).push_back("-W" + value);
}

}  // namespace warpwright::cc
