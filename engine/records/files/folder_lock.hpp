// SPDX-License-Identifier: BSD-3-Clause
//
// The lock on a folder of results. Process 0 of a run holds it as long as it may write there. This
// is so even if the command that started it has ended. The file names the holder.
#pragma once

#include <chrono>
#include <string>

namespace fg {

class FolderLock {
 public:
  /// Creates the folder if it is missing. Throws a ResourceError that names the holder, if another
  /// process still has the lock after `patience`.
  FolderLock(const std::string& folder, std::chrono::milliseconds patience);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  bool try_to_take();

  std::string path_;
  int file_ = -1;
};

}  // namespace fg
