// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/ions/ion_field.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "electrons/waves/wave_virial.hpp"

namespace fg::electrons {

using Complex = std::complex<double>;

IonField::IonField(const PlaneWaves& waves, std::vector<RadialWaves> kinds,
                   std::span<const int> kind_of_ion)
    : waves_(&waves),
      phases_(waves),
      kinds_(std::move(kinds)),
      kind_of_ion_(kind_of_ion.begin(), kind_of_ion.end()) {
  for (const RadialWaves& kind : kinds_) {
    FG_CHECK(kind.values.empty() || kind.values.size() == waves.size());
    FG_CHECK(kind.slopes.size() == kind.values.size());
  }
  for (const int kind : kind_of_ion_)
    FG_CHECK(kind >= 0 && static_cast<std::size_t>(kind) < kinds_.size());
}

void IonField::write(std::span<const Vec3> positions, std::span<Complex> field) const {
  FG_CHECK(positions.size() == kind_of_ion_.size() && field.size() == waves_->size());
  std::fill(field.begin(), field.end(), Complex());
  const double scale = 1 / waves_->lattice().volume();
  std::vector<Complex> sum(field.size());
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    if (!has(static_cast<int>(k))) continue;
    std::fill(sum.begin(), sum.end(), Complex());
    for (std::size_t ion = 0; ion < positions.size(); ++ion)
      if (kind_of_ion_[ion] == static_cast<int>(k)) phases_.add(positions[ion], sum);
    const std::vector<double>& values = kinds_[k].values;
    for (std::size_t i = 0; i < field.size(); ++i) field[i] += scale * values[i] * sum[i];
  }
}

void IonField::add_forces(std::span<const Vec3> positions, Waves partner,
                          std::span<Vec3> forces) const {
  const std::size_t size = waves_->size();
  FG_CHECK(positions.size() == kind_of_ion_.size() && forces.size() == positions.size());
  FG_CHECK(partner.size() == size);
  // q = -w f_I p*, for which the force is the sum of G Im(exp(-i G . R) q).
  std::vector<double> real(size), imaginary(size);
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    if (!has(static_cast<int>(k))) continue;
    // G = 0 has no part in the sum.
    for (std::size_t i = 0; i < size; ++i) {
      real[i] = -2 * kinds_[k].values[i] * partner[i].real();
      imaginary[i] = 2 * kinds_[k].values[i] * partner[i].imag();
    }
    for (std::size_t ion = 0; ion < positions.size(); ++ion)
      if (kind_of_ion_[ion] == static_cast<int>(k))
        forces[ion] += phases_.slope(positions[ion], real, imaginary);
  }
}

void IonField::add_virial(std::span<const Vec3> positions, Waves partner, Virial& virial) const {
  const std::size_t size = waves_->size();
  FG_CHECK(positions.size() == kind_of_ion_.size() && partner.size() == size);
  // The sum over ions of Re(exp(-i G . R) p*) times the slope; then over |G|.
  std::vector<Complex> sum(size);
  std::vector<double> each(size);
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    if (!has(static_cast<int>(k))) continue;
    std::fill(sum.begin(), sum.end(), Complex());
    for (std::size_t ion = 0; ion < positions.size(); ++ion)
      if (kind_of_ion_[ion] == static_cast<int>(k)) phases_.add(positions[ion], sum);
    const std::vector<double>& slopes = kinds_[k].slopes;
    for (std::size_t i = 0; i < size; ++i)
      each[i] +=
          slopes[i] * (sum[i].real() * partner[i].real() + sum[i].imag() * partner[i].imag());
  }
  for (std::size_t i = 0; i < size; ++i)
    each[i] = waves_->squares()[i] == 0 ? 0 : 2 * each[i] / std::sqrt(waves_->squares()[i]);
  add_squares_of_waves(*waves_, each, virial);
}

}  // namespace fg::electrons
