// SPDX-License-Identifier: BSD-3-Clause
//
// Virtual sites in a job file: read as they were written, part of the digest, refused if damaged.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "job_file.hpp"
#include "records/job/job.hpp"

namespace fg {
namespace {

using test::loaded, test::refusal, test::remove_object, test::set_value;

/// The last atom becomes a site of the first water, out of its plane.
void add_site(hid_t file) {
  set_value(file, "/atoms/mass", 6, 0);
  set_value(file, "/atoms/fragment", 6, 0);
  const h5::Handle at =
      h5::group(H5Gcreate2(file, "virtual_sites", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const auto write = [&]<class T>(const char* name, const std::vector<T>& values,
                                  const h5::Shape& shape) {
    h5::write_array(at.get(), name, values.data(), shape, "job");
  };
  write("site", std::vector<std::int32_t>{6}, {1});
  write("kind", std::vector<std::int32_t>{1}, {1});
  write("parents", std::vector<std::int32_t>{0, 1, 2, -1}, {1, 4});
  write("weights", std::vector<double>{0.5, 0.2, 0.3, 0}, {1, 4});
  write("x_weights", std::vector<double>(4), {1, 4});
  write("y_weights", std::vector<double>(4), {1, 4});
  write("offset", std::vector<double>{0, 0, 0.7}, {1, 3});
}

TEST(VirtualSitesOfAJob, AreReadAsTheyWereWritten) {
  const Job job = loaded(add_site);
  ASSERT_EQ(job.topology.virtual_sites.size(), 1u);
  const VirtualSite& site = job.topology.virtual_sites[0];
  EXPECT_EQ(site.site, 6);
  EXPECT_EQ(site.kind, SiteKind::out_of_plane);
  EXPECT_EQ(site.parent_count(), 3);
  EXPECT_EQ(site.weights[2], 0.3);
  EXPECT_EQ(site.offset, (Vec3{0, 0, 0.7}));
  EXPECT_TRUE(loaded({}).topology.virtual_sites.empty());
}

TEST(VirtualSitesOfAJob, ArePartOfItsDigest) {
  const std::string digest = job_digest(loaded(add_site));
  EXPECT_NE(digest, job_digest(loaded([](hid_t f) {
              add_site(f);
              set_value(f, "/virtual_sites/offset", 2, 0.8);
            })));
  // A job without sites has the digest that it had before there were any.
  EXPECT_EQ(job_digest(loaded({})), job_digest(loaded([](hid_t f) {
              add_site(f);
              set_value(f, "/atoms/mass", 6, 64000);
              set_value(f, "/atoms/fragment", 6, 2);
              remove_object(f, "/virtual_sites");
            })));
}

TEST(VirtualSitesOfAJob, AreRefusedIfTheyHaveNoPlace) {
  struct Case {
    const char* expected;
    const char* table;
    std::size_t index;
    double value;
  };
  const std::vector<Case> cases{
      {"0, that of a virtual site", "/atoms/mass", 6, 1},
      {"names an atom twice, or one that does not exist", "/virtual_sites/parents", 1, 7},
      {"names an atom twice, or one that does not exist", "/virtual_sites/parents", 1, 0},
      {"another number of parents", "/virtual_sites/parents", 2, -1},
      {"another number of parents", "/virtual_sites/parents", 3, 3},
      {"no such kind of virtual site", "/virtual_sites/kind", 0, 3},
      {"'offset' is out of range", "/virtual_sites/kind", 0, 0},
      {"'sum of weights' is out of range", "/virtual_sites/weights", 0, 0.6},
      {"'sum of x_weights' is out of range", "/virtual_sites/x_weights", 0, 0.1},
      {"'weight' is out of range", "/virtual_sites/y_weights", 0, std::nan("")},
      {"'offset' is out of range", "/virtual_sites/offset", 1, INFINITY},
  };
  for (const Case& wrong : cases) {
    const std::string text = refusal([&](hid_t f) {
      add_site(f);
      set_value(f, wrong.table, wrong.index, wrong.value);
    });
    EXPECT_NE(text.find(wrong.expected), std::string::npos) << wrong.expected << "\n got: " << text;
  }
  EXPECT_THROW(loaded([](hid_t f) {
                 add_site(f);
                 remove_object(f, "/virtual_sites/weights");
               }),
               InputError);
}

}  // namespace
}  // namespace fg
