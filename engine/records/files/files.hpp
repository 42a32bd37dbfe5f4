// SPDX-License-Identifier: BSD-3-Clause
//
// Reading and writing whole files; errors name the path and the remedy.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace fg {

/// Throws an InputError that names the path if it cannot be read.
std::vector<std::byte> read_whole_file(const std::string& path);

/// Writes a new file beside `path`, syncs it, and renames it to `path`. If the disk is full or not
/// writable it throws a ResourceError. It removes the unfinished file and leaves the old one
/// unchanged.
void replace_file(const std::string& path, std::span<const std::byte> bytes);

/// Waits until what was written to `path` is on the disk.
void sync_file(const std::string& path);
/// Waits until the name of a new file is, where the file system can do that.
void sync_folder_of(const std::string& path) noexcept;
/// Whether a file or folder exists; also true if this cannot be determined.
bool file_exists(const std::string& path) noexcept;

/// The folder for results, created if it is missing; a ResourceError if it cannot be created.
const std::string& make_folder(const std::string& folder);

/// Opens a file in a folder of results; -1 and errno if that fails. It must be a plain file. A link
/// would lead out of the folder, and a pipe or a device would make a run wait. A new one has
/// `mode`.
int open_plain(const std::string& path, int flags, unsigned mode = 0644) noexcept;

/// Opens for appending, and creates the file if it is missing. Throws a ResourceError that names
/// the path.
int open_for_append(const std::string& path, bool truncate);
/// Writes all bytes, or throws a ResourceError that names the path.
void write_all(int file, std::span<const std::byte> bytes, const std::string& path);

/// The ResourceError for a failed write to `path` with this errno.
[[noreturn]] void throw_write_failure(const std::string& path, int error_number);

}  // namespace fg
