#include "runtime/ptx_source.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
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
  EXPECT_EQ(addressBitsOf(".version 7.0\n"), 64u);
}

TEST(FatBinary, SeveralTextsInOneSection) {
  const std::string section = std::string(".version 7.0\n") + '\0' + '\0' + ".version 6.0\n" + '\0';
  const auto texts = extractPtx(section);
  ASSERT_EQ(texts.size(), 2u);
  EXPECT_EQ(texts[0].text, ".version 7.0\n");
  EXPECT_EQ(texts[1].text, ".version 6.0\n");
}

TEST(FatBinary, RefusesWhatIsNotText) {
  EXPECT_THROW(extractPtx(std::string("\x50\xed\x55\xba\x01\x00", 6)), Error);
  EXPECT_THROW(extractPtx(std::string("\x7f"
                                      "ELF\x02\x01",
                                      6)),
               Error);
  EXPECT_THROW(registeredPtx(nullptr), Error);
  EXPECT_TRUE(extractPtx(std::string(16, '\0')).empty());
}

}  // namespace
}  // namespace warpwright::runtime
