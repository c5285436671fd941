#include "fatbin/elf_file.hpp"

#include <elf.h>

#include <cstring>

#include "base/error.hpp"

namespace warpwright::fatbin {

bool ElfFile::isElf(std::string_view bytes) { return bytes.substr(0, SELFMAG) == ELFMAG; }

ElfFile::ElfFile(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {
  if (!isElf(bytes) || bytes.size() < sizeof(Elf64_Ehdr) || bytes[EI_CLASS] != ELFCLASS64 || bytes[EI_DATA] != ELFDATA2LSB)
    throw Error("'" + name_ + "' is not a 64-bit ELF file");
  const auto header = read<Elf64_Ehdr>(0);
  isDeviceCode_ = header.e_machine == EM_CUDA;
  if (header.e_shoff == 0) return;
  // Counts that do not fit in the header stand in section 0.
  const auto first = read<Elf64_Shdr>(header.e_shoff);
  const u64 count = header.e_shnum != 0 ? header.e_shnum : first.sh_size;
  const u64 namesIndex = header.e_shstrndx != SHN_XINDEX ? header.e_shstrndx : first.sh_link;
  if (count > bytes.size() / sizeof(Elf64_Shdr) || namesIndex >= count) damaged();
  std::vector<Elf64_Shdr> headers;
  for (u64 i = 0; i < count; ++i) headers.push_back(read<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr)));
  const auto names = slice(headers[namesIndex].sh_offset, headers[namesIndex].sh_size);
  for (const Elf64_Shdr& section : headers) {
    const bool empty = section.sh_type == SHT_NOBITS || section.sh_type == SHT_NULL;
    const auto contents = empty ? std::string_view{} : slice(section.sh_offset, section.sh_size);
    sections_.push_back({text(names, section.sh_name), contents, section.sh_type, section.sh_link});
  }
}

void ElfFile::damaged() const { throw Error("'" + name_ + "' is a damaged ELF file", {}, "build it anew"); }

template <typename T>
T ElfFile::read(u64 offset) const {
  T value;
  std::memcpy(&value, slice(offset, sizeof value).data(), sizeof value);
  return value;
}

std::string_view ElfFile::slice(u64 offset, u64 size) const {
  if (offset > bytes_.size() || size > bytes_.size() - offset) damaged();
  return bytes_.substr(offset, size);
}

std::string_view ElfFile::text(std::string_view table, u64 offset) const {
  if (offset > table.size()) damaged();
  const auto rest = table.substr(offset);
  return rest.substr(0, rest.find('\0'));
}

std::vector<std::string_view> ElfFile::sections(std::string_view name) const {
  std::vector<std::string_view> found;
  for (const Section& section : sections_)
    if (section.name == name) found.push_back(section.bytes);
  return found;
}

std::optional<std::string_view> ElfFile::section(std::string_view name) const {
  const auto found = sections(name);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

std::vector<std::string> ElfFile::neededLibraries() const {
  std::vector<std::string> libraries;
  for (const Section& section : sections_) {
    if (section.type != SHT_DYNAMIC || section.link >= sections_.size()) continue;
    const auto names = sections_[section.link].bytes;
    for (u64 at = 0; at + sizeof(Elf64_Dyn) <= section.bytes.size(); at += sizeof(Elf64_Dyn)) {
      Elf64_Dyn entry;
      std::memcpy(&entry, section.bytes.data() + at, sizeof entry);
      if (entry.d_tag == DT_NEEDED) libraries.emplace_back(text(names, entry.d_un.d_val));
    }
  }
  return libraries;
}

}  // namespace warpwright::fatbin
