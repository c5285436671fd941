#include "fatbin/archive.hpp"

#include <ar.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/error.hpp"
#include "base/types.hpp"

namespace warpwright::fatbin {
namespace {

constexpr std::string_view kMagic(ARMAG, SARMAG);
constexpr std::string_view kThinMagic = "!<thin>\n";

std::optional<u64> number(std::string_view field) {
  u64 value = 0;
  const auto [end, code] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (code != std::errc{} || end == field.data()) return std::nullopt;
  return value;
}

[[noreturn]] void damaged(const std::string& name, u64 offset) {
  throw Error(fmt::format("damaged archive: no member at offset {}", offset), {name}, "build it anew");
}

// "name/" in the header, or "/OFFSET" into the table of long names, where "/\n" ends each.
std::string memberName(std::string_view field, std::string_view longNames) {
  field = field.substr(0, field.find_last_not_of(' ') + 1);
  if (field.starts_with('/')) {
    const auto offset = number(field.substr(1));
    if (!offset || *offset >= longNames.size()) return std::string(field);
    field = longNames.substr(*offset);
    field = field.substr(0, field.find('\n'));
  }
  if (field.ends_with('/')) field.remove_suffix(1);
  return std::string(field);
}

}  // namespace

bool isArchive(std::string_view bytes) { return bytes.starts_with(kMagic) || bytes.starts_with(kThinMagic); }

std::vector<ArchiveMember> archiveMembers(std::string_view bytes, const std::string& name) {
  if (bytes.starts_with(kThinMagic)) throw Error("a thin archive holds no code", {name}, "name one of its object files");
  std::vector<ArchiveMember> members;
  std::string_view longNames;
  u64 at = kMagic.size();
  while (at < bytes.size()) {
    if (bytes.size() - at < sizeof(ar_hdr)) damaged(name, at);
    const auto header = bytes.substr(at, sizeof(ar_hdr));
    const auto nameField = header.substr(offsetof(ar_hdr, ar_name), sizeof(ar_hdr::ar_name));
    const auto size = number(header.substr(offsetof(ar_hdr, ar_size), sizeof(ar_hdr::ar_size)));
    const u64 begin = at + sizeof(ar_hdr);
    if (!header.ends_with(ARFMAG) || !size || *size > bytes.size() - begin) damaged(name, at);
    const auto contents = bytes.substr(begin, *size);
    if (nameField.starts_with("// "))
      longNames = contents;
    else if (!nameField.starts_with("/ ") && !nameField.starts_with("/SYM64/"))
      members.push_back({memberName(nameField, longNames), contents});
    at = begin + *size + *size % 2;
  }
  return members;
}

}  // namespace warpwright::fatbin
