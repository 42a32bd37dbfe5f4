// SPDX-License-Identifier: BSD-3-Clause
//
// The yardstick does the same work: MKL's lines and meshes agree with the engine's.
#include "yardsticks/mkl_lines.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <memory>

#include "base/aligned_vector.hpp"
#include "support/fft/yardsticks.hpp"

namespace fg::fft::test {
namespace {

template <class Real>
void compare(int n, Direction direction) {
  fg::test::expect_agreement<Real>(n, direction, [](const LineBatch& batch, Direction way) {
    return std::make_unique<MklLines<Real>>(batch, way);
  });
}

TEST(MklLinesTest, AgreeWithTheEngine) {
  for (const int n : {2, 15, 64, 97, 100})
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      compare<float>(n, direction);
      compare<double>(n, direction);
    }
}

/// A delta at (1, 0, 0) has the waves exp(-2 pi i x / nx).
TEST(MklLinesTest, MeshesGoForward) {
  AlignedVector<std::complex<double>> mesh(std::size_t{4 * 3 * 5});
  mesh[15] = 1;
  MklMesh<double>(4, 3, 5).execute(mesh.data());
  const std::complex<double> powers[] = {{1, 0}, {0, -1}, {-1, 0}, {0, 1}};
  for (std::size_t i = 0; i < mesh.size(); ++i)
    ASSERT_LT(std::abs(mesh[i] - powers[i / 15]), 1e-15) << i;
}

}  // namespace
}  // namespace fg::fft::test
