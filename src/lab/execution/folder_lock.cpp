#include "lab/execution/folder_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"

namespace warpwright::lab {
namespace {

// The one before us may have removed the folder at its end: what is locked then is no longer there.
bool isStillThere(int descriptor, const std::string& folder) {
  struct stat locked {
  }, there{};
  return fstat(descriptor, &locked) == 0 && stat(folder.c_str(), &there) == 0 && locked.st_ino == there.st_ino &&
         locked.st_dev == there.st_dev;
}

}  // namespace

FolderLock::FolderLock(const std::string& folder) {
  while (true) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    descriptor_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor_ < 0 && errno == ENOENT && !failed) continue;
    if (descriptor_ < 0) throw Error(fmt::format("cannot use the folder '{}': {}", folder, std::strerror(errno)), {}, "make it writable");
    while (flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
    }
    if (isStillThere(descriptor_, folder)) return;
    close(descriptor_);
  }
}

FolderLock::~FolderLock() { close(descriptor_); }

}  // namespace warpwright::lab
