// SPDX-License-Identifier: BSD-3-Clause
//
// All ranks of a distributed transform in one process: their parcels are copied from one to
// another.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <memory>
#include <vector>

#include "fft/rank_transform.hpp"

namespace fg::test {

/// The arrays of points and of waves of one rank.
template <class Real>
class RankArrays {
 public:
  RankArrays(const std::shared_ptr<const fft::TransformPlan>& plan, int rank,
             const fft::Storage& points, const fft::Storage& waves, int batch,
             fft::Wire wire = fft::Wire::exact)
      : part(plan, rank, points, waves, batch, wire),
        points_storage(points),
        waves_storage(waves),
        point_bytes(fft::extent_of(points, batch) *
                    fft::element_size<Real>(plan->boxes().kind == fft::Kind::real)),
        wave_bytes(fft::extent_of(waves, batch) * sizeof(std::complex<Real>)) {}

  fft::RankTransform<Real> part;
  fft::Storage points_storage, waves_storage;
  std::vector<std::byte> point_bytes, wave_bytes;
};

/// Runs all ranks to the end. They have the same number of exchanges. An element of the vector has
/// a `part`, `point_bytes` and `wave_bytes`.
template <class Arrays>
void transform(std::vector<Arrays>& ranks, fft::Direction direction) {
  const bool forward = direction == fft::Direction::forward;
  for (auto& r : ranks) {
    std::byte *const points = r.point_bytes.data(), *const waves = r.wave_bytes.data();
    r.part.begin(direction, forward ? points : waves, forward ? waves : points);
  }
  while (!ranks[0].part.done()) {
    std::size_t sent = 0, received = 0;
    for (auto& r : ranks) {
      for (const fft::Parcel& to : r.part.receives()) {
        const auto from = ranks[static_cast<std::size_t>(to.rank)].part.sends();
        const auto parcel = std::find_if(from.begin(), from.end(), [&](const fft::Parcel& p) {
          return p.rank == r.part.rank();
        });
        ASSERT_NE(parcel, from.end());
        ASSERT_EQ(parcel->bytes, to.bytes);
        std::copy_n(parcel->data, to.bytes, to.data);
        ++received;
      }
      sent += r.part.sends().size();
    }
    ASSERT_EQ(sent, received);
    for (auto& r : ranks)
      for (std::size_t k = r.part.receives().size(); k-- > 0;) r.part.unpack(k);
    for (auto& r : ranks) r.part.proceed();
  }
  for (auto& r : ranks) ASSERT_TRUE(r.part.done());
}

}  // namespace fg::test
