// SPDX-License-Identifier: BSD-3-Clause
//
// Texts of HDF5 whose sizes are damaged are refused before the library follows them.
#include "records/hdf5/text_heaps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "job_file.hpp"
#include "records/hdf5/hdf5.hpp"
#include "records/hdf5/journaled_driver.hpp"

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

/// Whether all three texts are read; none may be read wrongly.
bool are_read(const h5::Reader& file) {
  try {
    const std::array texts{file.text("/", "first"), file.text("/", "second"),
                           file.text("/", "third")};
    return texts == std::array<std::string, 3>{"a", "twelve bytes", "the last"};
  } catch (const InputError&) {
    return false;
  }
}
bool are_read(const Bytes& file) {
  const h5::Lock lock;
  try {
    return are_read(h5::Reader("texts", file));
  } catch (const InputError&) {
    return false;
  }
}

TEST(TextHeaps, SoundTextsAreRead) {
  EXPECT_TRUE(are_read(file_of_texts()));
}

TEST(TextHeaps, DamagedSizesAreRefused) {
  const Bytes file = file_of_texts();
  // Beyond the heap, beyond all memory, so large that a sum of it wraps, the next text's header.
  for (const std::uint64_t size : {5000ULL, 1ULL << 31, ~0ULL, ~0ULL - 20, 16ULL, 32ULL}) {
    const Bytes damaged = with_size(file, "twelve bytes", size);
    EXPECT_FALSE(are_read(damaged)) << size;
  }
}

TEST(TextHeaps, BytesThatNobodyReadsHideNoDamage) {
  Bytes damaged = with_size(file_of_texts(), "twelve bytes", 1ULL << 31);
  damaged[place_of(damaged, "GCOL") + 6] = std::byte{195};
  EXPECT_FALSE(are_read(damaged));
}

TEST(TextHeaps, FreeSpaceThatNeverEndsIsRefused) {
  Bytes file = file_of_texts();
  const std::size_t last = place_of(file, "the last") + 8;
  std::fill_n(file.begin() + static_cast<std::ptrdiff_t>(last), 64, std::byte{});
  EXPECT_FALSE(are_read(file));
}

TEST(TextHeaps, HeapsThatEndElsewhereAreRefused) {
  const Bytes file = file_of_texts();
  const std::size_t heap = place_of(file, "GCOL");
  for (const std::uint64_t size : {0ULL, 64ULL, 4104ULL, 1ULL << 40, ~0ULL}) {
    Bytes damaged = file;
    std::memcpy(damaged.data() + heap + 8, &size, sizeof size);
    EXPECT_FALSE(are_read(damaged)) << size;
  }
  for (const std::size_t left : {9, 20, 2000})
    EXPECT_FALSE(
        are_read(Bytes(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(heap + left))))
        << left;
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
  EXPECT_FALSE(are_read(h5::Reader(path)));
  const Bytes sound = file_of_texts();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(sound.data()),
             static_cast<std::streamsize>(sound.size()));
  EXPECT_TRUE(are_read(h5::Reader(path)));
  // A trajectory is read by a driver of ours.
  JournaledFile storage(path, FileUse::read, false);
  const h5::Handle access = h5::access_to(storage);
  EXPECT_TRUE(
      are_read(h5::Reader(path, h5::file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get())))));
}

/// Bytes of the reference to a text of this length, which begin with the length.
std::size_t reference_of(const Bytes& file, std::uint32_t length) {
  const std::uint64_t heap = place_of(file, "GCOL");
  std::array<char, 12> begin{};
  std::memcpy(begin.data(), &length, sizeof length);
  std::memcpy(begin.data() + 4, &heap, sizeof heap);
  return place_of(file, {begin.data(), begin.size()});
}

TEST(TextHeaps, DamagedReferencesAreRefused) {
  const Bytes file = file_of_texts();
  const std::size_t place = reference_of(file, 12);
  // Numbers of texts that are free space, another's, beyond the last, beyond all memory.
  for (const std::uint32_t number : {0U, 1U, 4U, 257U, 100000U, ~0U}) {
    Bytes damaged = file;
    std::memcpy(damaged.data() + place + 12, &number, sizeof number);
    EXPECT_FALSE(are_read(damaged)) << number;
  }
  for (const std::uint32_t length : {0U, 11U, 13U, ~0U}) {
    Bytes damaged = file;
    std::memcpy(damaged.data() + place, &length, sizeof length);
    EXPECT_FALSE(are_read(damaged)) << length;
  }
  for (const std::uint64_t heap :
       {std::uint64_t{0}, std::uint64_t{96}, file.size() - 8, ~std::uint64_t{0}}) {
    Bytes damaged = file;
    std::memcpy(damaged.data() + place + 4, &heap, sizeof heap);
    EXPECT_FALSE(are_read(damaged)) << heap;
  }
}

