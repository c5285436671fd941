#include "runtime/dump.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "isa/disassembler.hpp"

namespace warpwright::runtime {
namespace {

void write(const std::filesystem::path& file, std::string_view text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.flush();
  if (!out) throw Error("cannot write '" + file.string() + "'", {}, "set WARPWRIGHT_DUMP to a folder that can be written");
}

}  // namespace

std::string listing(const isa::Program& program, std::string_view functionName) {
  std::string text;
  for (const isa::Function& function : program.functions) {
    if (function.isDeclaration || (!functionName.empty() && function.name != functionName)) continue;
    if (!text.empty()) text += '\n';
    text += isa::disassemble(program, function);
  }
  return text;
}

void dumpModule(const std::string& folder, u32 id, std::string_view ptx, const isa::Program& program) {
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  const auto stem = std::filesystem::path(folder) / fmt::format("module-{}", id);
  write(stem.string() + ".ptx", ptx);
  write(stem.string() + ".asm", listing(program));
}

}  // namespace warpwright::runtime
