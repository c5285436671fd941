#include "cc/driver/relocatable_unit.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <span>

#include "base/error.hpp"
#include "fatbin/archive.hpp"
#include "fatbin/container.hpp"
#include "fatbin/elf_file.hpp"
#include "fatbin/select.hpp"

namespace warpwright::cc {
namespace {

constexpr const char* kIdSection = "__nv_module_id";
constexpr const char* kCodeSection = "__nv_relfatbin";
constexpr std::string_view kRegistration = "__cudaRegisterLinkedBinary";

// Texts that NULs end, with any number of them between.
std::vector<std::string> texts(std::string_view bytes) {
  std::vector<std::string> found;
  while (!bytes.empty()) {
    const auto text = bytes.substr(0, bytes.find('\0'));
    if (!text.empty()) found.emplace_back(text);
    bytes.remove_prefix(std::min(bytes.size(), text.size() + 1));
  }
  return found;
}

std::vector<std::string> textsOf(const fatbin::ElfFile& file, const char* section) {
  std::vector<std::string> all;
  for (const auto bytes : file.sections(section)) {
    auto found = texts(bytes);
    all.insert(all.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  }
  return all;
}

std::vector<fatbin::Container> containersOf(const fatbin::ElfFile& file, const std::string& name) {
  std::vector<fatbin::Container> all;
  for (const auto bytes : file.sections(kCodeSection)) {
    auto found = fatbin::read(std::as_bytes(std::span(bytes)), name);
    all.insert(all.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  }
  return all;
}

void addObject(std::string_view bytes, const std::string& name, u32 smVersion, RelocatableCode& code) {
  const fatbin::ElfFile file(bytes, name);
  for (std::string& id : textsOf(file, kLinkedIdsSection)) code.linkedIds.push_back(std::move(id));
  const auto ids = textsOf(file, kIdSection);
  if (ids.empty()) return;
  const auto containers = containersOf(file, name);
  if (containers.size() != ids.size())
    throw Error(fmt::format("'{}' names {} units of device code and holds {}", name, ids.size(), containers.size()), {}, "compile it anew");
  for (size_t i = 0; i < ids.size(); ++i) code.units.push_back({ids[i], name, fatbin::selectPtx(containers[i], smVersion).entry->ptx()});
}

// Not a shared library: its device code is linked already.
bool isObject(std::string_view bytes) {
  constexpr size_t kType = offsetof(Elf64_Ehdr, e_type);
  return fatbin::ElfFile::isElf(bytes) && bytes.size() > kType && bytes[kType] == ET_REL;
}

bool isIdentifierCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

void addRelocatableCode(std::string_view bytes, const std::string& name, u32 smVersion, RelocatableCode& code) {
  if (isObject(bytes)) return addObject(bytes, name, smVersion, code);
  if (!fatbin::isArchive(bytes)) return;
  for (const fatbin::ArchiveMember& member : fatbin::archiveMembers(bytes, name))
    if (isObject(member.bytes)) addObject(member.bytes, fmt::format("{}({})", name, member.name), smVersion, code);
}

std::string hashDigits(std::string_view text) {
  u64 hash = 0xcbf2'9ce4'8422'2325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01b3;
  return fmt::format("{:016x}", hash);
}

std::string withOwnUnitId(std::string object, std::string_view seed) {
  const size_t at = object.find(kRegistration);
  if (at == std::string::npos) return object;
  const size_t begin = at + kRegistration.size();
  size_t end = begin;
  while (end < object.size() && isIdentifierCharacter(object[end])) ++end;
  const std::string old = object.substr(begin, end - begin);
  // "_nv_" and up to sixteen digits.
  const std::string digits = hashDigits(seed);
  const size_t prefix = old.rfind('_') + 1;
  const size_t length = std::min(digits.size(), old.size() - prefix);
  const std::string own = old.substr(0, old.size() - length) + digits.substr(digits.size() - length);
  for (size_t i = object.find(old); i != std::string::npos; i = object.find(old, i + own.size())) object.replace(i, own.size(), own);
  return object;
}

}  // namespace warpwright::cc
