// SPDX-License-Identifier: BSD-3-Clause
#include "records/hdf5/journal.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include "records/files/checksum.hpp"
#include "records/files/files.hpp"

namespace fg {

namespace {

std::uint64_t sum_of(std::span<const std::byte> bytes) noexcept {
  Checksum sum;
  sum.add(bytes);
  return sum.value();
}

/// How far a file may grow before its journal is put in place. This is more than a run writes in
/// that time. If a forged journal asks for it, it does no harm.
constexpr std::uint64_t most_growth = std::uint64_t{1} << 40;

/// Whether all pages of an entry are within what was the file so far. `entry` begins with its head.
bool is_possible(const JournalHead& head, std::span<const std::byte> entry, std::uint64_t reach,
                 std::uint64_t file_size) noexcept {
  if (head.base > file_size || head.end > file_size + most_growth) return false;
  const std::uint64_t pages = (std::max({reach, head.base, head.end}) + page_size - 1) / page_size;
  for (std::uint64_t i = 0; i < head.pages; ++i) {
    std::uint64_t where = 0;
    std::memcpy(&where, entry.data() + sizeof head + i * (sizeof where + page_size), sizeof where);
    if (where >= pages) return false;
  }
  return true;
}

}  // namespace

std::string journal_of(const std::string& path) {
  return path + ".journal";
}

std::vector<std::byte> journal_entry(JournalHead head, const Pages& pages,
                                     const std::set<std::uint64_t>& changed) {
  head.pages = changed.size();
  std::vector<std::byte> bytes(sizeof head + changed.size() * (sizeof(std::uint64_t) + page_size) +
                               sizeof(std::uint64_t));
  std::byte* at = bytes.data();
  const auto put = [&](const void* from, std::size_t size) {
    std::memcpy(at, from, size);
    at += size;
  };
  put(&head, sizeof head);
  for (const std::uint64_t number : changed) {
    put(&number, sizeof number);
    put(pages.at(number).data(), page_size);
  }
  const std::uint64_t sum = sum_of(std::span(bytes).first(bytes.size() - sizeof(std::uint64_t)));
  put(&sum, sizeof sum);
  return bytes;
}

Journal read_journal(const std::string& path, std::uint64_t file_size) {
  Journal journal;
  std::uint64_t reach = 0;  // of all entries so far
  if (!file_exists(path)) return journal;
  const std::vector<std::byte> all = read_whole_file(path);
  std::span<const std::byte> left = all;
  for (std::uint64_t number = 0;; ++number) {
    JournalHead head;
    const JournalHead expected;
    if (left.size() < sizeof head) return journal;
    std::memcpy(&head, left.data(), sizeof head);
    constexpr std::size_t of_page = sizeof(std::uint64_t) + page_size;
    if (head.format != expected.format || head.number != number ||
        (number > 0 && head.epoch != journal.epoch) || head.pages > left.size() / of_page)
      return journal;
    const std::size_t size = sizeof head + head.pages * of_page;
    std::uint64_t sum = 0;
    if (left.size() < size + sizeof sum) return journal;
    std::memcpy(&sum, left.data() + size, sizeof sum);
    if (sum != sum_of(left.first(size)) || !is_possible(head, left, reach, file_size))
      return journal;
    reach = std::max({reach, head.base, head.end});
    for (std::uint64_t i = 0; i < head.pages; ++i) {
      const std::byte* const page = left.data() + sizeof head + i * of_page;
      std::uint64_t where = 0;
      std::memcpy(&where, page, sizeof where);
      std::memcpy(journal.pages[where].data(), page + sizeof where, page_size);
    }
    journal.found = true;
    journal.epoch = head.epoch;
    journal.base = head.base;
    journal.end = head.end;
    left = left.subspan(size + sizeof sum);
  }
}

}  // namespace fg
