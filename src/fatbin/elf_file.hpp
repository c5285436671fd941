// What there is to know of an ELF file (64 bits, little endian): its libraries and the bytes of its sections.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace warpwright::fatbin {

class ElfFile {
 public:
  static bool isElf(std::string_view bytes);
  // Throws Error when the bytes are not an ELF file of this kind, or a damaged one. Keeps a view of the bytes.
  ElfFile(std::string_view bytes, std::string name);

  // Machine code for a GPU (a cubin).
  bool isDeviceCode() const { return isDeviceCode_; }
  // The bytes of each section of that name.
  std::vector<std::string_view> sections(std::string_view name) const;
  // The first one's bytes; nullopt when there is none.
  std::optional<std::string_view> section(std::string_view name) const;
  // The shared libraries that it asks for (DT_NEEDED).
  std::vector<std::string> neededLibraries() const;

 private:
  struct Section {
    std::string_view name, bytes;
    u32 type = 0, link = 0;
  };
  [[noreturn]] void damaged() const;
  template <typename T>
  T read(u64 offset) const;
  std::string_view slice(u64 offset, u64 size) const;
  std::string_view text(std::string_view table, u64 offset) const;

  std::string_view bytes_;
  std::string name_;
  bool isDeviceCode_ = false;
  std::vector<Section> sections_;
};

}  // namespace warpwright::fatbin
