#include "fatbin/select.hpp"

#include <gtest/gtest.h>

#include "builder.hpp"

namespace warpwright::fatbin {
namespace {

using namespace test;

constexpr u64 kAlone = 0x100000, kFamily = 0x200000;

// What is chosen of the entries for sm_VERSION; a "!" before it says that it is above.
std::string chosen(const std::string& entries, u32 version) {
  const std::string bytes = container(entries);
  const auto containers = read(bytesOf(bytes), "app");
  const Selection selection = selectPtx(containers.at(0), version);
  return (selection.above ? "!" : "") + selection.entry->architecture.name();
}

std::string ptx(u32 architecture, u64 flags = 0) { return entry({.architecture = architecture, .flags = 0x11 | flags}); }
std::string machineCode(u32 architecture) { return entry({.kind = 2, .architecture = architecture}); }

TEST(SelectPtx, HighestThatIsNotAbove) {
  const std::string entries = ptx(75) + ptx(90) + ptx(80) + machineCode(86);
  EXPECT_EQ(chosen(entries, 75), "sm_75");
  EXPECT_EQ(chosen(entries, 79), "sm_75");
  EXPECT_EQ(chosen(entries, 86), "sm_80");
  EXPECT_EQ(chosen(entries, 120), "sm_90");
}

TEST(SelectPtx, LowestWhereAllAreAbove) {
  EXPECT_EQ(chosen(ptx(90) + ptx(80) + machineCode(20), 20), "!sm_80");
  EXPECT_EQ(chosen(ptx(90, kAlone) + ptx(100), 20), "!sm_100");
  EXPECT_EQ(chosen(ptx(90, kAlone), 20), "!sm_90a");
}

TEST(SelectPtx, CodeForOneArchitectureOrFamilyStaysThere) {
  const std::string entries = ptx(75) + ptx(90, kAlone) + ptx(100, kFamily);
  EXPECT_EQ(chosen(entries, 90), "sm_90a");
  EXPECT_EQ(chosen(entries, 100), "sm_100f");
  EXPECT_EQ(chosen(entries, 103), "sm_100f");
  EXPECT_EQ(chosen(entries, 120), "sm_75");
}

TEST(SelectPtx, GenericCodeFirstThenTheOrder) {
  EXPECT_EQ(chosen(ptx(90, kAlone) + ptx(90), 90), "sm_90");
  EXPECT_EQ(chosen(ptx(90) + ptx(90, kAlone), 90), "sm_90");
  const std::string bytes = container(entry({.name = "first"}) + entry({.name = "second"}));
  const auto containers = read(bytesOf(bytes), "app");
  EXPECT_EQ(selectPtx(containers.at(0), 75).entry->name, "first");
}

TEST(SelectPtx, OneForEachUnitThatHasPtx) {
  const std::string bytes = container(ptx(75)) + container(machineCode(75)) + container(ptx(80) + ptx(70));
  const auto containers = read(bytesOf(bytes), "app");
  const auto selections = selectPtx(containers, 75);
  ASSERT_EQ(selections.size(), 2u);
  EXPECT_EQ(selections[0].entry, &containers[0].entries[0]);
  EXPECT_EQ(selections[1].entry, &containers[2].entries[1]);
}

TEST(SelectPtx, MachineCodeAloneIsExplained) {
  const std::string bytes = container(machineCode(90) + machineCode(80) + machineCode(80));
  const auto containers = read(bytesOf(bytes), "app");
  const std::string message =
      "app: error: the device code is machine code for sm_80, sm_90 without PTX\n"
      "  remedy: embed PTX: compile with nvcc -gencode arch=compute_80,code=compute_80 or -arch=sm_80";
  EXPECT_EQ(errorOf([&] { selectPtx(containers, 75); }), message);
  EXPECT_EQ(errorOf([&] { selectPtx(containers[0], 75); }), message);
}

TEST(SelectPtx, LinkTimeCodeAloneIsExplained) {
  const std::string bytes = container(entry({.kind = 8, .architecture = 75}));
  EXPECT_EQ(errorOf([&] { selectPtx(read(bytesOf(bytes), "app"), 75); }),
            "app: error: the device code is intermediate code for the linker (LTO) for sm_75 without PTX\n"
            "  remedy: embed PTX: compile with nvcc -gencode arch=compute_75,code=compute_75 or -arch=sm_75");
}

TEST(SelectPtx, NoCodeAtAll) {
  const std::string bytes = container("");
  EXPECT_EQ(errorOf([&] { selectPtx(read(bytesOf(bytes), "app"), 75); }),
            "app: error: there is no device code\n  remedy: embed PTX: build it with nvcc -arch=sm_75 or warpwright-cc");
  EXPECT_NE(errorOf([&] { selectPtx(std::span<const Container>(), 75); }), "");
}

}  // namespace
}  // namespace warpwright::fatbin
