// Objects whose device code is to be linked (-rdc=true): how clang and nvcc mark them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace warpwright::cc {

// The device code of one translation unit, as it lies in an object file.
struct RelocatableUnit {
  std::string id;      // the part of its symbols that no other unit has: the object calls __cudaRegisterLinkedBinary<id>
  std::string origin;  // for messages: "a.o", "libb.a(c.o)"
  std::string ptx;
};

// What a set of objects and archives brings to a device link.
struct RelocatableCode {
  std::vector<RelocatableUnit> units;
  std::vector<std::string> linkedIds;  // units that an object of an earlier device link (-dlink) has registered already
};

// Reads one file's bytes: an object, or an archive with all its members; anything else (a shared library, a linker script) adds nothing.
// Of code for several architectures, that for sm_VERSION is taken. Throws Error for damaged files, fatbin::NoPtx for code without PTX.
void addRelocatableCode(std::string_view bytes, const std::string& name, u32 smVersion, RelocatableCode& code);

// The ELF section in which an object of a device link lists the ids of its units, each ended by a NUL.
inline constexpr const char* kLinkedIdsSection = "warpwright_linked_units";

// clang names a unit after the path of its source as it is written, so that two files of one name in different folders would clash. This
// puts a name made from `seed` in its place, everywhere in the object or assembly text, without changing any length. Text without
// such a name stays as it is.
std::string withOwnUnitId(std::string object, std::string_view seed);

// Sixteen hexadecimal digits made from a text (FNV-1a).
std::string hashDigits(std::string_view text);

}  // namespace warpwright::cc
