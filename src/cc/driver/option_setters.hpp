// What the rows of the option table do with an option.
#pragma once

#include <string>
#include <vector>

#include "cc/driver/options.hpp"

namespace warpwright::cc {

using Value = const std::string&;

// Appends PREFIXvalue.
inline auto addTo(std::vector<std::string> Options::*list, const std::string& prefix) {
  return [list, prefix](Options& options, Value value) { (options.*list).push_back(prefix + value); };
}

// Appends the name and the value, as two words.
inline auto addPair(std::vector<std::string> Options::*list, const std::string& name) {
  return [list, name](Options& options, Value value) {
    (options.*list).push_back(name);
    (options.*list).push_back(value);
  };
}

template <typename T>
auto set(T Options::*field, T value) {
  return [field, value](Options& options, Value) { options.*field = value; };
}

inline auto setText(std::string Options::*field) {
  return [field](Options& options, Value value) { options.*field = value; };
}

// Accepted, without effect.
inline void ignore(Options&, Value) {}

// These throw Error for an impossible value; `option` is named in the message.
u32 parseNumber(Value text, std::string_view option);
bool parseBool(Value text, std::string_view option);

// "sm_75", "compute_75", "lto_75", "native", "all", "sm_90a": the number; words that leave the choice open keep the default.
void setArchitecture(Options& options, Value value);
// "arch=compute_75,code=[sm_75,compute_75]": the device code is PTX, so the virtual architecture decides.
void setGencode(Options& options, Value value);
// Appends the words of a list with commas.
void splitCommas(Value value, std::vector<std::string>& out);
void setOptimisation(Options& options, Value value);
void setStandard(Options& options, Value value);
// Leaves out the runtime libraries, for which the driver's own stands; throws Error for vendor libraries.
void addLibrary(Options& options, Value name);
void setRdc(Options& options, Value value);
// Notes that it leaves out a compiler other than clang: the host pass has to be clang's as well, whose output is what the driver embeds
// device code in.
void setHostCompiler(Options& options, Value value);
// A warning of the compiler, or -Wl,… for the linker.
void addWarning(Options& options, Value value);
[[noreturn]] void refuseMachineCode();

// The rows for device code, which are in a file of their own.
std::vector<OptionRow> deviceRows();

}  // namespace warpwright::cc
