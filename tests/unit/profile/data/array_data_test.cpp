// A launch made by hand over real memory: which array a line belongs to, and what the profile says of it.
#include "profile/data/array_data.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <sstream>

#include "profile/profile.hpp"
#include "stats/json.hpp"
#include "unit/profile/launch_builder.hpp"

namespace warpwright::profile {
namespace {

using isa::Opcode;
using isa::Space;
using testing::access;
using testing::HandMadeKernel;
using testing::strided;

class Data : public ::testing::Test {
 protected:
  Data() {
    isa::Function& function = kernel_.loaded.program.functions[0];
    function.parameters = {{"count", 0, 4, 4}, {"out", 8, 8, 8}, {"both", 16, 16, 8}};
    function.parameterBytes = 32;
    kernel_.launch->parameters.resize(function.parameterBytes);
    setParameter(8, output_ + 256);
    setParameter(24, input_);
    for (u32 i = 0; i < 32; ++i) words(input_)[i] = i;
  }

  static u32* words(u64 address) { return reinterpret_cast<u32*>(exec::GlobalMemory::hostPointer(GlobalAddress(address))); }
  void setParameter(u64 offset, u64 value) { std::memcpy(kernel_.launch->parameters.data() + offset, &value, 8); }

  // Loads a line of the input and of the table, and makes a line of the output of what it has loaded.
  void launch(Profile& profile, u32 observers) {
    const auto all = profile.beginLaunch(kernel_.request, observers);
    kernel_.access(*all.front(), 0, strided(input_, 4));
    kernel_.access(*all.back(), 0, strided(input_, 4));
    kernel_.access(*all.back(), 1, strided(table_, 4));
    kernel_.access(*all.front(), 2, strided(output_, 4));
    for (u32 i = 0; i < 32; ++i) words(output_)[i] = 0x3f800000;
    words(input_)[0] = 0x12345678;  // by another: what the launch has loaded is not this
    profile.endLaunch(kernel_.request, kernel_.result, 100);
  }

  exec::GlobalMemory memory_{{.capacity = 1 << 20}};
  u64 input_ = *memory_.allocate(1024, exec::AllocationKind::device);
  u64 output_ = *memory_.allocate(4096, exec::AllocationKind::device);
  u64 table_ = *memory_.allocate(256, exec::AllocationKind::variable, "table");
  HandMadeKernel kernel_{
      {access(Opcode::ld, Space::global, 1), access(Opcode::ld, Space::global, 2), access(Opcode::st, Space::global, 3)}};
};

TEST_F(Data, IsThatOfTheArraysThatALaunchTouches) {
  Profile profile(Geometry{32, 32, 4}, &memory_);
  launch(profile, 1);
  const stats::Json data = profile.data()["kernels"][0]["data"];
  ASSERT_EQ(data.size(), 3u) << data.dump(2);
  EXPECT_EQ(data[0]["name"], "allocation #1");
  EXPECT_EQ(data[0]["bytes"], 1024);
  EXPECT_EQ(data[0]["arguments"], stats::Json({2})) << "in a structure";
  EXPECT_EQ(data[0]["loaded"]["lines"], 1);
  EXPECT_EQ(data[0]["loaded"]["classes"]["affine"], 1);
  EXPECT_FALSE(data[0].contains("stored"));
  EXPECT_EQ(data[1]["name"], "allocation #2");
  EXPECT_EQ(data[1]["arguments"], stats::Json({1})) << "from its middle";
  EXPECT_EQ(data[1]["stored"]["kinds"]["repeated"], 1);
  EXPECT_EQ(data[1]["stored"]["bdi_ratio"], 4.0);
  EXPECT_FALSE(data[1].contains("loaded"));
  EXPECT_EQ(data[2]["name"], "table");
  EXPECT_EQ(data[2]["loaded"]["kinds"]["zero"], 1);
}

TEST_F(Data, IsTheSameFromSeveralObservers) {
  Profile one(Geometry{32, 32, 4}, &memory_), three(Geometry{32, 32, 4}, &memory_);
  launch(one, 1);
  words(input_)[0] = 0;
  launch(three, 3);
  EXPECT_EQ(one.data()["kernels"][0]["data"], three.data()["kernels"][0]["data"]);
}

TEST_F(Data, OfFurtherLaunchesIsAdded) {
  Profile profile(Geometry{32, 32, 4}, &memory_);
  launch(profile, 1);
  launch(profile, 2);
  const stats::Json data = profile.data()["kernels"][0]["data"];
  ASSERT_EQ(data.size(), 3u);
  EXPECT_EQ(data[0]["loaded"]["lines"], 2);
  EXPECT_EQ(data[0]["loaded"]["classes"]["affine"], 1) << "the second launch has found another word";
}

TEST_F(Data, IsAbsentUnlessAskedFor) {
  Profile profile(Geometry{32, 32, 4});
  launch(profile, 1);
  EXPECT_FALSE(profile.data()["kernels"][0].contains("data"));
  EXPECT_EQ(profile.table({}).find("Data in global memory"), std::string::npos);
}

// The words 0 to 31 in bursts of 32 bytes. BDI: 5 bytes of head, a base of 4, a byte a word: 41 bytes, two bursts. FPC: 2 bytes of head,
// eight words in 4 bits each, 24 in 8: 30 bytes, one burst. C-Pack: 17 bytes of head, a byte a word: at most 49 bytes, two bursts.
TEST_F(Data, HasATableOfEightyColumns) {
  Profile profile(Geometry{32, 32, 4}, &memory_);
  launch(profile, 1);
  const std::string table = profile.table({.width = 80});
  EXPECT_NE(table.find("  allocation #1, 1.00 KiB, argument 2:\n"
                       "  loaded       1 |     0%     0%   100%     0%   100% | 2.00x 4.00x  2.00x | 5.0\n"),
            std::string::npos)
      << table;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

}  // namespace
}  // namespace warpwright::profile
