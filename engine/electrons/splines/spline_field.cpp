// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/splines/spline_field.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "electrons/waves/wave_virial.hpp"

namespace fg::electrons {

namespace {

std::vector<int> used_kinds(const std::vector<RadialWaves>& kinds) {
  std::vector<int> used;
  for (std::size_t k = 0; k < kinds.size(); ++k)
    if (!kinds[k].values.empty()) used.push_back(static_cast<int>(k));
  return used;
}

}  // namespace

SplineFieldShare::SplineFieldShare(const PlaneWaves& waves, std::vector<RadialWaves> kinds,
                                   std::vector<int> used, std::span<const int> kind_of_ion,
                                   const fft::Grid& grid, int order, const fft::GridBox& box)
    : waves_(&waves),
      kinds_(std::move(kinds)),
      kind_of_ion_(kind_of_ion.begin(), kind_of_ion.end()),
      used_(std::move(used)),
      factors_(euler_factors(waves, grid, order)),
      ions_(grid, order, box) {
  for (const int used_kind : used_) {
    FG_CHECK(used_kind >= 0 && static_cast<std::size_t>(used_kind) < kinds_.size());
    const RadialWaves& kind = kinds_[static_cast<std::size_t>(used_kind)];
    FG_CHECK(kind.values.size() == waves.size() && kind.slopes.size() == waves.size());
  }
  for (const int kind : kind_of_ion_)
    FG_CHECK(kind >= 0 && static_cast<std::size_t>(kind) < kinds_.size());
}

void SplineFieldShare::place(std::span<const Vec3> positions) {
  FG_CHECK(positions.size() == kind_of_ion_.size());
  ions_.place(waves_->lattice(), positions);
}

template <class Use>
void SplineFieldShare::for_each_kind(std::size_t pair, const Use& use) const {
  FG_CHECK(ions_.ions() == kind_of_ion_.size());
  for (std::size_t which = 0; which < 2 && 2 * pair + which < used_.size(); ++which)
    use(which, used_[2 * pair + which]);
}

void SplineFieldShare::scatter(std::size_t pair, std::span<Number> points) const {
  std::fill(points.begin(), points.end(), Number());
  for_each_kind(pair, [&](std::size_t which, int kind) {
    const std::array<double, 2> one{which == 0 ? 1.0 : 0.0, which == 1 ? 1.0 : 0.0};
    for (std::size_t ion = 0; ion < kind_of_ion_.size(); ++ion)
      if (kind_of_ion_[ion] == kind) ions_.scatter(ion, one, points);
  });
}

void SplineFieldShare::add_field(std::size_t pair, Waves transforms,
                                 std::span<Number> field) const {
  const std::size_t size = waves_->size();
  FG_CHECK(transforms.size() == 2 * size && field.size() == size);
  const double scale = 1 / waves_->lattice().volume();
  for_each_kind(pair, [&](std::size_t which, int kind) {
    const std::vector<double>& values = kinds_[static_cast<std::size_t>(kind)].values;
    for (std::size_t i = 0; i < size; ++i)
      field[i] += scale * values[i] * factors_[i] * transforms[which * size + i];
  });
}

void SplineFieldShare::write_partner(std::size_t pair, Waves partner, std::span<Number> out) const {
  const std::size_t size = waves_->size();
  FG_CHECK(partner.size() == size && out.size() == 2 * size);
  std::fill(out.begin(), out.end(), Number());
  for_each_kind(pair, [&](std::size_t which, int kind) {
    const std::vector<double>& values = kinds_[static_cast<std::size_t>(kind)].values;
    for (std::size_t i = 0; i < size; ++i)
      out[which * size + i] = values[i] * factors_[i] * partner[i];
  });
}

void SplineFieldShare::add_forces(std::size_t pair, Waves points, std::span<Vec3> forces) const {
  FG_CHECK(forces.size() == kind_of_ion_.size());
  for_each_kind(pair, [&](std::size_t which, int kind) {
    for (std::size_t ion = 0; ion < kind_of_ion_.size(); ++ion)
      if (kind_of_ion_[ion] == kind) forces[ion] -= ions_.gather(ion, points).gradients[which];
  });
}

void SplineFieldShare::add_virial(std::size_t pair, Waves transforms, Waves partner,
                                  Virial& virial) const {
  const std::size_t size = waves_->size();
  FG_CHECK(transforms.size() == 2 * size && partner.size() == size);
  std::vector<double> each(size);
  for_each_kind(pair, [&](std::size_t which, int kind) {
    const std::vector<double>& slopes = kinds_[static_cast<std::size_t>(kind)].slopes;
    for (std::size_t i = 0; i < size; ++i) {
      const Number s = transforms[which * size + i], p = partner[i];
      each[i] += slopes[i] * factors_[i] * (s.real() * p.real() + s.imag() * p.imag());
    }
  });
  for (std::size_t i = 0; i < size; ++i)
    each[i] = waves_->squares()[i] == 0 ? 0 : 2 * each[i] / std::sqrt(waves_->squares()[i]);
  add_squares_of_waves(*waves_, each, virial);
}

SplineField::SplineField(const std::shared_ptr<const fft::SpherePlan>& plan,
                         const PlaneWaves& waves, const std::vector<RadialWaves>& kinds,
                         std::span<const int> kind_of_ion, int order)
    : share_(waves, kinds, used_kinds(kinds), kind_of_ion, plan->sphere().grid(), order,
             plan->points()[0]),
      sphere_(plan, 0, fft::dense_storage(plan->points()[0]), 2),
      fields_(2 * waves.size()),
      points_(plan->points()[0].volume()) {
  FG_CHECK(plan->ranks() == 1);
  const auto indices = plan->indices_of(0);
  FG_CHECK(
      std::equal(indices.begin(), indices.end(), waves.indices().begin(), waves.indices().end()));
}

void SplineField::write(std::span<const Vec3> positions, std::span<Number> field) {
  share_.place(positions);
  std::fill(field.begin(), field.end(), Number());
  for (std::size_t pair = 0; pair < share_.pairs(); ++pair) {
    share_.scatter(pair, points_);
    sphere_.begin(fft::Direction::forward, points_.data(), fields_.data());
    FG_CHECK(sphere_.done());
    share_.add_field(pair, fields_, field);
  }
}

void SplineField::add_forces(std::span<const Vec3> positions, Waves partner,
                             std::span<Vec3> forces) {
  share_.place(positions);
  for (std::size_t pair = 0; pair < share_.pairs(); ++pair) {
    share_.write_partner(pair, partner, fields_);
    sphere_.begin(fft::Direction::backward, fields_.data(), points_.data());
    FG_CHECK(sphere_.done());
    share_.add_forces(pair, points_, forces);
  }
}

void SplineField::add_virial(std::span<const Vec3> positions, Waves partner, Virial& virial) {
  share_.place(positions);
  for (std::size_t pair = 0; pair < share_.pairs(); ++pair) {
    share_.scatter(pair, points_);
    sphere_.begin(fft::Direction::forward, points_.data(), fields_.data());
    FG_CHECK(sphere_.done());
    share_.add_virial(pair, fields_, partner, virial);
  }
}

}  // namespace fg::electrons
