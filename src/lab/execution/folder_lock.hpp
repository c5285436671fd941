// One process at a time in a folder, whichever way it ends.
#pragma once

#include <string>

namespace warpwright::lab {

class FolderLock {
 public:
  // Makes the folder where there is none, and waits for whoever has it. Throws Error.
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace warpwright::lab
