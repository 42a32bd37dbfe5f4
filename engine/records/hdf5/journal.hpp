// SPDX-License-Identifier: BSD-3-Clause
//
// The journal beside a file that changes in place ("trajectory.h5.journal"). It holds the new
// contents of parts of the file, in pages, before they are written into the file. An entry makes
// one change from one complete state of the file to the next. An entry that a kill cut short is
// detected by its checksum and ignored.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace fg {

constexpr std::size_t page_size = 1024;
using Page = std::array<std::byte, page_size>;
using Pages = std::map<std::uint64_t, Page>;  // by their number in the file

struct JournalHead {
  std::array<char, 8> format{'F', 'G', 'J', 'O', 'U', 'R', 'N', '1'};
  std::uint64_t epoch = 0;   // counts how often the journal has been emptied
  std::uint64_t number = 0;  // of the entry in its epoch
  std::uint64_t base = 0;    // size of the file as it is without the journal
  std::uint64_t end = 0;     // size of the file with this entry
  std::uint64_t pages = 0;
};

/// One entry, with those of `pages` whose numbers are in `changed`.
std::vector<std::byte> journal_entry(JournalHead head, const Pages& pages,
                                     const std::set<std::uint64_t>& changed);

/// The complete entries at the beginning of a journal that belong to one epoch. An entry that no
/// run can have written for its file, such as one with a page beyond the end, does not count.
struct Journal {
  bool found = false;  // false: there is none, or no whole entry
  std::uint64_t epoch = 0, base = 0, end = 0;
  Pages pages;
};
/// `file_size` is that of the file that the journal belongs to.
Journal read_journal(const std::string& path, std::uint64_t file_size);

/// "trajectory.h5" -> "trajectory.h5.journal"
std::string journal_of(const std::string& path);

}  // namespace fg
