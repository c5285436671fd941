// Reports of a hand-made launch against files in golden/. To write them anew after a change of the layout, run the test with
// WARPWRIGHT_UPDATE_GOLDEN=1, then check each number by hand: one warp of 32 lanes executes each instruction of code() once.
#include "profile/report.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "launch_builder.hpp"
#include "profile/findings.hpp"
#include "profile/mechanisms.hpp"
#include "profile/text_page.hpp"
#include "profile/units.hpp"
#include "stats/json.hpp"
#include "stats/named_structure.hpp"

namespace warpwright::profile {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Space;
using testing::access;
using testing::HandMadeKernel;
using testing::operation;
using testing::strided;

const std::string kFolder = WARPWRIGHT_SOURCE_DIR "/tests/unit/profile/golden/";

std::vector<isa::Instruction> code() {
  return {operation(Opcode::s2r, DataType::u32, 4),  access(Opcode::ld, Space::global, 5),     access(Opcode::st, Space::shared, 5),
          operation(Opcode::setp, DataType::s32, 6), operation(Opcode::bra, DataType::u32, 6), access(Opcode::ld, Space::shared, 6),
          access(Opcode::st, Space::global, 6),      access(Opcode::atom, Space::global, 7),   operation(Opcode::exit, DataType::u32, 0)};
}

class Report : public ::testing::Test {
 protected:
  Report() : kernel_(code(), "_Z9transposePKfPfPi", kFolder + "transpose.cu") {
    profile_ = std::make_unique<Profile>(Geometry{32, 32, 4});
    exec::Observer& observer = profile_->beginLaunch(kernel_.request);
    kernel_.issue(0);
    kernel_.access(observer, 1, strided(0x10000, 4));  // 4 sectors
    kernel_.access(observer, 2, strided(0, 128));      // 32 passes
    kernel_.issue(3);
    kernel_.branch(observer, 4, LaneMask::first(32), LaneMask::range(16, 16));
    kernel_.access(observer, 5, strided(0, 4), 4, LaneMask::first(16));          // 1 pass
    kernel_.access(observer, 6, strided(0x20000, 128), 4, LaneMask::first(16));  // 16 sectors where 2 would do
    kernel_.access(observer, 7, strided(0x30000, 0));                            // 32 lanes at one address
    kernel_.issue(8);
    profile_->endLaunch(kernel_.request, kernel_.result, 1500);
  }

  // Without the folder of the source tree, which differs from machine to machine.
  static std::string portable(std::string text) {
    for (std::size_t at = text.find(kFolder); at != std::string::npos; at = text.find(kFolder)) text.erase(at, kFolder.size());
    return text;
  }

  static void expectGolden(const std::string& name, const std::string& actual) {
    if (std::getenv("WARPWRIGHT_UPDATE_GOLDEN") != nullptr) std::ofstream(kFolder + name) << actual;
    std::ifstream stream(kFolder + name);
    EXPECT_EQ(actual, std::string(std::istreambuf_iterator<char>(stream), {}));
  }

  HandMadeKernel kernel_;
  std::unique_ptr<Profile> profile_;
};

TEST_F(Report, TableIsAsAgreed) { expectGolden("table.txt", portable(profile_->table({.lines = true, .colour = false, .width = 100}))); }

TEST_F(Report, JsonIsAsAgreed) { expectGolden("profile.json", portable(profile_->json())); }

TEST_F(Report, FitsEightyColumns) {
  std::istringstream lines(portable(profile_->table({.lines = true, .colour = false, .width = 80})));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST_F(Report, NoCheckFails) { EXPECT_EQ(profile_->table({}).find("INTERNAL"), std::string::npos); }

TEST_F(Report, ColoursOnlyOnRequest) {
  EXPECT_EQ(profile_->table({}).find('\033'), std::string::npos);
  EXPECT_NE(profile_->table({.colour = true}).find('\033'), std::string::npos);
}

TEST(EmptyProfile, HasNoKernels) {
  const Profile profile({});
  EXPECT_TRUE(profile.empty());
  EXPECT_EQ(profile.table({}), "");
  EXPECT_TRUE(stats::Json::parse(profile.json())["kernels"].empty());
}

TEST(Units, AreReadable) {
  EXPECT_EQ(countText(0), "0");
  EXPECT_EQ(countText(999), "999");
  EXPECT_EQ(countText(12'345), "12,345");
  EXPECT_EQ(countText(999'999), "999,999");
  EXPECT_EQ(countText(1'000'000), "1.00 M");
  EXPECT_EQ(countText(45'600'000'000), "45.6 G");
  EXPECT_EQ(bytesText(96), "96 B");
  EXPECT_EQ(bytesText(1536), "1.50 KiB");
  EXPECT_EQ(bytesText(u64{12} << 20), "12.0 MiB");
  EXPECT_EQ(timeText(750), "750 ns");
  EXPECT_EQ(timeText(1500), "1.50 us");
  EXPECT_EQ(percentText(0.125), "12.5 %");
  EXPECT_EQ(percentText({}), "-");
}

struct Rows {
  u64 read = 0, written = 0;
  static constexpr void fields(auto&& field) {
    field("read", "rows", "that were read", &Rows::read);
    field("written", "rows", "that were written", &Rows::written);
  }
};

struct Table {
  u64 hits = 0;
  Rows here, below;
  static constexpr void fields(auto&& field) {
    field("hits", "accesses", "that hit", &Table::hits);
    field("here", "", "rows of the table", &Table::here);
    field("below", "", "rows below it", &Table::below);
  }
};

TEST(Mechanisms, GroupsOfZerosAreOneRow) {
  stats::NamedStatistics mechanisms;
  mechanisms.add("table", stats::Structure(Table{.here = {.read = 3}}));
  TextPage page(ReportOptions{});
  appendMechanisms(page, mechanisms);
  EXPECT_EQ(page.take(),
            "\nMechanism table\n"
            "  hits                                             0   accesses\n"
            "  here.read                                        3   rows\n"
            "  here.written                                     0   rows\n"
            "  below.*                                      all 0\n");
}

TEST(TextPage, BreaksParagraphsAtBlanks) {
  TextPage page(ReportOptions{.width = 20});
  page.paragraph("  1. one two three four five six", 5);
  EXPECT_EQ(page.take(), "  1. one two three\n     four five six\n");
}

TEST(TextPage, ClipsLongText) {
  EXPECT_EQ(clipped("abcdef", 6), "abcdef");
  EXPECT_EQ(clipped("abcdef", 5), "abc..");
}

}  // namespace
}  // namespace warpwright::profile
