// The declarative option table: one row an option.
#include "cc/driver/option_setters.hpp"

namespace warpwright::cc {
namespace {

std::vector<OptionRow> stageRows() {
  const std::string group = "What to make";
  return {
      {{"-o", "--output-file"}, Form::kValue, "FILE", group, "name of the result", setText(&Options::output)},
      {{"-c", "--compile"}, Form::kFlag, "", group, "object files, no linking", set(&Options::stage, Stage::kObject)},
      {{"-dc", "--device-c"},
       Form::kFlag,
       "",
       group,
       "object files with relocatable device code",
       [](Options& o, Value) {
         o.stage = Stage::kObject;
         o.relocatable = true;
       }},
      {{"-dw", "--device-w"}, Form::kFlag, "", group, "the same as -c", set(&Options::stage, Stage::kObject)},
      {{"-dlink", "--device-link"},
       Form::kFlag,
       "",
       group,
       "an object that joins the device code of others",
       set(&Options::stage, Stage::kDeviceLink)},
      {{"-lib", "--lib"}, Form::kFlag, "", group, "a static library", set(&Options::stage, Stage::kLibrary)},
      {{"--ptx", "-ptx"}, Form::kFlag, "", group, "the PTX of the device code", set(&Options::stage, Stage::kPtx)},
      {{"-cubin", "--cubin", "-fatbin", "--fatbin"},
       Form::kFlag,
       "",
       group,
       "refused: there is no machine code",
       [](Options&, Value) { refuseMachineCode(); }},
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
      {{"-W"}, Form::kValue, "WARNING", group, "a warning option of clang, or -Wl,… for the linker", addWarning},
      {{"-w", "--disable-warnings"}, Form::kFlag, "", group, "no warnings", [](Options& o, Value) { o.warnings.push_back("-w"); }},
      {{"-Xcompiler", "--compiler-options"},
       Form::kEquals,
       "LIST",
       group,
       "options for the host pass",
       [](Options& o, Value v) { splitCommas(v, o.hostFlags); }},
      {{"-Xclang"},
       Form::kEquals,
       "WORD",
       group,
       "a word for both passes of clang's compiler proper",
       addPair(&Options::clangFlags, "-Xclang")},
      {{"-mllvm"}, Form::kEquals, "OPTION", group, "an option of LLVM for both passes", addPair(&Options::clangFlags, "-mllvm")},
      {{"-f"}, Form::kValue, "OPTION", group, "an option of clang for the host pass, such as -fPIC", addTo(&Options::hostFlags, "-f")},
      {{"-march"}, Form::kEquals, "CPU", group, "the host's processor", addTo(&Options::hostFlags, "-march=")},
      {{"-forward-unknown-to-host-compiler", "--forward-unknown-to-host-compiler"},
       Form::kFlag,
       "",
       group,
       "options that are not listed here go to the host pass",
       ignore},
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
      {{"-rdynamic"},
       Form::kFlag,
       "",
       group,
       "symbols of the program for libraries that it loads",
       [](Options& o, Value) { o.linkerFlags.push_back("-rdynamic"); }},
      {{"-cudart", "--cudart"}, Form::kEquals, "KIND", group, "accepted: the simulator's runtime is always linked", ignore},
  };
}

std::vector<OptionRow> driverRows() {
  const std::string group = "The driver";
  return {
      {{"-ccbin", "--compiler-bindir"}, Form::kEquals, "CLANG", group, "the clang++ to use; others are left out", setHostCompiler},
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
