#include "sass/trace_list.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "sass/fields.hpp"

namespace warpwright::sass {
namespace {

namespace fs = std::filesystem;

constexpr const char* kListName = "kernelslist.g";

bool isKernelTrace(const std::string& name) { return name.ends_with(".traceg") || name.ends_with(".traceg.xz"); }

// "MemcpyHtoD,0x00007f2a5d200000,4096"
HostCopy copyOf(std::string text, const SourcePosition& where) {
  for (char& each : text)
    if (each == ',') each = ' ';
  Fields fields(text, where);
  fields.word("the command");
  const u64 address = fields.hexadecimal("the address");
  return {GlobalAddress(address), fields.decimal("the bytes")};
}

// Traces may have been compressed after the list was made.
KernelFile fileOf(const std::string& name, const std::string& folder, const SourcePosition& where) {
  const std::string path = (fs::path(folder) / name).string();
  std::error_code failed;
  for (const std::string& candidate : {path, path + ".xz"})
    if (fs::is_regular_file(candidate, failed)) return {name, candidate};
  throw Error(fmt::format("there is no trace '{}'", path), where, "the traces lie beside their list: copy all of the folder");
}

TraceList ofFolder(const std::string& folder) {
  const std::string list = (fs::path(folder) / kListName).string();
  std::error_code failed;
  if (fs::is_regular_file(list, failed)) return findTraces(list);
  const bool isRaw = fs::is_regular_file(fs::path(folder) / "kernelslist", failed);
  throw Error(fmt::format("the folder '{}' has no {}", folder, kListName), {},
              isRaw ? "its traces are as the tracer leaves them: Accel-Sim's post-traces-processing groups them and makes the list"
                    : "name the folder that Accel-Sim's tracer has written, or the list in it");
}

}  // namespace

std::vector<TraceCommand> readList(LineReader& lines, const std::string& folder) {
  std::vector<TraceCommand> commands;
  while (const std::optional<std::string_view> text = lines.next()) {
    const std::string line(*text);
    if (line.empty()) continue;
    if (line.starts_with("MemcpyHtoD,")) {
      commands.emplace_back(copyOf(line, lines.where()));
    } else if (line.starts_with("kernel")) {
      commands.emplace_back(fileOf(line, folder, lines.where()));
    } else if (!line.starts_with("Memcpy")) {
      // Copies to the host change nothing on the device.
      throw Error(fmt::format("'{}' is no command of a list of kernels", line.substr(0, 40)), lines.where(),
                  "a line names a trace, kernel-N.traceg, or a copy, MemcpyHtoD,ADDRESS,BYTES");
    }
  }
  return commands;
}

TraceList findTraces(const std::string& path) {
  std::error_code failed;
  if (fs::is_directory(path, failed)) return ofFolder(path);
  if (isKernelTrace(path)) return {path, {KernelFile{path, path}}};
  LineReader lines(openTrace(path), path);
  TraceList list{path, readList(lines, fs::path(path).parent_path().string())};
  if (list.commands.empty()) throw Error(fmt::format("the list '{}' is empty", path), {}, "trace the program anew");
  return list;
}

}  // namespace warpwright::sass
