// SPDX-License-Identifier: BSD-3-Clause
//
// Orbitals in a file: any rows and waves of them, in any order; what is not there is 0; files that
// do not fit are refused.
#include "ab_initio/orbitals/stored_orbitals.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "support/expect_refused.hpp"
#include "unit/records/job_file.hpp"

namespace fg::test {
namespace {

using ab_initio::StoredOrbitals;
using Index = std::array<int, 3>;

const std::vector<Index> all_waves = {{0, 0, 0}, {2, -1, 0}, {0, 1, 0}, {0, 0, 3}};

/// A number that says where it is.
double number(int row, std::size_t wave, int part) {
  return 100.0 * row + 10.0 * static_cast<double>(wave) + part + 0.5;
}

/// Three orbitals, and a table of numbers in single precision.
std::string written(const TestFolder& folder) {
  const std::string path = folder / "orbitals.h5";
  const h5::Lock lock;
  const h5::Handle file =
      h5::file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  const h5::Handle group =
      h5::group(H5Gcreate2(file.get(), "start", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const h5::Handle search =
      h5::group(H5Gcreate2(group.get(), "search", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  std::vector<std::int32_t> waves;
  for (const Index& wave : all_waves) waves.insert(waves.end(), wave.begin(), wave.end());
  h5::write_array(group.get(), "waves", waves.data(), {all_waves.size(), 3}, path);
  std::vector<double> rows;
  for (int row = 0; row < 3; ++row)
    for (std::size_t wave = 0; wave < all_waves.size(); ++wave)
      rows.insert(rows.end(), {number(row, wave, 0), number(row, wave, 1)});
  h5::write_array(group.get(), "orbitals", rows.data(), {3, all_waves.size(), 2}, path);
  const std::vector<float> steps(rows.begin(), rows.end());
  h5::write_array(search.get(), "step_1", steps.data(), {3, all_waves.size(), 2}, path);
  return path;
}

/// Which waves of the file these are; -1: none.
template <class Real>
void expect_rows(const StoredOrbitals& orbitals, const std::string& table, fft::Range rows,
                 const std::vector<Index>& waves, const std::vector<int>& places) {
  std::vector<Real> read(2 * static_cast<std::size_t>(rows.size()) * waves.size(), Real(-7));
  orbitals.read<Real>(table, rows, waves, read);
  std::size_t at = 0;
  for (int row = rows.begin; row < rows.end; ++row)
    for (const int place : places)
      for (int part = 0; part < 2; ++part) {
        const double expected = place < 0 ? 0 : number(row, static_cast<std::size_t>(place), part);
        EXPECT_EQ(read[at++], static_cast<Real>(expected)) << table << row << ", " << place;
      }
}

TEST(StoredOrbitals, AreReadByRowsAndWaves) {
  const TestFolder folder;
  const StoredOrbitals orbitals(written(folder), "/start", 3);
  expect_rows<double>(orbitals, ab_initio::kept::orbitals, {0, 3}, all_waves, {0, 1, 2, 3});
  expect_rows<double>(orbitals, ab_initio::kept::orbitals, {1, 3}, {{2, -1, 0}, {0, 1, 0}}, {1, 2});
  // Another order, and waves that the file does not have, at the beginning too.
  expect_rows<double>(orbitals, ab_initio::kept::orbitals, {2, 3},
                      {{0, 0, 3}, {5, 0, 0}, {0, 0, 0}}, {3, -1, 0});
  expect_rows<double>(orbitals, ab_initio::kept::orbitals, {0, 2}, {{1, 1, 1}, {0, 0, 3}}, {-1, 3});
  expect_rows<double>(orbitals, ab_initio::kept::orbitals, {0, 2}, {}, {});
  expect_rows<float>(orbitals, ab_initio::kept::step(1), {0, 3}, {{0, 1, 0}, {2, -1, 0}}, {2, 1});
}

TEST(StoredOrbitals, ThatDoNotFitAreRefused) {
  const TestFolder folder;
  const std::string path = written(folder);
  expect_refused<InputError>([&] { StoredOrbitals(path, "/start", 4); }, "3 x 4 x 2");
  expect_refused<InputError>([&] { StoredOrbitals(path, "/start", 4); }, "4 x 4 x 2");
  expect_refused<InputError>([&] { StoredOrbitals(path, "", 3); }, "waves");
  expect_refused<InputError>([&] { StoredOrbitals(folder / "nothing.h5", "/start", 3); },
                             "nothing.h5");
  const StoredOrbitals orbitals(path, "/start", 3);
  std::vector<float> numbers(2);
  expect_refused<InputError>(
      [&] {
        orbitals.read<float>(ab_initio::kept::change(0), {0, 1}, std::vector<Index>{{0, 0, 0}},
                             numbers);
      },
      "search/change_0");
}

}  // namespace
}  // namespace fg::test
