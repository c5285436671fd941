#include "nvvm/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "cc/driver/process.hpp"
#include "cc/driver/rotation_repair.hpp"
#include "nvvm/dialect.hpp"
#include "nvvm/options.hpp"
#include "nvvm/tools.hpp"

namespace warpwright::nvvm {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBitcode = "BC\xC0\xDE";
constexpr u32 kNewestArchitecture = 86;  // of LLVM 14, with PTX 7.5

// What a tool refuses; the log has said it.
struct Refused {
  nvvmResult result;
};

void write(const fs::path& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  if (!file.flush()) throw Error(fmt::format("cannot write '{}'", path.string()));
}

std::string contentOf(const fs::path& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) text.replace(at, what.size(), by);
  return text;
}

class Compilation {
 public:
  Compilation(_nvvmProgram& program, const CompileOptions& options) : program_(program), options_(options) {}

  void run() {
    link();
    strip();
    optimise();
    generate();
  }

  void link() {
    cc::Command eager{tools_.link}, lazy{tools_.link, "--only-needed", "--internalize"};
    for (std::size_t i = 0; i < program_.modules.size(); ++i)
      if (!program_.modules[i].lazy) eager.push_back(textOf(i));
    if (eager.size() == 1) throw Refused{NVVM_ERROR_NO_MODULE_IN_PROGRAM};
    perform(std::move(eager), "eager.bc", NVVM_ERROR_INVALID_IR);
    lazy.push_back(file("eager.bc"));
    for (std::size_t i = 0; i < program_.modules.size(); ++i)
      if (program_.modules[i].lazy) lazy.push_back(libraryOf(i));
    write(file("intrinsics.ll"), intrinsics(options_));
    lazy.push_back(file("intrinsics.ll"));
    perform(std::move(lazy), "linked.bc", NVVM_ERROR_INVALID_IR);
  }

 private:
  std::string file(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string nameOf(std::size_t module) const {
    const std::string& given = program_.modules[module].name;
    return given.empty() ? fmt::format("module {}", module + 1) : given;
  }

  void perform(cc::Command command, const std::string& output, nvvmResult failure) {
    command.insert(command.end(), {"-o", file(output)});
    int status = 0;
    const std::string said = cc::capture(command, &status);
    std::istringstream lines(said);
    for (std::string line; std::getline(lines, line);) {
      // Front ends spell the triple and the data layout in several ways.
      if (line.find("Linking two modules of different") == std::string::npos) program_.log += withoutFolder(line) + "\n";
    }
    if (status != 0) throw Refused{failure};
  }

  std::string withoutFolder(std::string line) const {
    for (auto at = line.find(folder_.path()); at != std::string::npos; at = line.find(folder_.path()))
      line.erase(at, folder_.path().size() + 1);
    return line;
  }

  // A file with the module as LLVM reads it, named as messages name it.
  std::string textOf(std::size_t module) {
    const std::string& content = program_.modules[module].content;
    std::string text = file(fmt::format("{}.ll", nameOf(module)));
    fs::create_directories(fs::path(text).parent_path());
    if (content.starts_with(kBitcode)) {
      write(text + ".bc", content);
      perform({tools_.disassemble, text + ".bc"}, fs::path(text).lexically_relative(folder_.path()).string(), NVVM_ERROR_INVALID_IR);
      write(text, translated(contentOf(text)));
    } else {
      write(text, translated(content.substr(0, content.find('\0'))));
    }
    for (std::string& name : functionsIn(contentOf(text))) functions_.push_back(std::move(name));
    return text;
  }

  // A library is taken as it is: libdevice is written for LLVM.
  std::string libraryOf(std::size_t module) {
    const std::string& content = program_.modules[module].content;
    if (!content.starts_with(kBitcode)) return textOf(module);
    std::string path = file(fmt::format("library{}.bc", module));
    write(path, content);
    return path;
  }

  // Of debug information, PTX has the lines at most: directives, and no sections.
  void strip() {
    const std::string pass = options_.lines ? "-passes=strip-nonlinetable-debuginfo" : "-strip-debug";
    perform({tools_.optimise, "-S", pass, file("linked.bc")}, "stripped.ll", NVVM_ERROR_INVALID_IR);
    if (options_.lines) write(file("stripped.ll"), replaced(contentOf(file("stripped.ll")), "LineTablesOnly", "DebugDirectivesOnly"));
  }

  void optimise() {
    cc::Command command{tools_.optimise, options_.optimise ? "-O3" : "-O0"};
    // NVVM takes every call for convergent. LLVM asks for an attribute, and takes it away again where nothing needs it: without it, a
    // barrier in a function could move into a branch.
    for (const std::string& name : functions_) command.push_back(fmt::format("-force-attribute={}:convergent", name));
    command.push_back(file("stripped.ll"));
    perform(std::move(command), "optimised.bc", NVVM_ERROR_COMPILATION);
  }

  void generate() {
    cc::Command command{tools_.generate,
                        options_.optimise ? "-O3" : "-O0",
                        "-march=nvptx64",
                        fmt::format("-mcpu=sm_{}", std::min(options_.smVersion, kNewestArchitecture)),
                        "-mattr=+ptx75",
                        "-dwarf-version=2",
                        "-dwarf-directory=0",  // PTX has one name in a .file
                        fmt::format("--fp-contract={}", options_.fuseMultiplyAdd ? "fast" : "off"),
                        fmt::format("--nvptx-prec-divf32={}", options_.preciseDivision ? 2 : 0),
                        fmt::format("--nvptx-prec-sqrtf32={}", options_.preciseSquareRoot ? 1 : 0)};
    if (options_.flushDenormals) command.emplace_back("--denormal-fp-math-f32=preserve-sign");
    command.push_back(file("optimised.bc"));
    perform(std::move(command), "program.ptx", NVVM_ERROR_COMPILATION);
    program_.ptx = cc::repairRotations(contentOf(file("program.ptx")));
  }

  _nvvmProgram& program_;
  const CompileOptions options_;
  const Tools tools_ = findTools();
  const cc::TemporaryFolder folder_;
  std::vector<std::string> functions_;  // of the program's own modules
};

template <class Action>
nvvmResult carryOut(_nvvmProgram& program, const std::vector<std::string>& words, Action&& action) {
  program.log.clear();
  CompileOptions options;
  try {
    options = readOptions(words);
  } catch (const Error& error) {
    program.log = error.what();
    return NVVM_ERROR_INVALID_OPTION;
  }
  try {
    Compilation compilation(program, options);
    action(compilation);
    return NVVM_SUCCESS;
  } catch (const Refused& refused) {
    return refused.result;
  } catch (const Error& error) {
    program.log += error.what();
    return NVVM_ERROR_COMPILATION;
  }
}

}  // namespace

nvvmResult compile(_nvvmProgram& program, const std::vector<std::string>& options) {
  program.compiled = false;
  const nvvmResult result = carryOut(program, options, [](Compilation& compilation) { compilation.run(); });
  program.compiled = result == NVVM_SUCCESS;
  return result;
}

nvvmResult verify(_nvvmProgram& program, const std::vector<std::string>& options) {
  return carryOut(program, options, [](Compilation& compilation) { compilation.link(); });
}

}  // namespace warpwright::nvvm
