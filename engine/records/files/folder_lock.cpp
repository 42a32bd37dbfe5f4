// SPDX-License-Identifier: BSD-3-Clause
#include "records/files/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <thread>

#include "base/error.hpp"
#include "records/files/files.hpp"

namespace fg {

namespace {

constexpr auto between_attempts = std::chrono::milliseconds(50);

/// "process 1234 on node7"
std::string own_name() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  return "process " + std::to_string(::getpid()) + " on " + host.data();
}

std::string text_of(int file) {
  std::array<char, 300> text{};
  const ssize_t got = ::pread(file, text.data(), text.size() - 1, 0);
  return got > 0 ? std::string(text.data(), static_cast<std::size_t>(got)) : "another process";
}

/// Whether the file that was opened still has this name: its holder removes it at the end.
bool is_still(const std::string& path, int file) {
  struct stat named {
  }, opened{};
  return ::lstat(path.c_str(), &named) == 0 && ::fstat(file, &opened) == 0 &&
         named.st_ino == opened.st_ino && named.st_dev == opened.st_dev;
}

}  // namespace

FolderLock::FolderLock(const std::string& folder, std::chrono::milliseconds patience)
    : path_(make_folder(folder) + "/.engine.lock") {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!try_to_take()) {
    const std::string holder = text_of(file_);
    ::close(file_);
    file_ = -1;
    if (std::chrono::steady_clock::now() >= end)
      throw ResourceError({.what = "a run is still writing into this folder",
                           .where = folder,
                           .value = holder,
                           .hint = "wait until it has ended, or stop it; then try again"});
    std::this_thread::sleep_for(between_attempts);
  }
  const std::string name = own_name();
  // Only for messages: a full disk does not stop a run here.
  if (::ftruncate(file_, 0) == 0 && ::pwrite(file_, name.data(), name.size(), 0) < 0) errno = 0;
}

/// Returns false if another process has the lock; `file_` is then open, to read the holder's name.
bool FolderLock::try_to_take() {
  for (;;) {
    file_ = open_plain(path_, O_RDWR | O_CREAT, 0666);
    if (file_ < 0) throw_write_failure(path_, errno);
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EINTR) {
        ::close(file_);
        continue;
      }
      // Some network file systems have no locks; the run then continues without one.
      return errno != EWOULDBLOCK;
    }
    if (is_still(path_, file_)) return true;
    ::close(file_);
  }
}

FolderLock::~FolderLock() {
  ::unlink(path_.c_str());  // still locked: a process that has opened it will find it removed
  ::close(file_);
}

}  // namespace fg
