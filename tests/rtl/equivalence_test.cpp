// Every design that has a C++ function of its own, against it: exhaustively where the inputs have few bits, and with random ones otherwise.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "rtl/simulation.hpp"

namespace warpwright::rtl {
namespace {

constexpr u64 kRandomInputs = 20000;

void expectEquivalent(const std::vector<std::string>& names, const std::string& folder) {
  std::vector<Package> packages;
  for (const std::string& name : names) packages.push_back(makePackage(name));
  std::vector<Simulation> simulations = simulate(packages, folder);
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(difference(simulations[i], packages[i], kRandomInputs), "") << names[i];
}

TEST(HardwareIsEquivalent, ToTheFunctions) {
  expectEquivalent({"xor-map",
                    "xor-map:map=sams:s=2,q=3,n=12",
                    "xor-map:map=matrix:0x21,0x42,0x84/0x108",
                    "sams-atu:n=8,q=3",
                    "sams-atu:n=12,q=3",
                    "sams-atu:n=12,q=5",
                    "sams-atu:n=40,q=4",
                    "sams-agu:n=23,q=4",
                    "sams-inbound:n=10,q=2,width=8",
                    "sams:n=14,q=3,width=32",
                    "local-store:n=16,q=2,width=32",
                    "local-store:n=9,q=3,width=8",
                    "2dsmm-agu",
                    "2dsmm-atu:p=1,q=1,rows=5,columns=5",
                    "2dsmm-atu:p=2,q=2,rows=5,columns=5,equation=33",
                    "2dsmm-atu",
                    "2dsmm-routing-in:width=8,p=2,q=2,equation=33",
                    "2dsmm-routing-out:width=8",
                    "bdi-compressor",
                    "bdi-decompressor",
                    "fpc-compressor:line=64",
                    "fpc-decompressor:line=64",
                    "c-pack-compressor:line=64",
                    "c-pack-decompressor:line=64",
                    "avc-encoder",
                    "avc-decoder",
                    "tag-propagation",
                    "2dsmm:width=8",
                    "pipeline-queues:nonmem=3,lanes=4"},
                   "functions");
}

// All sizes to 2^12 words.
TEST(DISABLED_HardwareIsEquivalentThorough, SamsOfEverySize) {
  std::vector<std::string> names;
  for (u32 n = 3; n <= 12; ++n)
    for (u32 q = 1; q + 2 <= n && q <= 6; ++q) names.push_back(fmt::format("sams-atu:n={},q={}", n, q));
  expectEquivalent(names, "sams");
}

TEST(DISABLED_HardwareIsEquivalentThorough, TwoDsmmOfManySizes) {
  std::vector<std::string> names;
  for (const char* sizes : {"p=1,q=1,rows=4,columns=4", "p=1,q=2,rows=6,columns=5", "p=2,q=2,rows=6,columns=6", "p=2,q=3,rows=8,columns=7"})
    for (const char* equation : {"33", "342"})
      for (const char* part : {"2dsmm-atu", "2dsmm-routing-in", "2dsmm-routing-out"})
        names.push_back(fmt::format("{}:{},equation={}", part, sizes, equation));
  expectEquivalent(names, "2dsmm");
}

TEST(DISABLED_HardwareIsEquivalentThorough, CodecsOfEveryLine) {
  std::vector<std::string> names;
  for (const char* codec : {"bdi", "fpc", "c-pack"})
    for (const u32 line : {32, 64, 128})
      for (const char* way : {"compressor", "decompressor"}) names.push_back(fmt::format("{}-{}:line={}", codec, way, line));
  expectEquivalent(names, "codecs");
}

// The same text with one gate changed.
Package broken(const Package& right) {
  const Module& top = right.top();
  std::string text = top.text();
  text[text.find(" ^ ") + 1] = '|';
  Module module(top.name());
  for (const Port& port : top.ports()) port.isOutput ? module.output(port.name, port.width) : module.input(port.name, port.width);
  const std::size_t from = text.find(");\n") + 3;
  module.body(text.substr(from, text.rfind("endmodule") - from));
  return {.modules = {module}, .model = right.model};
}

TEST(HardwareIsEquivalent, AndABrokenModuleIsNot) {
  const Package wrong = broken(makePackage("sams-atu:n=8,q=3"));
  std::vector<Simulation> simulations = simulate({wrong}, "broken");
  EXPECT_NE(difference(simulations[0], wrong, kRandomInputs), "");
}

}  // namespace
}  // namespace warpwright::rtl
