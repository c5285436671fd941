#include "fatbin/elf_file.hpp"

#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "base/file.hpp"

namespace warpwright::fatbin {
namespace {

std::string self() { return readFile("/proc/self/exe"); }

TEST(ElfFile, LibrariesAndSectionsOfThisProgram) {
  const std::string bytes = self();
  const ElfFile file(bytes, "self");
  const auto libraries = file.neededLibraries();
  EXPECT_NE(std::find_if(libraries.begin(), libraries.end(), [](const auto& name) { return name.starts_with("libc.so"); }),
            libraries.end());
  EXPECT_TRUE(file.section(".text"));
  EXPECT_FALSE(file.section(".no_such_section"));
}

// Counts from 65280 up stand in section 0 (gABI, "Section Header Table"); here any count does.
TEST(ElfFile, CountsInSectionZero) {
  std::string bytes = self();
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  Elf64_Shdr first;
  std::memcpy(&first, bytes.data() + header.e_shoff, sizeof first);
  first.sh_size = header.e_shnum;
  first.sh_link = header.e_shstrndx;
  header.e_shnum = 0;
  header.e_shstrndx = SHN_XINDEX;
  std::memcpy(bytes.data() + header.e_shoff, &first, sizeof first);
  std::memcpy(bytes.data(), &header, sizeof header);
  EXPECT_TRUE(ElfFile(bytes, "self").section(".text"));
}

TEST(ElfFile, RefusesOtherFiles) {
  EXPECT_THROW(ElfFile("#!/bin/sh\n", "script"), Error);
  EXPECT_THROW(ElfFile("", "empty"), Error);
  EXPECT_THROW(readFile("/no/such/file"), Error);
}

// Whatever is cut off or overwritten in the headers: an Error or a result, never a crash.
TEST(ElfFile, SurvivesDamage) {
  const std::string whole = self();
  for (const std::size_t size : {16u, 63u, 64u, 1000u, 100000u}) {
    const std::string cut = whole.substr(0, size);
    EXPECT_THROW(ElfFile(cut, "cut"), Error) << size;
  }
  for (std::size_t at = 16; at < 64; ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(0xff);
    try {
      ElfFile(damaged, "damaged").neededLibraries();
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace warpwright::fatbin
