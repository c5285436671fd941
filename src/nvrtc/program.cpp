#include "program.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "cc/driver/commands.hpp"
#include "cc/driver/process.hpp"
#include "cc/driver/rotation_repair.hpp"
#include "cc/driver/toolchain.hpp"
#include "names.hpp"
#include "options.hpp"

namespace warpwright::nvrtc {
namespace {

namespace fs = std::filesystem;

// The compiler driver of the build tree or installation that this library belongs to: the tool chain lies relative to it.
std::string compilerDriver() {
  Dl_info info{};
  dladdr(reinterpret_cast<void*>(&compile), &info);
  std::error_code failed;
  fs::path folder = fs::canonical(info.dli_fname ? info.dli_fname : "", failed).parent_path();
  for (; folder.has_relative_path(); folder = folder.parent_path()) {
    const fs::path candidate = folder / "bin" / "warpwright-cc";
    if (fs::exists(candidate, failed)) return candidate.string();
  }
  throw Error("cannot find warpwright-cc beside libnvrtc", {}, "reinstall warpwright, or build the target warpwright-cc");
}

void writeFile(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw Error(fmt::format("cannot write '{}'", path.string()));
}

std::string readFile(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// A name that stays within the folder.
fs::path inside(const fs::path& folder, const std::string& name) {
  const fs::path relative = fs::path(name).lexically_normal();
  if (relative.is_absolute() || relative.empty() || *relative.begin() == "..")
    throw Error(fmt::format("'{}' cannot be the name of a header in memory", name), {}, "give a relative name, such as lib/vector.h");
  return folder / relative;
}

void replaceAll(std::string& text, const std::string& what, const std::string& by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) text.replace(at, what.size(), by);
}

std::string sourceOf(const _nvrtcProgram& program, bool deviceByDefault) {
  const std::string line = fmt::format("#line 1 \"{}\"\n", program.name);
  const std::string probes = nameProbes(program.expressions);
  if (!deviceByDefault) return line + program.source + probes;
  return "#pragma clang force_cuda_host_device begin\n" + line + program.source + "\n#pragma clang force_cuda_host_device end\n" + probes;
}

nvrtcResult compileIn(const fs::path& folder, _nvrtcProgram& program, CompileOptions options) {
  const fs::path input = folder / "program.cu", output = folder / "program.ptx", headers = folder / "include";
  writeFile(input, sourceOf(program, options.deviceByDefault));
  fs::create_directories(headers);
  for (const auto& [name, text] : program.headers) writeFile(inside(headers, name), text);
  options.compiler.preprocessor.insert(options.compiler.preprocessor.begin(), {"-D__CUDACC_RTC__=1", "-I" + headers.string()});

  const cc::Toolchain tools = cc::findToolchain(compilerDriver(), "");
  program.log = cc::capture(cc::deviceCommand(options.compiler, tools, input.string(), output.string()));
  replaceAll(program.log, headers.string() + "/", "");
  if (!fs::exists(output)) return NVRTC_ERROR_COMPILATION;

  std::string ptx = cc::repairRotations(readFile(output));
  replaceAll(ptx, headers.string() + "/", "");
  replaceAll(ptx, folder.string() + "/", "");
  program.loweredNames = takeNames(ptx, program.expressions);
  program.ptx = cc::ptxPreamble(options.compiler, program.name) + ptx;
  program.compiled = true;
  return NVRTC_SUCCESS;
}

}  // namespace

nvrtcResult compile(_nvrtcProgram& program, const std::vector<std::string>& words) {
  program.compiled = false;
  CompileOptions options;
  try {
    options = readOptions(words);
  } catch (const Error& error) {
    program.log = error.what();
    return NVRTC_ERROR_INVALID_OPTION;
  }
  program.realArchitecture = options.realArchitecture;
  try {
    const cc::TemporaryFolder folder;
    return compileIn(folder.path(), program, std::move(options));
  } catch (const Error& error) {
    program.log = error.what();
    return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
  }
}

}  // namespace warpwright::nvrtc
