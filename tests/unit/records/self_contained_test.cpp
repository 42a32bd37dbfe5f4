// SPDX-License-Identifier: BSD-3-Clause
//
// Files that lead elsewhere, or that claim more than they can hold, are refused at once.
#include "records/hdf5/self_contained.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <string>

#include "base/error.hpp"
#include "records/hdf5/hdf5.hpp"

namespace fg {
namespace {

/// What is said of a file that `write` makes; empty if it is read.
template <class Write>
std::string said_of(Write write) {
  const h5::Lock lock;
  const auto file = h5::image_of_file("made", write);
  try {
    h5::Reader("made", file);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

/// A table of doubles of this shape whose chunks have `chunk` rows.
void write_chunks(hid_t root, hsize_t rows, hsize_t chunk) {
  const h5::Handle how = h5::properties(H5Pcreate(H5P_DATASET_CREATE));
  const hsize_t most = H5S_UNLIMITED;
  const h5::Handle extent = h5::space(H5Screate_simple(1, &rows, &most));
  H5Pset_chunk(how.get(), 1, &chunk);
  const h5::Handle made = h5::dataset(H5Dcreate2(root, "table", H5T_NATIVE_DOUBLE, extent.get(),
                                                 H5P_DEFAULT, how.get(), H5P_DEFAULT));
  ASSERT_TRUE(made);
}

void write_groups(hid_t root, int depth) {
  h5::Handle inner;
  for (int i = 0; i < depth; ++i) {
    inner = h5::group(
        H5Gcreate2(inner ? inner.get() : root, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    ASSERT_TRUE(inner);
  }
}

TEST(SelfContained, AnOrdinaryFileIsRead) {
  EXPECT_EQ(said_of([](hid_t root) {
              const std::array<double, 3> values{1, 2, 3};
              h5::write_array(root, "values", values.data(), {3}, "made");
              H5Lcreate_soft("/values", root, "same", H5P_DEFAULT, H5P_DEFAULT);
              write_chunks(root, 1000, 100);
              write_groups(root, 50);
            }),
            "");
}

TEST(SelfContained, ALinkToAnotherFileIsNamed) {
  const std::string said = said_of([](hid_t root) {
    const h5::Handle inner =
        h5::group(H5Gcreate2(root, "atoms", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Lcreate_external("/dev/zero", "/", inner.get(), "charge", H5P_DEFAULT, H5P_DEFAULT);
  });
  EXPECT_NE(said.find("/atoms/charge is a link to another file"), std::string::npos) << said;
}

TEST(SelfContained, TablesLargerThanTheFileAreNamed) {
  const std::string rows = said_of([](hid_t root) { write_chunks(root, 1 << 28, 1000); });
  EXPECT_NE(rows.find("/table claims to be of 2.14748e+09 bytes"), std::string::npos) << rows;
  const std::string chunk = said_of([](hid_t root) { write_chunks(root, 1, 1 << 28); });
  EXPECT_NE(chunk.find("/table claims to be in chunks of 2.14"), std::string::npos) << chunk;
}

TEST(SelfContained, DeepGroupsAreRefusedAtOnce) {
  EXPECT_NE(said_of([](hid_t root) { write_groups(root, 51); }).find("50 deep"), std::string::npos);
  const auto start = std::chrono::steady_clock::now();
  const std::string said = said_of([](hid_t root) { write_groups(root, 3000); });
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  EXPECT_NE(said.find("50 deep"), std::string::npos) << said;
  EXPECT_LT(time.count(), 5);  // a walk by full names takes 12 s and grows with the square
}

}  // namespace
}  // namespace fg
