// The declarative option table: one row an option.
#include <fmt/format.h>

#include <array>
#include <charconv>

#include "base/error.hpp"
#include "cc/driver/options.hpp"

namespace warpwright::cc {
namespace {

using Value = const std::string&;

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

// "sm_75", "compute_75", "lto_75", "native", "all", "sm_90a": the number; words that leave the choice open keep the default.
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

// "arch=compute_75,code=[sm_75,compute_75]": the device code is PTX, so the virtual architecture decides.
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
  static const std::array<std::string, 9> kVendor = {"cublas", "cufft", "curand", "cusparse", "cusolver",
                                                     "cudnn",  "nccl",  "npp",    "cutensor"};
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

void rejectSeparateCompilation() {
  throw Error("relocatable device code is not supported: a kernel cannot call a __device__ function of another file", {},
              "put the device code that belongs together in one .cu file (or include it), and drop -dc and -rdc=true");
}

void setRdc(Options& options, Value value) {
  if (!parseBool(value, "-rdc")) return;
  options.notes.push_back(
      "-rdc=true: each file's device code stays on its own; __device__ functions and variables of other files cannot be used");
}

auto addTo(std::vector<std::string> Options::*list, const std::string& prefix) {
  return [list, prefix](Options& options, Value value) { (options.*list).push_back(prefix + value); };
}

auto addPair(std::vector<std::string> Options::*list, const std::string& name) {
  return [list, name](Options& options, Value value) {
    (options.*list).push_back(name);
    (options.*list).push_back(value);
  };
}

template <typename T>
auto set(T Options::*field, T value) {
  return [field, value](Options& options, Value) { options.*field = value; };
}

auto setText(std::string Options::*field) {
  return [field](Options& options, Value value) { options.*field = value; };
}

void ignore(Options&, Value) {}

std::vector<OptionRow> stageRows() {
  const std::string group = "What to make";
  return {
      {{"-o", "--output-file"}, Form::kValue, "FILE", group, "name of the result", setText(&Options::output)},
      {{"-c", "--compile"}, Form::kFlag, "", group, "object files, no linking", set(&Options::stage, Stage::kObject)},
      {{"--ptx", "-ptx"}, Form::kFlag, "", group, "the PTX of the device code", set(&Options::stage, Stage::kPtx)},
      {{"-E", "--preprocess"}, Form::kFlag, "", group, "the preprocessed host side", set(&Options::stage, Stage::kPreprocess)},
      {{"-S"}, Form::kFlag, "", group, "the assembly of the host side", set(&Options::stage, Stage::kHostAssembly)},
      {{"-shared", "--shared"}, Form::kFlag, "", group, "a shared library", set(&Options::shared, true)},
      {{"-M", "--generate-dependencies"},
       Form::kFlag,
       "",
       group,
       "only the make rule of included files",
       [](Options& o, Value) {
         o.stage = Stage::kDependencies;
         o.dependencyFlags.push_back("-M");
       }},
      {{"-MM", "--generate-nonsystem-dependencies"},
       Form::kFlag,
       "",
       group,
       "as -M, without system headers",
       [](Options& o, Value) {
         o.stage = Stage::kDependencies;
         o.dependencyFlags.push_back("-MM");
       }},
      {{"-MD", "--generate-dependencies-with-compile"},
       Form::kFlag,
       "",
       group,
       "the make rule beside the result",
       [](Options& o, Value) { o.dependencyFlags.push_back("-MD"); }},
      {{"-MMD", "--generate-nonsystem-dependencies-with-compile"},
       Form::kFlag,
       "",
       group,
       "as -MD, without system headers",
       [](Options& o, Value) { o.dependencyFlags.push_back("-MMD"); }},
      {{"-MP"}, Form::kFlag, "", group, "a phony target for every header", [](Options& o, Value) { o.dependencyFlags.push_back("-MP"); }},
      {{"-MF", "--dependency-output"}, Form::kEquals, "FILE", group, "where the make rule goes", addPair(&Options::dependencyFlags, "-MF")},
      {{"-MT", "--dependency-target-name"},
       Form::kEquals,
       "NAME",
       group,
       "the target of the make rule",
       addPair(&Options::dependencyFlags, "-MT")},
      {{"-MQ"}, Form::kEquals, "NAME", group, "as -MT, quoted for make", addPair(&Options::dependencyFlags, "-MQ")},
  };
}

std::vector<OptionRow> deviceRows() {
  const std::string group = "Device code";
  return {
      {{"-arch", "--gpu-architecture"}, Form::kEquals, "sm_NN", group, "target of the device code (default sm_75)", setArchitecture},
      {{"-gencode", "--generate-code"}, Form::kEquals, "arch=compute_NN,…", group, "the same; the last one counts", setGencode},
      {{"-code", "--gpu-code"}, Form::kEquals, "LIST", group, "accepted: the device code is always PTX", ignore},
      {{"-maxrregcount", "--maxrregcount"},
       Form::kEquals,
       "N",
       group,
       "registers a thread may use",
       [](Options& o, Value v) { o.maxRegisters = parseNumber(v, "-maxrregcount"); }},
      {{"-m32"}, Form::kFlag, "", group, "32-bit device addresses (the host stays 64-bit)", set<u32>(&Options::deviceAddressBits, 32)},
      {{"-m64"}, Form::kFlag, "", group, "64-bit device addresses (default)", set<u32>(&Options::deviceAddressBits, 64)},
      {{"-lineinfo", "--generate-line-info"}, Form::kFlag, "", group, "source lines in the PTX (default)", set(&Options::lineInfo, true)},
      {{"--no-lineinfo"}, Form::kFlag, "", group, "no source lines in the PTX", set(&Options::lineInfo, false)},
      {{"-G", "--device-debug"}, Form::kFlag, "", group, "device code without optimisation", set(&Options::deviceDebug, true)},
      {{"-use_fast_math", "--use_fast_math"},
       Form::kFlag,
       "",
       group,
       "approximate functions, denormals flushed",
       [](Options& o, Value) { o.fastMath = o.flushDenormals = true; }},
      {{"-ftz", "--ftz"},
       Form::kEquals,
       "true|false",
       group,
       "flush single-precision denormals",
       [](Options& o, Value v) { o.flushDenormals = parseBool(v, "-ftz"); }},
      {{"-fmad", "--fmad"},
       Form::kEquals,
       "true|false",
       group,
       "contract a*b+c (default true)",
       [](Options& o, Value v) { o.fuseMultiplyAdd = parseBool(v, "-fmad"); }},
      {{"-prec-div", "--prec-div"}, Form::kEquals, "true|false", group, "accepted: division rounds correctly", ignore},
      {{"-prec-sqrt", "--prec-sqrt"}, Form::kEquals, "true|false", group, "accepted: square roots round correctly", ignore},
      {{"-rdc", "--relocatable-device-code"},
       Form::kEquals,
       "true|false",
       group,
       "accepted: device code of each file stays on its own",
       setRdc},
      {{"-dc", "--device-c"},
       Form::kFlag,
       "",
       group,
       "refused: no linking of device code across files",
       [](Options&, Value) { rejectSeparateCompilation(); }},
      {{"-Xptxas", "--ptxas-options"}, Form::kEquals, "LIST", group, "accepted: there is no ptxas", ignore},
      {{"-Xcudafe", "--diag-suppress", "-diag-suppress", "-diag_suppress"},
       Form::kEquals,
       "LIST",
       group,
       "accepted: diagnostics are clang's",
       ignore},
      {{"-Xcicc"},
       Form::kEquals,
       "LIST",
       group,
       "options for clang's device pass",
       [](Options& o, Value v) { splitCommas(v, o.deviceFlags); }},
      {{"--expt-relaxed-constexpr", "-expt-relaxed-constexpr"}, Form::kFlag, "", group, "accepted: always on", ignore},
      {{"--expt-extended-lambda", "--extended-lambda", "-extended-lambda", "-expt-extended-lambda"},
       Form::kFlag,
       "",
       group,
       "accepted: always on",
       ignore},
      {{"-Wno-deprecated-gpu-targets"}, Form::kFlag, "", group, "accepted", ignore},
  };
}

std::vector<OptionRow> languageRows() {
  const std::string group = "Language";
  return {
      {{"-O", "--optimize"}, Form::kValue, "LEVEL", group, "optimisation, 0 to 3 (default 3)", setOptimisation},
      {{"-g", "--debug"}, Form::kFlag, "", group, "debug information of the host side", set(&Options::hostDebug, true)},
      {{"-std", "--std"}, Form::kEquals, "c++NN", group, "language standard (default c++17)", setStandard},
      {{"-x"}, Form::kValue, "cu|c++|c", group, "language of the inputs, whatever their names", setText(&Options::language)},
      {{"-I", "--include-path"}, Form::kValue, "DIR", group, "look for headers here", addTo(&Options::preprocessor, "-I")},
      {{"-isystem", "--system-include"},
       Form::kEquals,
       "DIR",
       group,
       "the same, without warnings",
       addPair(&Options::preprocessor, "-isystem")},
      {{"-include", "--pre-include"},
       Form::kEquals,
       "FILE",
       group,
       "include before the first line",
       addPair(&Options::preprocessor, "-include")},
      {{"-D", "--define-macro"}, Form::kValue, "NAME[=VALUE]", group, "define a macro", addTo(&Options::preprocessor, "-D")},
      {{"-U", "--undefine-macro"}, Form::kValue, "NAME", group, "undefine a macro", addTo(&Options::preprocessor, "-U")},
      {{"-W"}, Form::kValue, "WARNING", group, "a warning option of clang", addTo(&Options::warnings, "-W")},
      {{"-w", "--disable-warnings"}, Form::kFlag, "", group, "no warnings", [](Options& o, Value) { o.warnings.push_back("-w"); }},
      {{"-Xcompiler", "--compiler-options"},
       Form::kEquals,
       "LIST",
       group,
       "options for the host pass",
       [](Options& o, Value v) { splitCommas(v, o.hostFlags); }},
      {{"-pthread"},
       Form::kFlag,
       "",
       group,
       "threads on the host",
       [](Options& o, Value) {
         o.hostFlags.push_back("-pthread");
         o.linkerFlags.push_back("-pthread");
       }},
      {{"--default-stream", "-default-stream"},
       Form::kEquals,
       "KIND",
       group,
       "legacy (default) or per-thread",
       [](Options& o, Value v) {
         if (v == "per-thread") o.preprocessor.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
       }},
      {{"--no-implicit-header"}, Form::kFlag, "", group, "do not include cuda_runtime.h first", set(&Options::implicitHeader, false)},
  };
}

std::vector<OptionRow> linkRows() {
  const std::string group = "Linking";
  return {
      {{"-L", "--library-path"}, Form::kValue, "DIR", group, "look for libraries here", addTo(&Options::linkerFlags, "-L")},
      {{"-l", "--library"}, Form::kValue, "NAME", group, "link with a library", addLibrary},
      {{"-Xlinker", "--linker-options"},
       Form::kEquals,
       "LIST",
       group,
       "options for the linker",
       [](Options& o, Value v) {
         std::vector<std::string> words;
         splitCommas(v, words);
         for (const std::string& word : words) {
           o.linkerFlags.push_back("-Xlinker");
           o.linkerFlags.push_back(word);
         }
       }},
      {{"-cudart", "--cudart"}, Form::kEquals, "KIND", group, "accepted: the simulator's runtime is always linked", ignore},
  };
}

std::vector<OptionRow> driverRows() {
  const std::string group = "The driver";
  return {
      {{"-ccbin", "--compiler-bindir"}, Form::kEquals, "CLANG", group, "the clang++ to use", setText(&Options::clang)},
      {{"-v", "--verbose"}, Form::kFlag, "", group, "print the commands", set(&Options::verbose, true)},
      {{"--dryrun", "-dryrun"}, Form::kFlag, "", group, "print the commands, run none", set(&Options::dryRun, true)},
      {{"--keep", "-keep", "-save-temps", "--save-temps"},
       Form::kFlag,
       "",
       group,
       "keep the intermediate files",
       set(&Options::keep, true)},
      {{"--keep-dir", "-keep-dir"},
       Form::kEquals,
       "DIR",
       group,
       "where they go (default: here)",
       [](Options& o, Value v) {
         o.keep = true;
         o.keepDirectory = v;
       }},
      {{"-t", "--threads"}, Form::kValue, "N", group, "accepted: one command at a time", ignore},
      {{"--help", "-h", "-help"}, Form::kFlag, "", group, "this text", set(&Options::help, true)},
      {{"--version", "-V"}, Form::kFlag, "", group, "the version", set(&Options::version, true)},
  };
}

std::vector<OptionRow> allRows() {
  std::vector<OptionRow> rows;
  for (const std::vector<OptionRow>& part : {stageRows(), deviceRows(), languageRows(), linkRows(), driverRows()}) {
    rows.insert(rows.end(), part.begin(), part.end());
  }
  return rows;
}

}  // namespace

std::span<const OptionRow> optionTable() {
  static const std::vector<OptionRow> rows = allRows();
  return rows;
}

}  // namespace warpwright::cc
