// SPDX-License-Identifier: BSD-3-Clause
#include "records/checkpoints/sealed_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "records/checkpoints/checkpoint.hpp"
#include "records/files/files.hpp"
#include "records/files/seal.hpp"

namespace fg {

namespace {

constexpr std::size_t piece = std::size_t{1} << 20;

/// The seal of the first bytes of a file.
std::string seal_of(const std::string& path, std::uintmax_t size) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> bytes(piece);
  Sha256 sum;
  while (size > 0 && file) {
    const auto wanted = static_cast<std::streamsize>(std::min<std::uintmax_t>(piece, size));
    file.read(bytes.data(), wanted);
    if (file.gcount() == 0) break;
    sum.add(std::as_bytes(std::span(bytes).first(static_cast<std::size_t>(file.gcount()))));
    size -= static_cast<std::uintmax_t>(file.gcount());
  }
  return seal_text(sum.hex());
}

bool is_whole(const std::string& path) {
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  if (unknown || size <= seal_size) return false;
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(size - seal_size));
  std::string seal(seal_size, '\0');
  file.read(seal.data(), static_cast<std::streamsize>(seal_size));
  return file && seal == seal_of(path, size - seal_size);
}

}  // namespace

SealedFileWriter::SealedFileWriter(std::string path)
    : path_(std::move(path)), unfinished_(path_ + ".part") {
  // A write beyond a size limit must return an error instead of killing the run.
  std::signal(SIGXFSZ, SIG_IGN);
  ::unlink(unfinished_.c_str());  // of a killed run, or a link, which the library would follow
  const h5::Lock lock;
  const h5::Handle access = h5::properties(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_file_locking(access.get(), false, true);
  file_ = h5::file(H5Fcreate(unfinished_.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, access.get()));
  check(static_cast<bool>(file_));
}

SealedFileWriter::~SealedFileWriter() {
  if (finished_) return;
  const h5::Lock lock;
  file_.abandon();  // closing it would try to write again
  ::unlink(unfinished_.c_str());
}

void SealedFileWriter::finish() {
  {
    const h5::Lock lock;
    check(H5Fflush(file_.get(), H5F_SCOPE_LOCAL) >= 0);
    file_ = {};
  }
  add_seal();
  sync_file(unfinished_);
  keep_as_previous(path_);
  if (::rename(unfinished_.c_str(), path_.c_str()) != 0) throw_write_failure(path_, errno);
  finished_ = true;
  sync_folder_of(path_);
}

void SealedFileWriter::add_seal() const {
  const std::string seal = seal_of(unfinished_, std::filesystem::file_size(unfinished_));
  const int file = open_for_append(unfinished_, false);
  try {
    write_all(file, std::as_bytes(std::span(seal)), path_);
  } catch (...) {
    ::close(file);
    throw;
  }
  if (::close(file) != 0) throw_write_failure(path_, errno);
}

void require_whole(const std::string& path, const std::string& previous) {
  if (is_whole(path)) return;
  const bool there = file_exists(path);
  throw InputError(
      {.what = there ? "the checkpoint is damaged: its SHA-256 does not fit its contents"
                     : "there is no checkpoint",
       .where = path,
       .hint = previous != path && is_whole(previous)
                   ? "the one before it is whole: mv " + previous + " " + path
                   : "there is no whole checkpoint beside it: run the job again from the start"});
}

}  // namespace fg
