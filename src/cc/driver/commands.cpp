#include "cc/driver/commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/error.hpp"

namespace warpwright::cc {
namespace {

// No CUDA installation may be found by chance: neither its headers nor its bit code. The path exists nowhere on purpose.
const Command kNoVendorSoftware = {"--cuda-path=/nonexistent-by-design", "-nocudainc", "-nocudalib"};

// clang chooses the launch protocol (__cudaPushCallConfiguration) by the version of the CUDA kit, which does not exist here.
const Command kLaunchProtocol = {"-Xclang", "-target-sdk-version=11.5"};

// The newest architecture that a release of clang generates code for (its list of CUDA architectures and the PTX ISA versions it knows:
// 7.8, which sm_89 and sm_90 need, came with clang 16).
u32 targetFor(u32 smVersion, u32 clangMajor) { return std::min(smVersion, clangMajor < 16 ? 86u : 90u); }

// PTX ISA 7.5 has every instruction up to sm_87.
std::string_view ptxFeature(u32 target) { return target >= 89 ? "+ptx78" : "+ptx75"; }

// Without it clang takes an argument that has no value for undefined behaviour and drops the condition under which it was set. In CUDA,
// lanes that a shuffle does not ask have none (WARPWRIGHT_MAYBE_UNDEFINED in the headers covers their functions, not the program's).
std::string undefinedArgumentsFlag(u32 clangMajor) { return clangMajor < 15 ? "-disable-noundef-analysis" : "-no-enable-noundef-analysis"; }

void append(Command& command, const Command& more) { command.insert(command.end(), more.begin(), more.end()); }

void appendPreprocessor(Command& command, const Options& options, const Toolchain& tools, Language language) {
  append(command, options.preprocessor);
  for (const std::string& folder : tools.includeFolders) append(command, {"-isystem", folder});
  append(command, {"-idirafter", tools.vendorStubFolder});
  if (language == Language::kCuda && options.implicitHeader) append(command, {"-include", "cuda_runtime.h"});
  append(command, {"-D__CUDACC_VER_MAJOR__=11", "-D__CUDACC_VER_MINOR__=5", "-D__WARPWRIGHT__=1"});
}

void appendCudaCommon(Command& command, const Options& options) {
  append(command, {"-x", "cuda"});
  append(command, kNoVendorSoftware);
  append(command, kLaunchProtocol);
  // Declared and never called, functions with any number of arguments are a customary tool of templates.
  append(command, {"-Xclang", "-fcuda-allow-variadic-functions"});
  if (options.fastMath) command.push_back("-D__USE_FAST_MATH__=1");
  // The id makes the names of what is static in the file and known to host and device. clang hands its own option to the device pass only.
  if (!options.unitId.empty()) {
    const std::string id = "-cuid=" + options.unitId;
    append(command, {"-Xclang", "-fgpu-rdc", id, "-Xclang", id});
  }
}

// C++17 has no `register` any more, which is an error with clang and a warning with nvcc and its host compilers; so is `template` before a
// name without arguments.
void appendStandard(Command& command, const Options& options, const Toolchain& tools, Language language) {
  if (language == Language::kC) return;
  if (!options.standard.empty()) command.push_back("-std=" + options.standard);
  command.push_back("-Wno-error=register");
  if (tools.clangMajor >= 19) command.push_back("-Wno-error=missing-template-arg-list-after-template-kw");
}

Command addressBitsFlags(const Toolchain& tools) {
  Command flags = {"-m32"};
  // The 32-bit pass only parses host code: the 64-bit host's headers serve, with a stand-in for the one file they lack.
  append(flags, {"-isystem", tools.address32Folder});
  for (const std::string& folder : tools.hostCxxFolders) append(flags, {"-isystem", folder});
  return flags;
}

Command stageFlags(const Options& options) {
  switch (options.stage) {
    case Stage::kPreprocess:
      return {"-E"};
    case Stage::kHostAssembly:
      return {"-S"};
    case Stage::kDependencies:
      return {};
    default:
      return {"-c"};
  }
}

}  // namespace

Language languageOf(const Options& options, const std::string& input) {
  const std::string extension = std::filesystem::path(input).extension().string();
  for (const char* name : {".o", ".obj", ".a", ".so"}) {
    if (extension == name) return Language::kLinkerInput;
  }
  if (input.find(".so.") != std::string::npos) return Language::kLinkerInput;
  const std::string& wish = options.language;
  if (wish == "cu" || wish == "cuda") return Language::kCuda;
  if (wish == "c++") return Language::kCxx;
  if (wish == "c") return Language::kC;
  if (!wish.empty()) throw Error(fmt::format("unknown language '{}'", wish), {}, "write -x cu, -x c++ or -x c");
  if (extension == ".cu") return Language::kCuda;
  if (extension == ".c") return Language::kC;
  for (const char* name : {".cpp", ".cc", ".cxx", ".C"}) {
    if (extension == name) return Language::kCxx;
  }
  throw Error(fmt::format("do not know what to do with '{}'", input), {},
              "inputs are .cu, .cpp, .cc, .cxx, .c, .o, .a and .so; or say -x cu");
}

Command deviceCommand(const Options& options, const Toolchain& tools, const std::string& input, const std::string& ptx) {
  Command command = {tools.clang};
  appendCudaCommon(command, options);
  const u32 target = targetFor(options.smVersion, tools.clangMajor);
  append(command, {"--cuda-device-only", fmt::format("--cuda-gpu-arch=sm_{}", target), "-S"});
  append(command, {"-Xclang", "-target-feature", "-Xclang", std::string(ptxFeature(target))});
  append(command, {"-Xclang", undefinedArgumentsFlag(tools.clangMajor)});
  // Above what clang knows, the source still sees the architecture that was asked for: inline PTX of it is none of clang's business.
  if (target != options.smVersion) append(command, {"-U__CUDA_ARCH__", fmt::format("-D__CUDA_ARCH__={}", 10 * options.smVersion)});
  append(command, {"-Wno-unknown-cuda-version", "-Wno-unused-command-line-argument"});
  command.push_back(options.deviceDebug ? "-O0" : "-O" + options.optimisation);
  if (options.lineInfo || options.deviceDebug) command.push_back("-gline-directives-only");
  if (!options.fuseMultiplyAdd) command.push_back("-ffp-contract=off");
  if (options.flushDenormals) command.push_back("-fcuda-flush-denormals-to-zero");
  // Not clang's -ffast-math, which would let it reorder the library's arithmetic: nvcc's option means approximate division and roots.
  if (options.fastMath) append(command, {"-mllvm", "-nvptx-prec-divf32=0", "-mllvm", "-nvptx-prec-sqrtf32=0"});
  appendStandard(command, options, tools, Language::kCuda);
  appendPreprocessor(command, options, tools, Language::kCuda);
  if (options.deviceAddressBits == 32) append(command, addressBitsFlags(tools));
  append(command, options.warnings);
  append(command, options.clangFlags);
  append(command, options.deviceFlags);
  append(command, {input, "-o", ptx});
  return command;
}

Command hostCommand(const Options& options, const Toolchain& tools, const std::string& input, Language language, const std::string& ptx,
                    const std::string& result) {
  Command command = {tools.clang};
  if (language == Language::kCuda) {
    appendCudaCommon(command, options);
    append(command, {"--cuda-host-only", "-Wno-unused-command-line-argument"});
    if (!ptx.empty()) append(command, {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", ptx});
    // The device pass has said it already.
    append(command, options.stage == Stage::kDependencies ? Command{} : Command{"-Wno-pass-failed"});
  } else {
    append(command, {"-x", language == Language::kC ? "c" : "c++"});
  }
  append(command, stageFlags(options));
  command.push_back("-O" + options.optimisation);
  command.push_back("-fPIC");
  if (options.hostDebug) command.push_back("-g");
  appendStandard(command, options, tools, language);
  appendPreprocessor(command, options, tools, language);
  append(command, options.dependencyFlags);
  append(command, options.warnings);
  append(command, options.clangFlags);
  append(command, options.hostFlags);
  command.push_back(input);
  if (!result.empty()) append(command, {"-o", result});
  return command;
}

Command deviceLinkCommand(const Toolchain& tools, const std::string& source, const std::string& result) {
  return {tools.clang, "-x", "c", "-c", "-O1", "-fPIC", source, "-o", result};
}

Command libraryCommand(const std::vector<std::string>& objects, const std::string& result) {
  Command command = {"ar", "rcs", result};
  append(command, objects);
  return command;
}

Command linkCommand(const Options& options, const Toolchain& tools, const std::vector<std::string>& objects, const std::string& result) {
  Command command = {tools.clang};
  if (options.shared) command.push_back("-shared");
  append(command, options.hostFlags);
  append(command, objects);
  append(command, options.linkerFlags);
  append(command, {"-L" + tools.libraryFolder, "-lwarpwright_cudart", "-Wl,-rpath," + tools.libraryFolder});
  // The driver API, NVRTC and libraries of kernels (-lcuda, -lnvrtc, -lcublas, -lcurand).
  append(command, {"-L" + tools.dropInFolder, "-Wl,-rpath," + tools.dropInFolder});
  append(command, {"-o", result});
  return command;
}

std::string ptxPreamble(const Options& options, std::string_view sourceName) {
  std::string text = fmt::format("// warpwright: source={}\n", sourceName);
  if (options.maxRegisters > 0) text += fmt::format("// warpwright: maxrregcount={}\n", options.maxRegisters);
  return text;
}

}  // namespace warpwright::cc
