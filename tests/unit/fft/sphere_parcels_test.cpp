// SPDX-License-Identifier: BSD-3-Clause
//
// The parcels that a plan says, beside those of the ranks of a transform, in spheres and boxes
// drawn at random.
#include "fft/sphere/sphere_parcels.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "fft/sphere/rank_sphere.hpp"
#include "support/fft/sphere_samples.hpp"

namespace fg::test {
namespace {

using Sent = std::map<std::pair<int, int>, std::vector<std::size_t>>;

/// What ranks send in all exchanges of a direction; no data are needed for it.
template <class Make>
Sent sent_by_ranks(const fft::SpherePlan& plan, fft::Direction direction, const Make& make) {
  Sent sent;
  for (int rank = 0; rank < plan.ranks(); ++rank) {
    fft::RankSphere<double> part = make(rank);
    // Enough room for waves, points and rows.
    std::vector<std::complex<double>> waves(3 * plan.waves_of(rank) + 1), points(1 << 16);
    const bool forward = direction == fft::Direction::forward;
    part.begin(direction, forward ? points.data() : waves.data(),
               forward ? waves.data() : points.data());
    for (; !part.done(); part.proceed())
      for (const fft::Parcel& parcel : part.sends())
        sent[forward ? std::pair(parcel.rank, rank) : std::pair(rank, parcel.rank)].push_back(
            parcel.bytes);
  }
  for (auto& [way, bytes] : sent) std::ranges::sort(bytes);
  return sent;
}

Sent sent_by_plan(const fft::SpherePlan& plan, int fields, fft::SphereEnd end) {
  Sent sent;
  for (const auto& [from, to, bytes] :
       fft::parcels_of(plan, fields, end, sizeof(std::complex<double>)))
    sent[{from, to}].push_back(bytes);
  for (auto& [way, bytes] : sent) std::ranges::sort(bytes);
  return sent;
}

constexpr int batch = 3;

TEST(SphereParcels, AreThoseOfTheRanksInBothDirections) {
  int exchanges = 0, in_rows = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Draw draw(seed);
    const SphereSample sample = draw_sphere(draw);
    if (fft::whole(sample.grid).volume() > 8000) continue;
    const int ranks = draw.upto(6);
    const bool slabs = draw.upto(2) == 1;
    const auto plan = std::make_shared<const fft::SpherePlan>(
        sample.sphere(), slabs
                             ? fft::slabs(sample.grid, 2, ranks)
                             : fft::pencils(sample.grid, 0, fft::pencil_parts(sample.grid, ranks)));
    const int fields = fft::fields_of(sample.kind, batch);
    const Sent of_plan = sent_by_plan(*plan, fields, fft::SphereEnd::points);
    for (const auto direction : {fft::Direction::backward, fft::Direction::forward})
      EXPECT_EQ(
          sent_by_ranks(*plan, direction,
                        [&](int rank) {
                          return fft::RankSphere<double>(
                              plan, rank,
                              fft::dense_storage(plan->points()[static_cast<std::size_t>(rank)]),
                              batch);
                        }),
          of_plan)
          << "seed " << seed;
    for (const auto& [way, bytes] : of_plan)
      exchanges = std::max(exchanges, static_cast<int>(bytes.size()));
    if (!slabs) continue;
    const Sent rows = sent_by_plan(*plan, fields, fft::SphereEnd::rows);
    in_rows += static_cast<int>(rows.size());
    for (const auto direction : {fft::Direction::backward, fft::Direction::forward})
      EXPECT_EQ(sent_by_ranks(
                    *plan, direction,
                    [&](int rank) { return fft::RankSphere<double>::to_rows(plan, rank, batch); }),
                rows)
          << "seed " << seed;
  }
  EXPECT_EQ(exchanges, 2);  // some boxes need one of planes too
  EXPECT_GT(in_rows, 100);
}

}  // namespace
}  // namespace fg::test
