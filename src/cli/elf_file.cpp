#include "cli/elf_file.hpp"

#include <elf.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/error.hpp"

namespace warpwright::cli {

std::string readFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream contents;
  if (in) contents << in.rdbuf();
  if (!in || in.bad()) throw Error("cannot read '" + path + "': " + std::strerror(errno != 0 ? errno : EIO), {}, "check the file's name");
  return std::move(contents).str();
}

bool ElfFile::isElf(std::string_view bytes) { return bytes.substr(0, SELFMAG) == ELFMAG; }

ElfFile::ElfFile(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {
  if (!isElf(bytes) || bytes.size() < sizeof(Elf64_Ehdr) || bytes[EI_CLASS] != ELFCLASS64 || bytes[EI_DATA] != ELFDATA2LSB)
    throw Error("'" + name_ + "' is not a 64-bit ELF file");
  const auto header = read<Elf64_Ehdr>(0);
  std::vector<Elf64_Shdr> headers;
  for (u32 i = 0; i < header.e_shnum; ++i) headers.push_back(read<Elf64_Shdr>(header.e_shoff + u64{i} * sizeof(Elf64_Shdr)));
  if (headers.empty()) return;
  if (header.e_shstrndx >= headers.size()) damaged();
  const auto names = slice(headers[header.e_shstrndx].sh_offset, headers[header.e_shstrndx].sh_size);
  for (const Elf64_Shdr& section : headers) {
    const auto contents = section.sh_type == SHT_NOBITS ? std::string_view{} : slice(section.sh_offset, section.sh_size);
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

std::optional<std::string_view> ElfFile::section(std::string_view name) const {
  for (const Section& section : sections_)
    if (section.name == name) return section.bytes;
  return std::nullopt;
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

}  // namespace warpwright::cli
