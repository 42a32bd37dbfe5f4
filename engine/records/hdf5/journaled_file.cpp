// SPDX-License-Identifier: BSD-3-Clause
#include "records/hdf5/journaled_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <vector>

#include "base/error.hpp"
#include "records/files/files.hpp"

namespace fg {

namespace {

/// The longest time until the contents of the journal are in the file for its readers.
constexpr auto settle_at_least_every = std::chrono::seconds(2);
constexpr std::uint64_t longest_journal = 1 << 20;

/// On failure returns false and sets errno. Bytes beyond the end of the file are read as zeros.
bool read_all(int file, std::uint64_t at, std::span<std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t got = ::pread(file, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) break;
    bytes = bytes.subspan(static_cast<std::size_t>(got));
    at += static_cast<std::uint64_t>(got);
  }
  std::fill(bytes.begin(), bytes.end(), std::byte{0});
  return true;
}

bool write_all_at(int file, std::uint64_t at, std::span<const std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t put = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (put < 0 && errno == EINTR) continue;
    if (put == 0) errno = ENOSPC;
    if (put <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(put));
    at += static_cast<std::uint64_t>(put);
  }
  return true;
}

std::uint64_t size_of(int file, const std::string& path) {
  struct stat status {};
  if (::fstat(file, &status) != 0) throw_write_failure(path, errno);
  if (!S_ISREG(status.st_mode))
    throw InputError({.what = "not a plain file",
                      .where = path,
                      .hint = "put back the file that the run wrote, or remove this"});
  return static_cast<std::uint64_t>(status.st_size);
}

}  // namespace

JournaledFile::JournaledFile(std::string path, FileUse use, bool with_journal)
    : path_(std::move(path)), use_(use) {
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond a size limit must come back as an error
  // Before the new file exists: the journal of an old file must never be applied to it.
  if (use == FileUse::create) ::unlink(journal_of(path_).c_str());
  const int flags = use == FileUse::create   ? O_RDWR | O_CREAT | O_TRUNC
                    : use == FileUse::change ? O_RDWR
                                             : O_RDONLY;
  // Readers may have the results elsewhere, behind a link; a run changes plain files only.
  file_ = use == FileUse::read ? ::open(path_.c_str(), flags | O_NONBLOCK | O_CLOEXEC)
                               : open_plain(path_, flags);
  if (file_ < 0) throw_write_failure(path_, errno);
  if (use == FileUse::create) return;
  Journal journal = read_journal(journal_of(path_), size_of(file_, path_));
  state_.base = state_.end = journal.found ? journal.base : size_of(file_, path_);
  state_.epoch = journal.epoch + 1;
  if (with_journal && journal.found) state_ = std::move(journal);
  end_ = state_.end;
  if (use == FileUse::change && file_exists(journal_of(path_))) {
    open_journal(with_journal);
    put_in_place();
  }
}

JournaledFile::~JournaledFile() {
  try {
    if (use_ != FileUse::read && !given_up_) {
      settle();
      ::unlink(journal_of(path_).c_str());
    }
  } catch (...) {
    given_up_ = true;  // the last commit stands: the file with its journal
  }
  if (journal_ >= 0) ::close(journal_);
  if (file_ >= 0) ::close(file_);
}

/// The first byte that no committed state uses, with the journal or without it, rounded up to a
/// whole page.
std::uint64_t JournaledFile::first_free() const noexcept {
  const std::uint64_t counts = std::max(state_.base, state_.end);
  return (counts + page_size - 1) / page_size * page_size;
}

bool JournaledFile::read(std::uint64_t at, std::span<std::byte> bytes) noexcept {
  if (!read_all(file_, at, bytes)) return false;
  const std::uint64_t stop = at + bytes.size();
  for (auto page = state_.pages.lower_bound(at / page_size);
       page != state_.pages.end() && page->first * page_size < stop; ++page) {
    const std::uint64_t start = page->first * page_size;
    const std::uint64_t from = std::max(at, start), to = std::min(stop, start + page_size);
    std::memcpy(bytes.data() + (from - at), page->second.data() + (from - start), to - from);
  }
  return true;
}