TEST(TextHeaps, AnyDamagedByteIsRefusedOrLeavesTheTexts) {
  const Bytes file = file_of_texts();
  std::size_t wrong = 0;
  for (std::size_t at = 0; at < file.size(); ++at) {
    Bytes damaged = file;
    damaged[at] ^= std::byte{0xff};
    wrong += are_read(damaged) ? 0 : 1;
  }
  EXPECT_GT(wrong, 300U);  // headers, references and texts; the rest of the bytes is free
}

TEST(Attributes, ExtentsBeyondTheirBytesAreRefused) {
  const std::array<double, 3> numbers{1, 2, 3};
  const Bytes file = h5::image_of_file("t", [&](hid_t root) {
    h5::write_number<double>(root, "numbers", numbers, "t");
    h5::write_number<std::int64_t>(root, "one", 7, "t");
  });
  const h5::Lock lock;
  std::array<double, 3> found{};
  h5::Reader("t", file).numbers<double>("/", "numbers", found);
  EXPECT_EQ(found, numbers);
  // The extent stands before the first number: the number of axes, and the length of one.
  const std::uint64_t one = std::bit_cast<std::uint64_t>(numbers[0]);
  const std::size_t value = place_of(file, {reinterpret_cast<const char*>(&one), sizeof one});
  for (const std::uint64_t edge : {4ULL, 1ULL << 20, 1ULL << 32, 1ULL << 62, ~0ULL}) {
    Bytes damaged = file;
    std::memcpy(damaged.data() + value - 8 * 2, &edge, sizeof edge);
    EXPECT_THROW(h5::Reader("t", damaged), InputError) << edge;
  }
}

/// A table of texts of variable length, as h5py writes them.
void write_table(hid_t root, const std::vector<const char*>& texts, bool in_chunks) {
  const hsize_t count = texts.size();
  const h5::Handle kind = h5::string_type();
  const h5::Handle extent = h5::space(H5Screate_simple(1, &count, nullptr));
  const h5::Handle how = h5::properties(H5Pcreate(H5P_DATASET_CREATE));
  if (in_chunks) H5Pset_chunk(how.get(), 1, &count);
  const h5::Handle made = h5::dataset(
      H5Dcreate2(root, "texts", kind.get(), extent.get(), H5P_DEFAULT, how.get(), H5P_DEFAULT));
  ASSERT_GE(H5Dwrite(made.get(), kind.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()), 0);
}

TEST(TextHeaps, TablesAreRead) {
  const h5::Lock lock;
  const std::string longer(5000, 'x');
  const std::vector<const char*> texts{"one", "", longer.c_str(), "Å", "one"};
  const Bytes file = h5::image_of_file("t", [&](hid_t root) { write_table(root, texts, false); });
  const std::vector<std::string> expected(texts.begin(), texts.end());
  EXPECT_EQ(h5::Reader("t", file).strings("texts"), expected);
  const Bytes chunks = h5::image_of_file("t", [&](hid_t root) { write_table(root, texts, true); });
  EXPECT_THROW(h5::Reader("t", chunks).strings("texts"), InputError);
  const Bytes damaged = with_size(file, "one", 4);
  EXPECT_THROW(h5::Reader("t", damaged).strings("texts"), InputError);
}

TEST(TextHeaps, AttributesInLaterBlocksOfAHeaderAreRead) {
  const h5::Lock lock;
  const Bytes file = h5::image_of_file("t", [](hid_t root) {
    for (int i = 0; i < 40; ++i)
      h5::write_text(root, ("text " + std::to_string(i)).c_str(), std::to_string(i * i), "t");
  });
  const h5::Reader reader("t", file);
  for (int i = 0; i < 40; ++i)
    EXPECT_EQ(reader.text("/", "text " + std::to_string(i)), std::to_string(i * i));
}

}  // namespace
}  // namespace fg
