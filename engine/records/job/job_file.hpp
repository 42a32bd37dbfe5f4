// SPDX-License-Identifier: BSD-3-Clause
//
// The file of a job of any kind: whole, of this format and version. The kind, an attribute of its
// root, says which part of the engine reads the rest.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "records/hdf5/hdf5.hpp"

namespace fg {

class JobFile {
 public:
  /// Throws InputError if the file is missing, damaged or no job of this version.
  explicit JobFile(const std::string& path);
  /// The same of the bytes of a job file, `name` being what messages call it.
  JobFile(std::string name, std::span<const std::byte> bytes);

  const h5::Reader& contents() const noexcept { return contents_; }
  const std::string& kind() const noexcept { return kind_; }
  /// Throws InputError, with the known kinds, if the job is of none of them.
  void require_kind(std::span<const std::string_view> known) const;

 private:
  h5::Reader contents_;
  std::string kind_;
};

}  // namespace fg
