#include "runtime/ptx_source.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/error.hpp"
#include "fatbin/container.hpp"
#include "runtime/fatbinary.hpp"

namespace warpwright::runtime {
namespace {

TEST(PtxSource, RegisterBound) {
  EXPECT_EQ(registerBound("// warpwright: maxrregcount=24\n.version 7.0\n"), 24u);
  EXPECT_EQ(registerBound(".version 7.0\n"), std::nullopt);
  EXPECT_THROW(registerBound("// warpwright: maxrregcount=many\n"), Error);
  EXPECT_THROW(registerBound("// warpwright: maxrregcount=0\n"), Error);
}

TEST(PtxSource, AddressBits) {
  EXPECT_EQ(addressBitsOf(".version 7.0\n.target sm_70\n.address_size 64\n"), 64u);
  EXPECT_EQ(addressBitsOf(".version 7.0\n.target sm_70\n.address_size\t32\n"), 32u);
  EXPECT_EQ(addressBitsOf(".version 7.0\n"), 32u);
}

TEST(PtxSource, UnitsAsOneText) {
  const std::vector<PtxUnit> units = splitUnits(joinUnits({{"first\n", 24}, {"second", std::nullopt}}));
  ASSERT_EQ(units.size(), 2u);
  EXPECT_EQ(registerBound(units[0].text), 24u);
  EXPECT_NE(units[0].text.find("first"), std::string::npos);
  EXPECT_EQ(units[1].text, "second");
  EXPECT_EQ(splitUnits(".version 7.0\n").size(), 1u);
}

// As __cudaRegisterFatBinary gets it: magic number, version, pointer to the data, pointer to the linked units.
struct Wrapper {
  u32 magic = 0x466243b1, version = 1;
  const void* data = nullptr;
  const void* units = nullptr;
};

TEST(FatBinary, ReadsPlainTextAndRefusesWhatIsNotPtx) {
  const Wrapper text{.data = ".version 7.0\n.target sm_70\n.address_size 64\n"};
  const std::vector<PtxUnit> units = registeredPtx(&text, "test", 70);
  ASSERT_EQ(units.size(), 1u);
  EXPECT_NE(units[0].text.find(".version 7.0"), std::string::npos);
  EXPECT_EQ(registeredAddressBits(&text, "test"), 64u);

  EXPECT_THROW(registeredPtx(nullptr, "test", 70), Error);
  const Wrapper elf{.data =
                        "\x7f"
                        "ELF\x02\x01 and no more than this, whatever it is"};
  EXPECT_THROW(registeredPtx(&elf, "test", 70), fatbin::NoPtx);
  const Wrapper wrongMagic{.magic = 1, .data = text.data};
  EXPECT_THROW(registeredPtx(&wrongMagic, "test", 70), Error);
}

}  // namespace
}  // namespace warpwright::runtime
