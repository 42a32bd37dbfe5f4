// SPDX-License-Identifier: BSD-3-Clause
#include "records/files/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"

namespace fg {

namespace {

/// Closes the file on every exit from a scope.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

std::string hint_for(int error_number, const std::string& folder) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return "free some space there, or choose another folder with --out; a stopped run "
             "continues with `finegrain resume`";
    case EFBIG:
      return "the limit on the size of files (ulimit -f) or of the file system is reached: raise "
             "it, or write less often";
    case ENOMEM:
      return "use a smaller system or another machine, or raise the limit on memory (ulimit -v)";
    case EACCES:
    case EPERM:
    case EROFS:
      return "give a folder you may write to";
    case ELOOP:
    case ENXIO:
    case EISDIR:
      return "a run writes plain files only, and follows no links in its folder: move away what "
             "has this name, or choose another folder with --out";
    case ENOENT:
    case ENOTDIR:
      return "make the folder " + folder + " first";
    default:
      return "check the disk and the path";
  }
}

}  // namespace

void throw_write_failure(const std::string& path, int error_number) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const std::string reason = error_number == 0       ? std::string("the write failed")
                             : error_number == ELOOP ? std::string("it is a link")
                             : error_number == ENXIO ? std::string("it is not a plain file")
                                                     : std::strerror(error_number);
  throw ResourceError({.what = "cannot write: " + reason,
                       .where = path,
                       .hint = hint_for(error_number, folder.empty() ? "." : folder)});
}

void sync_file(const std::string& path) {
  const Descriptor file{open_plain(path, O_RDONLY)};
  if (file.number < 0 || ::fsync(file.number) != 0) throw_write_failure(path, errno);
}

void sync_folder_of(const std::string& path) noexcept {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const Descriptor parent{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (parent.number >= 0) ::fsync(parent.number);
}

bool file_exists(const std::string& path) noexcept {
  std::error_code unknown;
  return std::filesystem::exists(path, unknown) || unknown;
}

std::vector<std::byte> read_whole_file(const std::string& path) {
  // A pipe would make the call wait for a writer.
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
  struct stat status {};
  if (file.number < 0 || ::fstat(file.number, &status) != 0)
    throw InputError({.what = std::string("cannot read: ") + std::strerror(errno),
                      .where = path,
                      .hint = "check the path and its permissions"});
  if (!S_ISREG(status.st_mode))
    throw InputError({.what = "not a plain file",
                      .where = path,
                      .hint = "give the path of a file, not of a folder, a pipe or a device"});
  std::vector<std::byte> bytes(static_cast<std::size_t>(status.st_size));
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::read(file.number, bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      throw InputError({.what = std::string("cannot read: ") + std::strerror(errno),
                        .where = path,
                        .hint = "check the disk"});
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

const std::string& make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw ResourceError({.what = "the folder for results cannot be made: " + error.message(),
                         .where = folder,
                         .hint = "choose another folder, or its permissions"});
  return folder;
}

int open_plain(const std::string& path, int flags, unsigned mode) noexcept {
  // Emptied only once it is known to be a plain file.
  const int file = ::open(path.c_str(), (flags & ~O_TRUNC) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
                          static_cast<mode_t>(mode));
  if (file < 0) return file;
  struct stat status {};
  int reason = ::fstat(file, &status) != 0 ? errno : S_ISREG(status.st_mode) ? 0 : ENXIO;
  if (reason == 0 && (flags & O_TRUNC) != 0 && ::ftruncate(file, 0) != 0) reason = errno;
  if (reason == 0) return file;
  ::close(file);
  errno = reason;
  return -1;
}

int open_for_append(const std::string& path, bool truncate) {
  // A write beyond a size limit must return an error instead of killing the run.
  std::signal(SIGXFSZ, SIG_IGN);
  const int file = open_plain(path, O_WRONLY | O_CREAT | O_APPEND | (truncate ? O_TRUNC : 0));
  if (file < 0) throw_write_failure(path, errno);
  return file;
}

void write_all(int file, std::span<const std::byte> bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_write_failure(path, errno);
    if (written == 0) throw_write_failure(path, ENOSPC);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void replace_file(const std::string& path, std::span<const std::byte> bytes) {
  const std::string unfinished = path + ".part";
  ::unlink(unfinished.c_str());  // of a killed run, or a link
  try {
    const Descriptor file{open_for_append(unfinished, true)};
    write_all(file.number, bytes, unfinished);
    if (::fsync(file.number) != 0) throw_write_failure(unfinished, errno);
  } catch (...) {
    ::unlink(unfinished.c_str());
    throw;
  }
  if (::rename(unfinished.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    ::unlink(unfinished.c_str());
    throw_write_failure(path, reason);
  }
  sync_folder_of(path);  // the new name itself must survive a power cut
}

}  // namespace fg
