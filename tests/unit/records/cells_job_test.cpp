// SPDX-License-Identifier: BSD-3-Clause
//
// The cells into which a job cuts space: read as they were written, part of the digest, refused if
// they make no sense.
#include <gtest/gtest.h>

#include <vector>

#include "job_file.hpp"
#include "records/job/job.hpp"

namespace fg {
namespace {

using test::loaded, test::refusal, test::set_text, test::set_value;

constexpr std::int32_t edge = CellCut::edge;

void add_cells(hid_t file, const std::vector<std::int32_t>& shape,
               const std::vector<std::int32_t>& planes) {
  const auto settings = h5::group(H5Gopen2(file, "settings", H5P_DEFAULT));
  h5::write_text(settings.get(), "pairs", "midpoint", "job");
  h5::write_number<std::int64_t>(settings.get(), "pair_computes", 1, "job");
  const h5::Handle at =
      h5::group(H5Gcreate2(file, "midpoint_cells", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  h5::write_array(at.get(), "shape", shape.data(), {shape.size()}, "job");
  h5::write_array(at.get(), "planes", planes.data(), {planes.size()}, "job");
}

/// Two slabs, each in two parts along z.
void add_usual_cells(hid_t file) {
  add_cells(file, {2, 1, 2},
            {0, edge / 3, edge, 0, edge, 0, edge, 0, edge / 2, edge, 0, edge / 4, edge});
}

TEST(CellsOfAJob, AreReadAsTheyWereWritten) {
  const Job job = loaded(add_usual_cells);
  ASSERT_TRUE(job.cells);
  EXPECT_EQ(job.cells->shape, (std::array{2, 1, 2}));
  EXPECT_EQ(job.cells->along(0, 1, 0, 0).low, edge / 3);
  EXPECT_EQ(job.cells->along(1, 1, 0, 0).high, edge);
  EXPECT_EQ(job.cells->along(2, 0, 0, 0).high, edge / 2);
  EXPECT_EQ(job.cells->along(2, 1, 0, 1).low, edge / 4);
  EXPECT_FALSE(loaded({}).cells);
}

TEST(CellsOfAJob, ArePartOfItsDigest) {
  const std::string digest = job_digest(loaded(add_usual_cells));
  const auto moved = loaded([](hid_t file) {
    add_usual_cells(file);
    set_value(file, "/midpoint_cells/planes", 1, edge / 3 + 1);
  });
  EXPECT_NE(digest, job_digest(moved));
  Job without = loaded(add_usual_cells);
  without.cells.reset();
  EXPECT_NE(digest, job_digest(without));
}

TEST(CellsOfAJob, AreRefusedIfTheyMakeNoSense) {
  const auto refused = [](std::vector<std::int32_t> shape, std::vector<std::int32_t> planes) {
    return refusal([&](hid_t file) { add_cells(file, shape, planes); });
  };
  EXPECT_NE(refused({1, 1}, {}).find("not one number for each axis"), std::string::npos);
  EXPECT_NE(refused({1, 1, 1}, {0, edge}).find("not the planes of so many cells"),
            std::string::npos);
  EXPECT_NE(refused({0, 1, 1}, {}).find("too few midpoint cells along x"), std::string::npos);
  EXPECT_NE(refused({1, 1, 17}, {}).find("too many midpoint cells along z"), std::string::npos);
  EXPECT_NE(refused({1, 1, 1}, {0, edge, 0, edge, 1, edge}).find("cells do not fill the box"),
            std::string::npos);
  EXPECT_NE(refused({1, 1, 1}, {0, edge, 0, edge - 1, 0, edge}).find("cells do not fill the box"),
            std::string::npos);
  for (const std::int32_t plane : {-5, 0, 1000, edge, edge + 5})
    EXPECT_NE(refused({1, 1, 2}, {0, edge, 0, edge, 0, plane, edge})
                  .find("'thickness of a cell' is out of range"),
              std::string::npos)
        << plane;
  const auto with_half_shells = [](hid_t file) {
    add_usual_cells(file);
    set_text(file, "/settings", "pairs", "half-shell");
  };
  EXPECT_NE(refusal(with_half_shells).find("has no midpoint cells"), std::string::npos);
}

}  // namespace
}  // namespace fg
