// Static libraries: the "!<arch>" format of ar, as GNU binutils and LLVM write it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwright::fatbin {

struct ArchiveMember {
  std::string name;
  std::string_view bytes;
};

bool isArchive(std::string_view bytes);
// The members, without the symbol table and the table of long names. Keeps views of the bytes. Throws Error for a damaged archive.
std::vector<ArchiveMember> archiveMembers(std::string_view bytes, const std::string& name);

}  // namespace warpwright::fatbin
