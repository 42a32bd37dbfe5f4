// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/splines/spline_waves.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "electrons/waves/parts_of_sum.hpp"

namespace fg::electrons {

namespace {

std::vector<std::span<const RadialTable>> tables(const std::vector<ProjectorKind>& kinds) {
  std::vector<std::span<const RadialTable>> result;
  result.reserve(kinds.size());
  for (const ProjectorKind& kind : kinds) result.emplace_back(kind.tables);
  return result;
}

/// i^l = s for even l, i s for odd l.
double sign_of(int l) noexcept {
  return (l / 2) % 2 == 0 ? 1 : -1;
}

}  // namespace

std::vector<SplineChannel> spline_channels(const std::vector<ProjectorKind>& kinds,
                                           std::span<const int> kind_of_ion) {
  std::vector<SplineChannel> channels;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const int kind = static_cast<int>(k);
    if (std::find(kind_of_ion.begin(), kind_of_ion.end(), kind) == kind_of_ion.end()) continue;
    std::size_t rows = 0;
    for (const RadialTable& table : kinds[k].tables)
      rows += 2 * static_cast<std::size_t>(table.l()) + 1;
    for (std::size_t row = 0; row < rows; ++row) channels.push_back({kind, row});
  }
  return channels;
}

SplineWaves::SplineWaves(const PlaneWaves& waves, const std::vector<ProjectorKind>& kinds,
                         const fft::Grid& grid, int order)
    : ion_waves_(waves, tables(kinds)), factors_(euler_factors(waves, grid, order)) {}

void SplineWaves::write(const SplineChannel& channel, Waves orbital,
                        std::span<Number> out) const noexcept {
  const std::span<const double> form = ion_waves_.form(channel.kind, channel.row);
  const int l = ion_waves_.l(channel.kind, channel.row);
  const double sign = sign_of(l);
  if (l % 2 == 0)
    for (std::size_t i = 0; i < factors_.size(); ++i) {
      const double f = sign * form[i] * factors_[i];
      out[i] = {f * orbital[i].real(), f * orbital[i].imag()};
    }
  else
    for (std::size_t i = 0; i < factors_.size(); ++i) {
      const double f = sign * form[i] * factors_[i];
      out[i] = {-f * orbital[i].imag(), f * orbital[i].real()};
    }
}

void SplineWaves::add_applied(const SplineChannel& channel, Waves field,
                              std::span<Number> applied) const {
  FG_CHECK(field.size() == size() && applied.size() == size());
  const std::span<const double> form = ion_waves_.form(channel.kind, channel.row);
  const int l = ion_waves_.l(channel.kind, channel.row);
  const double sign = sign_of(l);
  if (l % 2 == 0)
    for (std::size_t i = 0; i < factors_.size(); ++i) {
      const double f = sign * form[i] * factors_[i];
      applied[i] += Number(f * field[i].real(), f * field[i].imag());
    }
  else
    for (std::size_t i = 0; i < factors_.size(); ++i) {
      const double f = sign * form[i] * factors_[i];
      applied[i] += Number(f * field[i].imag(), -f * field[i].real());
    }
}

void SplineWaves::add_weights(const SplineChannel& channel, Waves orbital, Waves field,
                              std::span<double> weights) const {
  FG_CHECK(orbital.size() == size() && field.size() == size() && weights.size() == size());
  const int l = ion_waves_.l(channel.kind, channel.row);
  const std::ptrdiff_t zero = ion_waves_.waves().zero();
  const double sign = 2 * sign_of(l);
  for (std::size_t i = 0; i < size(); ++i) {
    const Number c = orbital[i], q = field[i];
    // Re(c Q*), and Re(i c Q*).
    const double product = l % 2 == 0 ? c.real() * q.real() + c.imag() * q.imag()
                                      : c.real() * q.imag() - c.imag() * q.real();
    const double weight = static_cast<std::ptrdiff_t>(i) == zero ? 0.5 * sign : sign;
    weights[i] += weight * factors_[i] * product;
  }
}

void SplineWaves::add_virial(int kind, std::span<const double> weights, double occupation,
                             Virial& virial) const {
  double energy = 0;  // of this share
  for (std::size_t row = 0; row < ion_waves_.rows(kind); ++row) {
    const std::span<const double> form = ion_waves_.form(kind, row);
    const double* const weight = weights.data() + row * size();
    energy += sum_in_parts(size(), [&](std::size_t i) { return form[i] * weight[i]; });
  }
  const Virial changes = ion_waves_.strained(kind, weights);
  for (std::size_t k = 0; k < virial.size(); ++k)
    virial[k] += occupation * (2 * changes[k] + (k < 3 ? energy : 0));
}

}  // namespace fg::electrons
