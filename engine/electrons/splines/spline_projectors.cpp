// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/splines/spline_projectors.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace fg::electrons {

namespace {

using Complex = std::complex<double>;

bool same_waves(const fft::SpherePlan& plan, const PlaneWaves& waves) {
  const auto indices = plan.indices_of(0);
  return std::equal(indices.begin(), indices.end(), waves.indices().begin(), waves.indices().end());
}

}  // namespace

SplineProjectors::SplineProjectors(const std::shared_ptr<const fft::SpherePlan>& plan,
                                   const PlaneWaves& waves, const std::vector<ProjectorKind>& kinds,
                                   std::span<const int> kind_of_ion, int order)
    : coupling_(kinds, kind_of_ion),
      kind_of_ion_(kind_of_ion.begin(), kind_of_ion.end()),
      channels_(spline_channels(kinds, kind_of_ion)),
      waves_(waves, kinds, plan->sphere().grid(), order),
      ions_(plan->sphere().grid(), order, plan->points()[0]),
      sphere_(plan, 0, fft::dense_storage(plan->points()[0]), 2),
      fields_(2 * waves.size()),
      points_(plan->points()[0].volume()) {
  FG_CHECK(plan->ranks() == 1 && same_waves(*plan, waves));
}

void SplineProjectors::place(std::span<const Vec3> positions) {
  FG_CHECK(positions.size() == kind_of_ion_.size());
  ions_.place(waves_.lattice(), positions);
}

template <class Use>
void SplineProjectors::for_each_ion(const SplineChannel& channel, const Use& use) const {
  FG_CHECK(ions_.ions() == kind_of_ion_.size());
  for (std::size_t ion = 0; ion < kind_of_ion_.size(); ++ion)
    if (kind_of_ion_[ion] == channel.kind) use(ion, coupling_.first(ion) + channel.row);
}

void SplineProjectors::to_points(const SplineChannel& channel, Block block, std::size_t first,
                                 std::size_t orbitals) {
  const std::size_t size = waves_.size();
  for (std::size_t k = 0; k < 2; ++k)
    if (first + k < orbitals)
      waves_.write(channel, block.subspan((first + k) * size, size), field(k));
    else
      std::fill_n(field(k).data(), size, Complex());
  sphere_.begin(fft::Direction::backward, fields_.data(), points_.data());
  FG_CHECK(sphere_.done());
}

void SplineProjectors::to_waves(const SplineChannel& channel, std::span<const double> dz,
                                std::size_t first, std::size_t orbitals) {
  std::fill(points_.begin(), points_.end(), Complex());
  for_each_ion(channel, [&](std::size_t ion, std::size_t row) {
    const double* const values = dz.data() + row * orbitals + first;
    ions_.scatter(ion, {values[0], first + 1 < orbitals ? values[1] : 0.0}, points_);
  });
  sphere_.begin(fft::Direction::forward, points_.data(), fields_.data());
  FG_CHECK(sphere_.done());
}

void SplineProjectors::project(Block block, std::size_t orbitals, std::span<double> z) {
  FG_CHECK(block.size() == orbitals * waves_.size() && z.size() == rows() * orbitals);
  for (const SplineChannel& channel : channels_)
    for (std::size_t first = 0; first < orbitals; first += 2) {
      to_points(channel, block, first, orbitals);
      for_each_ion(channel, [&](std::size_t ion, std::size_t row) {
        const SplineSums sums = ions_.gather(ion, points_);
        for (std::size_t k = 0; k < 2 && first + k < orbitals; ++k)
          z[row * orbitals + first + k] = sums.values[k];
      });
    }
}

void SplineProjectors::apply(std::span<const double> dz, std::size_t orbitals,
                             std::span<Complex> applied) {
  FG_CHECK(applied.size() == orbitals * waves_.size() && dz.size() == rows() * orbitals);
  const std::size_t size = waves_.size();
  for (const SplineChannel& channel : channels_)
    for (std::size_t first = 0; first < orbitals; first += 2) {
      to_waves(channel, dz, first, orbitals);
      for (std::size_t k = 0; k < 2 && first + k < orbitals; ++k)
        waves_.add_applied(channel, field(k), applied.subspan((first + k) * size, size));
    }
}

void SplineProjectors::add_forces(std::span<const double> dz, Block block, std::size_t orbitals,
                                  double occupation, std::span<Vec3> forces) {
  FG_CHECK(block.size() == orbitals * waves_.size() && dz.size() == rows() * orbitals);
  FG_CHECK(forces.size() == kind_of_ion_.size());
  for (const SplineChannel& channel : channels_)
    for (std::size_t first = 0; first < orbitals; first += 2) {
      to_points(channel, block, first, orbitals);
      for_each_ion(channel, [&](std::size_t ion, std::size_t row) {
        const SplineSums sums = ions_.gather(ion, points_);
        for (std::size_t k = 0; k < 2 && first + k < orbitals; ++k)
          forces[ion] -= sums.gradients[k] * (2 * occupation * dz[row * orbitals + first + k]);
      });
    }
}

void SplineProjectors::add_virial(std::span<const double> dz, Block block, std::size_t orbitals,
                                  double occupation, Virial& virial) {
  FG_CHECK(block.size() == orbitals * waves_.size() && dz.size() == rows() * orbitals);
  const std::size_t size = waves_.size();
  std::vector<double> weights;
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    const SplineChannel& channel = channels_[c];
    if (channel.row == 0) weights.assign(waves_.rows(channel.kind) * size, 0.0);
    for (std::size_t first = 0; first < orbitals; first += 2) {
      to_waves(channel, dz, first, orbitals);
      for (std::size_t k = 0; k < 2 && first + k < orbitals; ++k)
        waves_.add_weights(channel, block.subspan((first + k) * size, size), field(k),
                           std::span(weights).subspan(channel.row * size, size));
    }
    if (channel.row + 1 == waves_.rows(channel.kind))
      waves_.add_virial(channel.kind, weights, occupation, virial);
  }
}

}  // namespace fg::electrons
