// SPDX-License-Identifier: BSD-3-Clause
//
// A file that goes from one complete state to the next. This holds even if there is a kill, a power
// cut or a full disk. Bytes beyond its end are written at once. Changes of existing bytes are held
// back, and kept in a journal from `commit` on. `settle` writes them into the file itself, synced.
// A process that opens the file sees its last committed state: the file with the complete entries
// of its journal.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>

#include "records/hdf5/journal.hpp"

namespace fg {

enum class FileUse { create, change, read };

class JournaledFile {
 public:
  /// `with_journal`: false uses the file without the journal beside it. Throws a ResourceError if
  /// it cannot be opened.
  JournaledFile(std::string path, FileUse use, bool with_journal = true);
  /// Settles and removes the journal, unless `give_up` was called.
  ~JournaledFile();
  JournaledFile(const JournaledFile&) = delete;
  JournaledFile& operator=(const JournaledFile&) = delete;

  /// Bytes beyond the end are read as zeros. On failure these return false and set errno.
  bool read(std::uint64_t at, std::span<std::byte> bytes) noexcept;
  bool write(std::uint64_t at, std::span<const std::byte> bytes) noexcept;
  std::uint64_t end() const noexcept { return end_; }
  void set_end(std::uint64_t end) noexcept { end_ = end; }

  /// Makes everything written so far part of the file, in one step; settles from time to time.
  void commit();
  /// Commits, brings everything into the file and waits until it is on the disk.
  void settle();
  /// Called after a failure: later writes are dropped, and the last commit remains.
  void give_up() noexcept { given_up_ = true; }

  const std::string& path() const noexcept { return path_; }

 private:
  using Clock = std::chrono::steady_clock;

  void write_held_back(std::uint64_t at, std::span<const std::byte> bytes);
  Page& held_back(std::uint64_t number);
  std::uint64_t first_free() const noexcept;
  void open_journal(bool keep);
  void put_in_place();
  void sync(int file, const std::string& path) const;

  std::string path_;
  FileUse use_;
  int file_ = -1;
  int journal_ = -1;
  Journal state_;                    // the pages held back; sizes of the file before and after
  std::set<std::uint64_t> changed_;  // pages, since the last commit
  std::uint64_t entries_ = 0;        // in the journal
  std::uint64_t journal_size_ = 0;
  std::uint64_t end_ = 0;
  Clock::time_point settled_{};
  bool given_up_ = false;
};

}  // namespace fg
