// SPDX-License-Identifier: BSD-3-Clause
//
// Position restraints and a ramp of the temperature in a job file: read as they were written, part
// of the digest, refused if damaged.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "job_file.hpp"
#include "records/job/job.hpp"

namespace fg {
namespace {

using test::loaded, test::refusal, test::remove_object, test::set_text, test::set_value;

void add_restraints(hid_t file) {
  const h5::Handle at =
      h5::group(H5Gcreate2(file, "restraints", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const auto write = [&]<class T>(const char* name, const std::vector<T>& values,
                                  const h5::Shape& shape) {
    h5::write_array(at.get(), name, values.data(), shape, "job");
  };
  write("atoms", std::vector<std::int32_t>{6, 3}, {2});
  write("constants", std::vector<double>{0.1, 0.2, 0.3, 1, 1, 1}, {2, 3});
  write("reference", std::vector<double>{4, 5, 6, 7, 8, 9}, {2, 3});
  write("anchor", std::vector<double>{0, 0, 0, 1, 2, 3}, {2, 3});
}

TEST(RestraintsOfAJob, AreReadAsTheyWereWritten) {
  const Job job = loaded(add_restraints);
  ASSERT_EQ(job.restraints.size(), 2u);
  EXPECT_EQ(job.restraints[0].atom, 6);
  EXPECT_EQ(job.restraints[0].stiffness, (Vec3{0.1, 0.2, 0.3}));
  EXPECT_EQ(job.restraints[1].reference, (Vec3{7, 8, 9}));
  EXPECT_EQ(job.restraints[1].anchor, (Vec3{1, 2, 3}));
  EXPECT_TRUE(loaded({}).restraints.empty());
}

TEST(RestraintsOfAJob, ArePartOfItsDigest) {
  const std::string digest = job_digest(loaded(add_restraints));
  for (const char* column : {"constants", "reference", "anchor"})
    EXPECT_NE(digest, job_digest(loaded([&](hid_t f) {
                add_restraints(f);
                set_value(f, (std::string("/restraints/") + column).c_str(), 4, 1.5);
              })));
  // A job without restraints has the digest that it had before there were any.
  EXPECT_EQ(job_digest(loaded({})), job_digest(loaded([](hid_t f) {
              add_restraints(f);
              remove_object(f, "/restraints");
            })));
}

TEST(RestraintsOfAJob, AreRefusedIfTheyMakeNoSense) {
  struct Case {
    const char* expected;
    const char* table;
    std::size_t index;
    double value;
  };
  const std::vector<Case> cases{
      {"names an atom that does not exist", "/restraints/atoms", 0, 7},
      {"names an atom that does not exist", "/restraints/atoms", 1, -1},
      {"a second one on an atom", "/restraints/atoms", 1, 6},
      {"'force constant' is out of range", "/restraints/constants", 0, -1},
      {"'force constant' is out of range", "/restraints/constants", 5, 2000},
      {"'reference' is out of range", "/restraints/reference", 0, std::nan("")},
      {"'anchor' is out of range", "/restraints/anchor", 0, INFINITY},
  };
  for (const Case& wrong : cases) {
    const std::string text = refusal([&](hid_t f) {
      add_restraints(f);
      set_value(f, wrong.table, wrong.index, wrong.value);
    });
    EXPECT_NE(text.find(wrong.expected), std::string::npos) << wrong.expected << "\n got: " << text;
  }
  EXPECT_THROW(loaded([](hid_t f) {
                 add_restraints(f);
                 remove_object(f, "/restraints/anchor");
               }),
               InputError);
}

void add_ramp(hid_t file, const std::string& integrator, std::int64_t steps) {
  const h5::Handle dynamics = h5::group(H5Gopen2(file, "dynamics", H5P_DEFAULT));
  h5::write_number(dynamics.get(), "final_temperature", 0.001, "job");
  h5::write_number(dynamics.get(), "ramp_steps", steps, "job");
  set_text(file, "/dynamics", "integrator", integrator);
}

TEST(RampOfAJob, IsReadAndPartOfTheDigestAndNeedsABath) {
  const Job job = loaded([](hid_t f) { add_ramp(f, "langevin", 500); });
  EXPECT_EQ(job.dynamics.ramp_steps, 500);
  EXPECT_EQ(job.dynamics.final_temperature, 0.001);
  EXPECT_NE(job_digest(job), job_digest(loaded([](hid_t f) { add_ramp(f, "langevin", 600); })));
  EXPECT_THROW(loaded([](hid_t f) { add_ramp(f, "verlet", 500); }), InputError);
  EXPECT_THROW(loaded([](hid_t f) { add_ramp(f, "langevin", -1); }), InputError);
}

}  // namespace
}  // namespace fg
