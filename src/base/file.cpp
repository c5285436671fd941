#include "base/file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.hpp"

namespace warpwright {

std::string readFile(const std::string& path) {
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown)) throw Error("cannot read '" + path + "': it is a folder", {}, "name a file in it");
  std::ifstream in(path, std::ios::binary);
  std::ostringstream contents;
  if (in) contents << in.rdbuf();
  if (!in || in.bad()) throw Error("cannot read '" + path + "': " + std::strerror(errno != 0 ? errno : EIO), {}, "check the file's name");
  return std::move(contents).str();
}

void writeFile(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!out.flush()) throw Error("cannot write '" + path + "'", {}, "is there such a folder, may you write there, is the disk full?");
}

}  // namespace warpwright
