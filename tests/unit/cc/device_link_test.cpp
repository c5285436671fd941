// Relocatable device code: how units are found, named, checked and joined.
#include "cc/driver/device_link.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "base/file.hpp"
#include "cc/driver/process.hpp"

namespace warpwright::cc {
namespace {

namespace fs = std::filesystem;

const std::string kDriver = WARPWRIGHT_BINARY_DIR "/bin/warpwright-cc";

RelocatableUnit unit(const std::string& origin, const std::string& body) {
  return {"_" + origin, origin, ".version 7.5\n.target sm_75\n.address_size 64\n" + body};
}

std::string messageOf(const std::vector<RelocatableUnit>& units) {
  try {
    checkDeviceLink(units);
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

const std::string kUse = ".extern .func work;\n.extern .global .u32 counter;\n.visible .entry k { call work; ret; }\n";
const std::string kDefinition = ".visible .global .u32 counter;\n.visible .func work { ret; }\n";

TEST(DeviceLink, NamesAreResolvedAcrossUnits) {
  EXPECT_EQ(messageOf({unit("a.o", kUse), unit("b.o", kDefinition)}), "");
  EXPECT_EQ(messageOf({}), "");
}

TEST(DeviceLink, UndefinedSymbolsAreNamedWithTheirUser) {
  const std::string message = messageOf({unit("a.o", kUse)});
  EXPECT_NE(message.find("'work', used in a.o"), std::string::npos) << message;
  EXPECT_NE(message.find("'counter', used in a.o"), std::string::npos) << message;
}

TEST(DeviceLink, DuplicateDefinitionsAreNamedWithBothObjects) {
  const std::string message = messageOf({unit("a.o", kDefinition), unit("b.o", kDefinition)});
  EXPECT_NE(message.find("a.o and b.o"), std::string::npos) << message;
}

TEST(DeviceLink, SystemCallsAndDynamicSharedMemoryNeedNoDefinition) {
  EXPECT_EQ(messageOf({unit("a.o",
                            ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
                            ".extern .shared .align 16 .b8 memory[];\n.visible .entry k { ret; }\n")}),
            "");
}

TEST(DeviceLink, TheSourceDefinesAFunctionForEveryUnit) {
  const std::string source = deviceLinkSource({unit("1", ""), unit("2", "")});
  EXPECT_NE(source.find("__cudaRegisterLinkedBinary_1("), std::string::npos);
  EXPECT_NE(source.find("__cudaRegisterLinkedBinary_2("), std::string::npos);
  EXPECT_NE(source.find("units[1] = __fatbinwrap_2.data;"), std::string::npos);
}

TEST(UnitId, IsReplacedEverywhereWithoutChangingLengths) {
  const std::string object = std::string("x__cudaRegisterLinkedBinary_nv_12ab\0__fatbinwrap_nv_12ab\0_nv_12ab\0", 65);
  const std::string own = withOwnUnitId(object, "seed");
  EXPECT_EQ(own.size(), object.size());
  EXPECT_EQ(own.find("_nv_12ab"), std::string::npos);
  const std::string id = own.substr(own.find("_nv_"), 8);
  EXPECT_NE(own.find("__fatbinwrap" + id), std::string::npos);
  EXPECT_NE(withOwnUnitId(object, "other"), own);
  EXPECT_EQ(withOwnUnitId("no unit", "seed"), "no unit");
}

// Objects of real sources. The folder's files are all called "part.cu": clang alone would give them one name.
class Objects : public ::testing::Test {
 protected:
  std::string compile(const std::string& name, const std::string& source) {
    fs::create_directory(folder_.path() + "/" + name);
    std::ofstream(folder_.path() + "/" + name + "/part.cu") << source;
    const std::string command = "cd " + folder_.path() + "/" + name + " && " + kDriver + " -dc part.cu";
    EXPECT_EQ(capture({"sh", "-c", command}), "");
    return folder_.path() + "/" + name + "/part.o";
  }
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }

  const std::string user_ = "__device__ int work(int);\n__global__ void k(int* p) { *p = work(*p); }\n";
  const std::string definer_ = "__device__ int work(int x) { return x + 1; }\n";

 private:
  TemporaryFolder folder_;
};

TEST_F(Objects, FilesOfOneNameAreUnitsOfTheirOwn) {
  const auto units = unitsToLink({compile("a", user_), compile("b", definer_)}, 75);
  ASSERT_EQ(units.size(), 2u);
  EXPECT_NE(units[0].id, units[1].id);
  EXPECT_NE(units[0].ptx.find(".entry"), std::string::npos);
  EXPECT_EQ(messageOf(units), "");
}

TEST_F(Objects, UnitsOfStaticLibrariesAreFound) {
  const std::string object = compile("b", definer_);
  EXPECT_EQ(capture({kDriver, "-lib", object, "-o", path("libparts.a")}), "");
  Options options;
  options.linkerFlags = {"-L" + path("."), "-lparts", "-lm"};
  const auto files = deviceLinkInputs(options, {compile("a", user_)});
  ASSERT_EQ(files.size(), 2u);
  const auto units = unitsToLink(files, 75);
  ASSERT_EQ(units.size(), 2u);
  EXPECT_NE(units[1].origin.find("libparts.a(part.o)"), std::string::npos) << units[1].origin;
}

TEST_F(Objects, WhatADeviceLinkHasRegisteredIsNotLinkedAgain) {
  const std::string a = compile("a", user_), b = compile("b", definer_), joined = path("joined.o");
  EXPECT_EQ(capture({kDriver, "-dlink", a, b, "-o", joined}), "");
  EXPECT_EQ(unitsToLink({a, b}, 75).size(), 2u);
  EXPECT_TRUE(unitsToLink({a, b, joined}, 75).empty());
}

TEST_F(Objects, MistakesAreReportedWhileLinking) {
  const std::string a = compile("a", user_), b = compile("b", definer_), c = compile("c", definer_);
  EXPECT_NE(capture({kDriver, "-dlink", a, "-o", path("x.o")}).find("uses symbols that no object defines"), std::string::npos);
  EXPECT_NE(capture({kDriver, "-dlink", a, b, c, "-o", path("x.o")}).find("is defined in two translation units"), std::string::npos);
  EXPECT_FALSE(fs::exists(path("x.o")));
}

}  // namespace
}  // namespace warpwright::cc
