// SPDX-License-Identifier: BSD-3-Clause
#include "records/journal.hpp"

#include <cstring>
#include <span>

#include "records/checksum.hpp"
#include "records/files.hpp"

namespace fg {

namespace {

std::uint64_t sum_of(std::span<const std::byte> bytes) noexcept {
  Checksum sum;
  sum.add(bytes);
  return sum.value();
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

Journal read_journal(const std::string& path) {
  Journal journal;
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
    if (sum != sum_of(left.first(size))) return journal;
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
