#include "runtime/checked_compilation.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace warpwright::runtime {
namespace {

bool writeAll(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// The name of the new file; empty when it cannot be written.
std::string keep(std::string_view ptx) {
  static constexpr std::string_view kEnd = ".ptx";
  std::error_code none;
  std::filesystem::path folder = std::filesystem::temp_directory_path(none);
  if (none) folder = "/tmp";
  std::string name = (folder / "warpwright-internal-error-XXXXXX").string().append(kEnd);
  const int file = mkstemps(name.data(), kEnd.size());
  if (file < 0) return {};
  const bool kept = writeAll(file, ptx);
  return close(file) == 0 && kept ? name : std::string();
}

}  // namespace

Error explain(const compiler::InternalError& error, std::string_view ptx) {
  const std::string file = keep(ptx);
  const std::string what = file.empty() ? "the PTX" : fmt::format("the PTX, which is kept in '{}'", file);
  return Error(
      fmt::format("internal error: {}", error.what()), error.where(),
      fmt::format("this is a mistake of warpwright {}, found before any of the code ran; please report it with this message and {}",
                  WARPWRIGHT_VERSION, what));
}

isa::Program compileChecked(const ptx::Module& module, const compiler::Options& options, std::string_view ptx) {
  try {
    return compiler::compile(module, options);
  } catch (const compiler::InternalError& error) {
    throw explain(error, ptx);
  }
}

}  // namespace warpwright::runtime
