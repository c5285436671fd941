#include "fatbin/device_code.hpp"

#include <fmt/format.h>

#include <iterator>

#include "base/error.hpp"
#include "fatbin/archive.hpp"
#include "fatbin/elf_file.hpp"

namespace warpwright::fatbin {
namespace {

// The second one holds the units of code compiled with -rdc=true.
constexpr const char* kSections[] = {".nv_fatbin", "__nv_relfatbin"};

std::span<const std::byte> bytesOf(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

void append(std::vector<Container>& to, std::vector<Container> more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

std::vector<Container> elfContainers(std::string_view bytes, const std::string& name) {
  const ElfFile file(bytes, name);
  if (file.isDeviceCode())
    throw NoPtx("'" + name + "' is machine code (a cubin) without PTX", {},
                "name the program, its object files, or the PTX that nvcc -ptx writes");
  std::vector<Container> containers;
  u64 left = bytes.size();
  for (const char* section : kSections) {
    for (const auto contents : file.sections(section)) {
      // Sections on top of one another could make a small file mean any number of entries.
      if (contents.size() > left)
        throw Error("'" + name + "' is a damaged ELF file: its sections of device code overlap", {}, "build it anew");
      left -= contents.size();
      append(containers, read(bytesOf(contents), fmt::format("{}({})", name, section)));
    }
  }
  return containers;
}

}  // namespace

std::vector<Container> fileContainers(std::string_view bytes, const std::string& name) {
  if (ElfFile::isElf(bytes)) return elfContainers(bytes, name);
  if (!isArchive(bytes)) return read(bytesOf(bytes), name);
  std::vector<Container> containers;
  for (const ArchiveMember& member : archiveMembers(bytes, name))
    if (ElfFile::isElf(member.bytes)) append(containers, elfContainers(member.bytes, name + "(" + member.name + ")"));
  return containers;
}

}  // namespace warpwright::fatbin
