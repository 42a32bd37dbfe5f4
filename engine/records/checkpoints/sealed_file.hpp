// SPDX-License-Identifier: BSD-3-Clause
//
// A large HDF5 file that is written to the disk as it grows, and is sealed (seal.hpp) at its end.
// Until then it has another name; an error removes it and leaves the old file as it was.
#pragma once

#include <string>

#include "records/hdf5/hdf5.hpp"

namespace fg {

class SealedFileWriter {
 public:
  /// Throws a ResourceError, as all functions of this class, if the file cannot be written.
  explicit SealedFileWriter(std::string path);
  SealedFileWriter(const SealedFileWriter&) = delete;
  SealedFileWriter& operator=(const SealedFileWriter&) = delete;
  ~SealedFileWriter();

  hid_t root() const noexcept { return file_.get(); }
  const std::string& path() const noexcept { return path_; }
  /// For calls of the library.
  void check(bool good) const { h5::check_write(good, path_); }

  /// Seals and syncs the file. Then the old file of this name becomes previous_checkpoint(path),
  /// and the new one takes its place.
  void finish();

 private:
  void add_seal() const;

  std::string path_, unfinished_;
  h5::Handle file_;
  bool finished_ = false;
};

/// Throws InputError if the file is missing, has no seal, or does not fit its seal. If `previous`
/// is whole, the hint names it. Reads the file in pieces.
void require_whole(const std::string& path, const std::string& previous);

}  // namespace fg
