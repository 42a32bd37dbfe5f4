// SPDX-License-Identifier: BSD-3-Clause
//
// Texts of HDF5 whose sizes are damaged are refused before the library follows them.
#include "records/text_heaps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <vector>

#include "base/error.hpp"
#include "job_file.hpp"
#include "records/hdf5.hpp"

namespace fg {
namespace {

using Bytes = std::vector<std::byte>;

/// A file with three texts.
Bytes file_of_texts() {
  return h5::image_of_file("texts", [](hid_t root) {
    h5::write_text(root, "first", "a", "texts");
    h5::write_text(root, "second", "twelve bytes", "texts");
    h5::write_text(root, "third", "the last", "texts");
  });
}

std::size_t place_of(const Bytes& file, std::string_view what) {
  const auto* const text = reinterpret_cast<const std::byte*>(what.data());
  const auto found = std::search(file.begin(), file.end(), text, text + what.size());
  EXPECT_NE(found, file.end());
  return static_cast<std::size_t>(found - file.begin());
}

/// The file with another size of one text.
Bytes with_size(Bytes file, std::string_view text, std::uint64_t size) {
  std::memcpy(file.data() + place_of(file, text) - 8, &size, sizeof size);
  return file;
}

TEST(TextHeaps, SoundTextsAreRead) {
  const Bytes file = file_of_texts();
  EXPECT_EQ(h5::fault_of_text_heaps(file), "");
  const h5::Lock lock;
  EXPECT_EQ(h5::Reader("texts", file).text("/", "second"), "twelve bytes");
}

TEST(TextHeaps, DamagedSizesAreRefused) {
  const Bytes file = file_of_texts();
  const h5::Lock lock;
  // Beyond the heap, beyond all memory, so large that a sum of it wraps, the next text's header.
  for (const std::uint64_t size : {5000ULL, 1ULL << 31, ~0ULL, ~0ULL - 20, 16ULL, 32ULL}) {
    const Bytes damaged = with_size(file, "twelve bytes", size);
    EXPECT_NE(h5::fault_of_text_heaps(damaged), "") << size;
    EXPECT_THROW(h5::Reader("texts", damaged), InputError) << size;
  }
}

TEST(TextHeaps, BytesThatNobodyReadsHideNoDamage) {
  Bytes damaged = with_size(file_of_texts(), "twelve bytes", 1ULL << 31);
  damaged[place_of(damaged, "GCOL") + 6] = std::byte{195};
  EXPECT_NE(h5::fault_of_text_heaps(damaged), "");
}

TEST(TextHeaps, FreeSpaceThatNeverEndsIsRefused) {
  Bytes file = file_of_texts();
  const std::size_t last = place_of(file, "the last") + 8;
  std::fill_n(file.begin() + static_cast<std::ptrdiff_t>(last), 64, std::byte{});
  EXPECT_NE(h5::fault_of_text_heaps(file), "");
}

TEST(TextHeaps, HeapsThatEndElsewhereAreRefused) {
  const Bytes file = file_of_texts();
  const std::size_t heap = place_of(file, "GCOL");
  for (const std::uint64_t size : {0ULL, 64ULL, 4104ULL, 1ULL << 40, ~0ULL}) {
    Bytes damaged = file;
    std::memcpy(damaged.data() + heap + 8, &size, sizeof size);
    EXPECT_NE(h5::fault_of_text_heaps(damaged), "") << size;
  }
  for (const std::size_t left : {9, 20, 2000})
    EXPECT_NE(h5::fault_of_text_heaps({file.data(), heap + left}), "") << left;
}

TEST(Texts, OnlySingleOnesInUtf8AreRead) {
  const h5::Lock lock;
  for (const char* const text : {"", "plain", "Å and µ", "\xf0\x9f\xa7\xaa"}) {
    const Bytes file =
        h5::image_of_file("t", [&](hid_t root) { h5::write_text(root, "t", text, "t"); });
    EXPECT_EQ(h5::Reader("t", file).text("/", "t"), text);
  }
  // No sign, cut short, too long for its value, a surrogate, beyond Unicode.
  for (const char* const text :
       {"\xf7\xff", "a\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
    const Bytes file =
        h5::image_of_file("t", [&](hid_t root) { h5::write_text(root, "t", text, "t"); });
    EXPECT_THROW(h5::Reader("t", file).text("/", "t"), InputError);
  }
  const Bytes two = h5::image_of_file("t", [](hid_t root) {
    const hsize_t count = 64;
    const std::string letters(count, 'x');
    const h5::Handle extent = h5::space(H5Screate_simple(1, &count, nullptr));
    const h5::Handle made =
        h5::attribute(H5Acreate2(root, "t", H5T_C_S1, extent.get(), H5P_DEFAULT, H5P_DEFAULT));
    H5Awrite(made.get(), H5T_C_S1, letters.data());
  });
  EXPECT_THROW(h5::Reader("t", two).text("/", "t"), InputError);
}

TEST(TextHeaps, FilesOnDiskAreLookedAt) {
  const test::TestFolder folder;
  const Bytes damaged = with_size(file_of_texts(), "the last", 1 << 20);
  const std::string path = folder / "texts.h5";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(damaged.data()),
             static_cast<std::streamsize>(damaged.size()));
  const h5::Lock lock;
  EXPECT_THROW(h5::Reader{path}, InputError);
}

}  // namespace
}  // namespace fg
