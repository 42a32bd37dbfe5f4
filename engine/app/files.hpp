// SPDX-License-Identifier: BSD-3-Clause
//
// Whole files in and out, with failures that name the path and the remedy.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace fg::app {

/// An InputError that names the path when it cannot be read.
std::vector<std::byte> read_whole_file(const std::string& path);

/// Writes a new file beside `path`, syncs it, and renames it over `path`; a ResourceError, with the
/// unfinished file removed and the old one untouched, when the disk is full or not writable.
void replace_file(const std::string& path, std::span<const std::byte> bytes);

/// Waits until what was written to `path` is on the disk.
void sync_file(const std::string& path);
/// Whether something is there; also true when that cannot be told.
bool file_exists(const std::string& path) noexcept;

/// The folder for results, made where it is missing; a ResourceError if it cannot be.
const std::string& make_folder(const std::string& folder);

/// Opens for appending, created when missing; -1 never: a ResourceError names the path.
int open_for_append(const std::string& path, bool truncate);
/// All of `text` or a ResourceError that names the path.
void write_all(int file, std::span<const std::byte> bytes, const std::string& path);

/// The ResourceError for a failed write to `path` with this errno.
[[noreturn]] void throw_write_failure(const std::string& path, int error_number);

}  // namespace fg::app
