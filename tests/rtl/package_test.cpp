// Names and parameters of designs, the files that are written, and counts of gates.
#include "rtl/package.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "rtl/synthesis.hpp"

namespace warpwright::rtl {
namespace {

std::string mistakeOf(const std::string& design) {
  try {
    makePackage(design);
  } catch (const Error& mistake) {
    return mistake.what();
  }
  return "";
}

TEST(Packages, SayWhatIsWrong) {
  EXPECT_NE(mistakeOf("sams-atus").find("'sams-atu'"), std::string::npos) << "the nearest name";
  EXPECT_NE(mistakeOf("sams-atu:m=3").find("parameter of sams-atu"), std::string::npos);
  EXPECT_NE(mistakeOf("sams-atu:n=65").find("from 3 to 64"), std::string::npos);
  EXPECT_NE(mistakeOf("sams-atu:n=").find("from 3 to 64"), std::string::npos);
  EXPECT_NE(mistakeOf("sams-atu:n=4,q=3").find("n must be at least q + 2"), std::string::npos);
  EXPECT_NE(mistakeOf("xor-map:map=prime").find("xor-map"), std::string::npos);
  EXPECT_NE(mistakeOf("xor-map:map=2dsmm:q=4,p=2,vs=1,hs=1,columns=32,n=10").find("not linear"), std::string::npos);
}

TEST(Packages, OfEveryDesignExist) {
  for (const Design& design : designs()) {
    const Package package = makePackage(design, {});
    EXPECT_FALSE(package.equations.empty()) << design.name;
    EXPECT_NE(package.top().text().find("endmodule"), std::string::npos) << design.name;
  }
}

TEST(Packages, AreWritten) {
  const std::string folder = testing::TempDir() + "warpwright-rtl-package";
  writePackage(makePackage("sams:n=8,q=2,width=4"), "SAMS", folder);
  for (const char* file :
       {"sams_memory.sv", "sams_atu.sv", "sams_agu.sv", "switch_in.sv", "switch_out.sv", "testbench.sv", "inputs.hex", "outputs.hex"})
    EXPECT_TRUE(std::filesystem::exists(folder + "/" + file)) << file;
  EXPECT_NE(readFile(folder + "/README.md").find("equations 3.1 to 3.3"), std::string::npos);
  std::filesystem::remove_all(folder);
}

// A half adder: an exclusive-or and an AND, each one table.
TEST(Synthesis, Counts) {
  Module module("half_adder");
  module.input("a").input("b").output("sum").output("carry").assign("sum", "a ^ b").assign("carry", "a & b");
  const Counts counts = synthesise({.modules = {module}});
  EXPECT_EQ(counts.lut4, 2U);
  EXPECT_EQ(counts.lut6, 2U);
  EXPECT_GE(counts.gates, 4U);
  EXPECT_GE(counts.depth, 2U);
  EXPECT_EQ(counts.flipFlops, 0U);
}

TEST(Synthesis, CountsFlipFlopsAndMemory) {
  Synthesis synthesis;
  EXPECT_EQ(synthesis.count("2dsmm-agu:p=1,q=2,rows=10,columns=8", "flip_flops"), 144U) << "table 3.3";
  EXPECT_EQ(synthesis.count("conflict-history", "memory_bits"), 5632U) << "table 5.3";
  EXPECT_THROW(synthesis.count("sams-atu", "nanoseconds"), Error);
}

}  // namespace
}  // namespace warpwright::rtl
