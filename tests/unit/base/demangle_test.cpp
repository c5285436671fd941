#include "base/demangle.hpp"

#include <gtest/gtest.h>

namespace warpwright {
namespace {

TEST(NameIn, LeavesResultAndParametersOut) {
  EXPECT_EQ(nameIn("saxpy"), "saxpy");
  EXPECT_EQ(nameIn("saxpy(int, float*)"), "saxpy");
  EXPECT_EQ(nameIn("void ns::saxpy<float, (unsigned int)2>(int, void (*)(int))"), "ns::saxpy<float, (unsigned int)2>");
  EXPECT_EQ(nameIn("void list<std::pair<int, int> >(int)"), "list<std::pair<int, int> >");
}

TEST(NameIn, KnowsUnnamedNamespaces) {
  EXPECT_EQ(nameIn(demangled("_ZN12_GLOBAL__N_15innerEPi")), "(anonymous namespace)::inner");
  EXPECT_EQ(nameIn("void (anonymous namespace)::f<(Op)1>(int*)"), "(anonymous namespace)::f<(Op)1>");
  EXPECT_EQ(nameIn("void f<(anonymous namespace)::Op>((anonymous namespace)::Op)"), "f<(anonymous namespace)::Op>");
}

}  // namespace
}  // namespace warpwright
