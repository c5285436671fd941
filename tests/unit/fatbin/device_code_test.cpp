// Files with device code. This program is one: it has the two sections in which compilers put it.
#include "fatbin/device_code.hpp"

#include <gtest/gtest.h>

#include "base/file.hpp"
#include "builder.hpp"

namespace warpwright::fatbin {
namespace {

using namespace test;

__attribute__((section(".nv_fatbin"), used)) const char embedded[] = ".version 6.0\n.target sm_60\n";
__attribute__((section("__nv_relfatbin"), used)) const char linkedText[] = ".version 8.0\n.target sm_80\n";

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
  EXPECT_EQ(containers[1].entries.at(0).ptx(), linkedText);
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

// ELF: header, the contents of the sections, and headers of section 0, the names and `count` sections over the same bytes.
std::string elfWithSections(const std::string& contents, u64 count) {
  const std::string names = std::string(1, '\0') + ".nv_fatbin" + '\0';
  const u64 namesAt = 64 + contents.size(), headersAt = namesAt + names.size();
  std::string bytes(64, '\0');
  bytes.replace(0, 6,
                "\x7f"
                "ELF\x02\x01");
  put(bytes, 0x28, headersAt, 8);
  put(bytes, 0x3c, 2 + count, 2);
  put(bytes, 0x3e, 1, 2);
  bytes += contents + names;
  for (u64 i = 0; i < 2 + count; ++i) {
    std::string header(64, '\0');
    if (i > 0) put(header, 0x00, i == 1 ? 0 : 1, 4);
    if (i > 0) put(header, 0x04, i == 1 ? 3 : 1, 4);
    put(header, 0x18, i == 1 ? namesAt : 64, 8);
    put(header, 0x20, i == 1 ? names.size() : contents.size(), 8);
    bytes += header;
  }
  return bytes;
}

TEST(FileContainers, SectionsMayNotLieOnTopOfOneAnother) {
  const std::string contents = container(entry({.contents = std::string(1000, 'x')}));
  EXPECT_EQ(architecturesIn(elfWithSections(contents, 1)), std::vector<std::string>{"sm_75"});
  EXPECT_EQ(errorOf([&] { fileContainers(elfWithSections(contents, 5), "app"); }),
            "error: 'app' is a damaged ELF file: its sections of device code overlap\n  remedy: build it anew");
}

TEST(FileContainers, OtherBytes) {
  EXPECT_NE(errorOf([] { fileContainers("\x01\x02", "file"); }), "");
}

}  // namespace
}  // namespace warpwright::fatbin
