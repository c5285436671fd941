#include "cc/driver/text_compilation.hpp"

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

namespace warpwright::cc {
namespace {

namespace fs = std::filesystem;

void writeText(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw Error(fmt::format("cannot write '{}'", path.string()));
}

std::string textOf(const fs::path& path) {
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

void removeAll(std::string& text, const std::string& what) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at)) text.erase(at, what.size());
}

}  // namespace

std::string driverNear(const void* code) {
  Dl_info info{};
  dladdr(code, &info);
  std::error_code failed;
  const fs::path library = fs::canonical(info.dli_fname ? info.dli_fname : "", failed);
  for (fs::path folder = library.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
    const fs::path candidate = folder / "bin" / "warpwright-cc";
    if (fs::exists(candidate, failed)) return candidate.string();
  }
  throw Error(fmt::format("cannot find warpwright-cc beside {}", library.filename().string()), {},
              "reinstall warpwright, or build the target warpwright-cc");
}

CompiledText compileText(const SourceText& source, const Options& given, const std::string& driver) {
  const TemporaryFolder temporary;
  const fs::path folder = temporary.path(), input = folder / "program.cu", output = folder / "program.ptx", headers = folder / "include";
  writeText(input, fmt::format("#line 1 \"{}\"\n{}", source.name, source.text));
  fs::create_directories(headers);
  for (const auto& [name, text] : source.headers) writeText(inside(headers, name), text);
  Options options = given;
  options.preprocessor.insert(options.preprocessor.begin(), "-I" + headers.string());

  CompiledText result;
  result.log = capture(deviceCommand(options, findToolchain(driver, options.clang), input.string(), output.string()));
  removeAll(result.log, headers.string() + "/");
  result.succeeded = fs::exists(output);
  if (!result.succeeded) return result;
  result.ptx = repairRotations(textOf(output));
  removeAll(result.ptx, headers.string() + "/");
  removeAll(result.ptx, folder.string() + "/");
  return result;
}

}  // namespace warpwright::cc
