#include "runtime/kernel_lookup.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace warpwright::runtime {
namespace {

isa::Program program() {
  isa::Program result;
  result.sourceName = "test.ptx";
  for (const char* name : {"_Z5saxpyifPKfPf", "_Z4scanIfEvPT_", "_Z4scanIiEvPT_", "plain"}) {
    isa::Function function;
    function.name = name;
    function.isKernel = true;
    result.functions.push_back(function);
  }
  isa::Function helper;
  helper.name = "helper";
  result.functions.push_back(helper);
  return result;
}

TEST(KernelLookup, ByAnyName) {
  const isa::Program all = program();
  EXPECT_EQ(findKernel(all, "saxpy").name, "_Z5saxpyifPKfPf");
  EXPECT_EQ(findKernel(all, "_Z5saxpyifPKfPf").name, "_Z5saxpyifPKfPf");
  EXPECT_EQ(findKernel(all, "saxpy(int, float, float const*, float*)").name, "_Z5saxpyifPKfPf");
  EXPECT_EQ(findKernel(all, "scan<int>").name, "_Z4scanIiEvPT_");
  EXPECT_EQ(findKernel(all, "plain").name, "plain");
}

TEST(KernelLookup, ListsTheKernelsOtherwise) {
  const isa::Program all = program();
  EXPECT_THROW(findKernel(all, "scan"), Error);
  EXPECT_THROW(findKernel(all, "helper"), Error);
  try {
    findKernel(all, "");
    FAIL() << "chose one";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("saxpy(int, float, float const*, float*)"), std::string::npos);
  }
}

TEST(KernelLookup, TheOnlyKernelNeedsNoName) {
  isa::Program one = program();
  one.functions.erase(one.functions.begin() + 1, one.functions.begin() + 4);
  EXPECT_EQ(findKernel(one, "").name, "_Z5saxpyifPKfPf");
}

}  // namespace
}  // namespace warpwright::runtime
