// Files with device code. This program is one: it has the two sections in which compilers put it.
#include "fatbin/device_code.hpp"

#include <gtest/gtest.h>

#include "base/file.hpp"
#include "builder.hpp"

namespace warpwright::fatbin {
namespace {

using namespace test;

__attribute__((section(".nv_fatbin"), used)) const char embedded[] = ".version 6.0\n.target sm_60\n";
__attribute__((section("__nv_relfatbin"), used)) const char linked[] = ".version 8.0\n.target sm_80\n";

std::vector<std::string> architecturesIn(std::string_view bytes, const std::string& name = "file") {
  std::vector<std::string> found;
  for (const Container& container : fileContainers(bytes, name))
    for (const Entry& entry : container.entries) found.push_back(entry.architecture.name());
  return found;
}

// A member of an archive: 60 bytes of header, the contents, one byte of padding after an odd size.
std::string member(std::string name, const std::string& contents) {
  std::string header(60, ' '), size = std::to_string(contents.size());
  header.replace(0, name.size(), name);
  header.replace(48, size.size(), size);
  header.replace(58, 2, "`\n");
  return header + contents + (contents.size() % 2 ? "\n" : "");
}

const std::string kArchive = "!<arch>\n";

TEST(FileContainers, OfAProgram) {
  const std::string self = readFile("/proc/self/exe");
  const auto containers = fileContainers(self, "self");
  ASSERT_EQ(containers.size(), 2u);
  EXPECT_EQ(containers[0].origin, "self(.nv_fatbin)");
  EXPECT_EQ(containers[0].entries.at(0).ptx(), embedded);
  EXPECT_EQ(containers[1].origin, "self(__nv_relfatbin)");
  EXPECT_EQ(containers[1].entries.at(0).ptx(), linked);
}

TEST(FileContainers, OfAFatBinaryAndOfText) {
  EXPECT_EQ(architecturesIn(container(entry() + entry({.architecture = 80}))), (std::vector<std::string>{"sm_75", "sm_80"}));
  EXPECT_EQ(architecturesIn(kPtx), std::vector<std::string>{"sm_75"});
  EXPECT_TRUE(architecturesIn("").empty());
}

TEST(FileContainers, OfAnArchive) {
  const std::string self = readFile("/proc/self/exe");
  const std::string longNames = "a_very_long_name_of_an_object.o/\n";
  const std::string archive = kArchive + member("/", "xyz") + member("//", longNames) + member("notes.txt/", "odd") + member("/0", self);
  const auto containers = fileContainers(archive, "lib.a");
  ASSERT_EQ(containers.size(), 2u);
  EXPECT_EQ(containers[0].origin, "lib.a(a_very_long_name_of_an_object.o)(.nv_fatbin)");
  EXPECT_EQ(containers[0].entries.at(0).ptx(), embedded);
  EXPECT_TRUE(fileContainers(kArchive, "lib.a").empty());
}

TEST(FileContainers, DamagedArchives) {
  const auto error = [](const std::string& bytes) { return errorOf([&] { fileContainers(bytes, "lib.a"); }); };
  const std::string whole = kArchive + member("a/", "12345678");
  EXPECT_EQ(error(whole), "");
  for (const std::size_t size : {whole.size() - 1, whole.size() - 9, std::size_t{9}})
    EXPECT_EQ(error(whole.substr(0, size)), "lib.a: error: damaged archive: no member at offset 8\n  remedy: build it anew") << size;
  std::string size = whole, mark = whole;
  size.replace(8 + 48, 3, "many");
  mark[8 + 58] = 'x';
  EXPECT_EQ(error(size), "lib.a: error: damaged archive: no member at offset 8\n  remedy: build it anew");
  EXPECT_EQ(error(mark), "lib.a: error: damaged archive: no member at offset 8\n  remedy: build it anew");
  EXPECT_EQ(error("!<thin>\n"), "lib.a: error: a thin archive holds no code\n  remedy: name one of its object files");
}

TEST(FileContainers, CubinIsExplained) {
  // An ELF header alone: 64 bits, little endian, machine 190.
  std::string cubin(64, '\0');
  cubin.replace(0, 6,
                "\x7f"
                "ELF\x02\x01");
  put(cubin, 18, 190, 2);
  EXPECT_EQ(errorOf([&] { fileContainers(cubin, "k.cubin"); }),
            "error: 'k.cubin' is machine code (a cubin) without PTX\n"
            "  remedy: name the program, its object files, or the PTX that nvcc -ptx writes");
}

TEST(FileContainers, OtherBytes) {
  EXPECT_NE(errorOf([] { fileContainers("\x01\x02", "file"); }), "");
}

}  // namespace
}  // namespace warpwright::fatbin