Page& JournaledFile::held_back(std::uint64_t number) {
  const auto [page, fresh] = state_.pages.try_emplace(number);
  if (fresh && !read_all(file_, number * page_size, page->second)) {
    state_.pages.erase(page);
    throw_write_failure(path_, errno);
  }
  changed_.insert(number);
  return page->second;
}

void JournaledFile::write_held_back(std::uint64_t at, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const std::uint64_t inside = at % page_size;
    const std::size_t count = std::min<std::size_t>(bytes.size(), page_size - inside);
    std::memcpy(held_back(at / page_size).data() + inside, bytes.data(), count);
    bytes = bytes.subspan(count);
    at += count;
  }
}

bool JournaledFile::write(std::uint64_t at, std::span<const std::byte> bytes) noexcept {
  if (given_up_) return true;
  try {
    const std::uint64_t free = first_free();
    const std::size_t back = at >= free ? 0 : std::min<std::size_t>(bytes.size(), free - at);
    write_held_back(at, bytes.first(back));
    if (!write_all_at(file_, at + back, bytes.subspan(back))) return false;
  } catch (const std::bad_alloc&) {
    errno = ENOMEM;
    return false;
  } catch (const Error&) {
    return false;  // errno is set
  }
  end_ = std::max(end_, at + bytes.size());
  return true;
}

void JournaledFile::open_journal(bool keep) {
  if (journal_ >= 0) return;
  const std::string path = journal_of(path_);
  journal_ = open_plain(path, O_WRONLY | O_CREAT | (keep ? 0 : O_TRUNC));
  if (journal_ < 0) throw_write_failure(path, errno);
  sync_folder_of(path);
}

void JournaledFile::commit() {
  if (given_up_) throw_write_failure(path_, EIO);
  if (!changed_.empty() || end_ != state_.end) {
    if (state_.base == 0 && state_.pages.empty()) {
      state_.end = end_;  // the first state of a new file: nothing is there to fall back on
    } else {
      open_journal(false);
      const auto entry = journal_entry(
          {.epoch = state_.epoch, .number = entries_, .base = state_.base, .end = end_},
          state_.pages, changed_);
      if (!write_all_at(journal_, journal_size_, entry))
        throw_write_failure(journal_of(path_), errno);
      journal_size_ += entry.size();
      ++entries_;
      state_.end = end_;
      changed_.clear();
    }
  }
  if (state_.base == 0 || journal_size_ >= longest_journal ||
      Clock::now() - settled_ >= settle_at_least_every)
    put_in_place();
}

void JournaledFile::settle() {
  commit();
  put_in_place();
}

void JournaledFile::sync(int file, const std::string& path) const {
  if (::fsync(file) != 0) throw_write_failure(path, errno);
}

/// The order keeps the old or the new state. First come the new data beyond the old, then the
/// journal, and only then the contents of the journal over the old data.
void JournaledFile::put_in_place() {
  sync(file_, path_);
  if (state_.base == 0) sync_folder_of(path_);
  if (!state_.pages.empty()) {
    sync(journal_, journal_of(path_));
    for (auto page = state_.pages.begin(); page != state_.pages.end();) {
      const std::uint64_t first = page->first;
      std::vector<std::byte> run;
      for (;
           page != state_.pages.end() && page->first * page_size == first * page_size + run.size();
           ++page)
        run.insert(run.end(), page->second.begin(), page->second.end());
      if (!write_all_at(file_, first * page_size, run)) throw_write_failure(path_, errno);
    }
  }
  if (size_of(file_, path_) != state_.end &&
      ::ftruncate(file_, static_cast<off_t>(state_.end)) != 0)
    throw_write_failure(path_, errno);
  sync(file_, path_);
  if (journal_ >= 0 && ::ftruncate(journal_, 0) != 0) throw_write_failure(path_, errno);
  state_.pages.clear();
  state_.base = state_.end;
  ++state_.epoch;
  entries_ = 0;
  journal_size_ = 0;
  settled_ = Clock::now();
}

}  // namespace fg
