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

TEST(FatBinary, RefusesWhatIsNotText) {
  EXPECT_EQ(registeredPtx(".version 7.0\n"), ".version 7.0\n");
  EXPECT_THROW(registeredPtx(nullptr), Error);
  EXPECT_THROW(registeredPtx("\x7f"
                             "ELF\x02\x01"),
               Error);
}

}  // namespace
}  // namespace warpwright::runtime
