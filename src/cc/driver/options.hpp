// What a `warpwright-cc` command line asks for, and the table of options it is read with.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace warpwright::cc {

// How far the driver goes.
enum class Stage {
  kPreprocess,    // -E
  kPtx,           // --ptx
  kHostAssembly,  // -S
  kObject,        // -c
  kDeviceLink,    // -dlink: the object that joins the device code of others
  kLibrary,       // -lib: objects, in an archive
  kDependencies,  // -M, -MM
  kExecutable,
};

// Everything a command line can say. Defaults are what an empty command line means.
struct Options {
  Stage stage = Stage::kExecutable;
  std::vector<std::string> inputs;
  std::string output;
  std::string language;  // -x: "cu", "c++", "c"; empty: by file name

  u32 smVersion = 75;          // -arch=sm_75, as 10 * major + minor
  u32 deviceAddressBits = 64;  // -m32, -m64
  u32 maxRegisters = 0;        // -maxrregcount; 0: no limit given
  std::string optimisation = "3";
  std::string standard = "c++17";
  bool hostDebug = false;       // -g
  bool deviceDebug = false;     // -G: device code unoptimised
  bool lineInfo = true;         // .loc in the PTX
  bool fastMath = false;        // -use_fast_math
  bool flushDenormals = false;  // -ftz=true
  bool fuseMultiplyAdd = true;  // -fmad
  bool shared = false;          // -shared
  bool implicitHeader = true;   // -include cuda_runtime.h
  bool relocatable = false;     // -rdc=true: device code that other files' device code may use

  std::vector<std::string> preprocessor;     // -I, -D, -U, -isystem, -include, in order
  std::vector<std::string> dependencyFlags;  // -MD, -MMD, -MP, -MF file, -MT name, -MQ name
  std::vector<std::string> warnings;         // -W…, -w
  std::vector<std::string> hostFlags;        // -Xcompiler
  std::vector<std::string> deviceFlags;      // -Xcicc, --device-flag
  std::vector<std::string> clangFlags;       // -Xclang, -mllvm: for both passes
  std::vector<std::string> linkerFlags;      // -L, -l, -Xlinker, in order

  std::string clang;   // -ccbin; empty: search
  std::string unitId;  // of the input being compiled, when it is relocatable: names that no other unit has are made from it
  bool verbose = false;
  bool dryRun = false;
  bool keep = false;
  std::string keepDirectory = ".";
  bool help = false;
  bool version = false;
  std::vector<std::string> notes;  // accepted options that change less than they do with nvcc, for the user to know
};

// How an option takes its value.
enum class Form {
  kFlag,    // -c
  kValue,   // -o FILE, -oFILE or --output-file=FILE
  kEquals,  // -arch=sm_75 or -arch sm_75; never glued
};

struct OptionRow {
  std::vector<std::string> names;  // the first is the one that help prints
  Form form = Form::kFlag;
  std::string valueName;
  std::string group;
  std::string help;
  std::function<void(Options&, const std::string& value)> apply;
};

// Every option the driver knows, in the order of the help text.
std::span<const OptionRow> optionTable();

// Reads a command line without the program's name. `@file` is replaced by the words of that file.
// Throws Error for an unknown option (naming the nearest one), a missing or impossible value.
Options parseOptions(const std::vector<std::string>& arguments);

// The help text, made from the table.
std::string helpText();

}  // namespace warpwright::cc
