// PTX in, machine code out: each file of tests/golden/compiler is PTX text followed by its listing in comment lines that begin with
// "//= ". After a change that is meant, renew them with WARPWRIGHT_RENEW_GOLDEN=1 and review the difference.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "compiler/compiler.hpp"
#include "isa/disassembler.hpp"
#include "ptx/parser.hpp"

namespace warpwright::compiler {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = "//= ";

std::vector<fs::path> goldenFiles() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(WARPWRIGHT_SOURCE_DIR "/tests/golden/compiler"))
    if (entry.path().extension() == ".ptx") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

struct GoldenFile {
  std::string ptx, listing;
};

GoldenFile readGolden(const fs::path& path) {
  GoldenFile file;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with(kMark))
      file.listing += line.substr(kMark.size()) + "\n";
    else
      file.ptx += line + "\n";
  }
  return file;
}

std::string symbolText(const isa::Program& program, const isa::SymbolAddress& symbol) {
  const bool variable = symbol.kind == isa::SymbolAddress::Kind::variable;
  const std::string& name = variable ? program.variables[symbol.index].name : program.functions[symbol.index].name;
  return fmt::format("{}{} + {}", symbol.generic ? "generic " : "", name, symbol.addend);
}

// What the machine code's text leaves out: where branches reconverge, and which addresses the loader fills in.
void addHidden(const isa::Program& program, const isa::Function& function, std::ostream& text) {
  for (u32 i = function.begin; i < function.end; ++i)
    if (program.code[i].reconvergence != isa::kNoTarget)
      text << fmt::format("{:#06x} reconverges at {:#06x}\n", i * isa::kInstructionBytes,
                          program.code[i].reconvergence * isa::kInstructionBytes);
  for (const isa::CodeRelocation& relocation : program.relocations)
    if (function.begin <= relocation.instruction && relocation.instruction < function.end)
      text << fmt::format(
          "{:#06x} {} is {}\n", relocation.instruction * isa::kInstructionBytes,
          relocation.operand == isa::CodeRelocation::kOffsetOperand ? "offset" : fmt::format("source {}", relocation.operand),
          symbolText(program, relocation.symbol));
}

std::string listingOf(const std::string& ptx) {
  const isa::Program program = compile(ptx::parse(ptx, "golden.ptx"));
  std::ostringstream text;
  for (const isa::Function& function : program.functions) {
    if (function.isDeclaration) continue;
    text << fmt::format("frame {}, local {}, shared {}, dynamic shared at {}, parameters {}\n", function.frameBytes, function.localBytes,
                        function.sharedBytes, function.dynamicSharedOffset, function.parameterBytes);
    std::istringstream lines(isa::disassemble(program, function, {.ptx = false, .source = false}));
    for (std::string line; std::getline(lines, line);) {
      line.erase(line.find_last_not_of(' ') + 1);
      text << line << "\n";
    }
    addHidden(program, function, text);
  }
  return text.str();
}

void renew(const fs::path& path, const GoldenFile& file, const std::string& listing) {
  std::ofstream stream(path);
  stream << file.ptx;
  std::istringstream lines(listing);
  for (std::string line; std::getline(lines, line);) stream << kMark << line << "\n";
}

class Golden : public ::testing::TestWithParam<fs::path> {};

TEST_P(Golden, ListingIsUnchanged) {
  const GoldenFile file = readGolden(GetParam());
  const std::string listing = listingOf(file.ptx);
  if (std::getenv("WARPWRIGHT_RENEW_GOLDEN") != nullptr) return renew(GetParam(), file, listing);
  EXPECT_EQ(listing, file.listing);
}

INSTANTIATE_TEST_SUITE_P(Compiler, Golden, ::testing::ValuesIn(goldenFiles()), [](const auto& test) {
  std::string name = test.param.stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace warpwright::compiler
