// SPDX-License-Identifier: BSD-3-Clause
#include "forces/pair/pair_kernel.hpp"

#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <type_traits>

#include "base/error.hpp"

namespace fg {
namespace {

template <class Real>
constexpr bool is_mixed = std::is_same_v<Real, float>;

/// Of the smooth part, relative to its value at r = 0: for mixed precision as small as that of one
/// pair's arithmetic, given that errors of this kind cancel between the atoms of a molecule.
template <class Real>
constexpr double wanted_error = is_mixed<Real> ? 5e-7 : 1e-13;

template <class Real>
std::span<const int> terms_of() {
  if constexpr (is_mixed<Real>) {
    return ewald_terms_float;
  } else {
    return ewald_terms_double;
  }
}

template <class Real>
EwaldFit fit_for(double z_max) {
  // The largest fit is allowed more, so that unusual coefficients run too, a little less exactly.
  constexpr double allowed_error = is_mixed<Real> ? 4e-6 : 1e-11;
  EwaldFit fit;
  for (const int terms : terms_of<Real>()) {
    fit = fit_ewald(z_max * z_max, terms);
    if (fit.force_error <= wanted_error<Real>) return fit;
  }
  if (fit.force_error > allowed_error) {
    throw InputError({.what = "the Ewald coefficient is too large for the cutoff",
                      .value = "coefficient * cutoff = " + std::to_string(z_max),
                      .limit = is_mixed<Real> ? "5.5" : "5.8",
                      .hint = "lower ewald_coefficient or cutoff; 3.1 reaches 1e-5"});
  }
  return fit;
}

}  // namespace

template <class Real>
PairKernel<Real>::PairKernel(const PairSettings& settings) {
  FG_CHECK(settings.cutoff > 0);
  const double s = std::numbers::sqrt2 / settings.cutoff;
  length_scale_ = s;
  // In mixed precision the kernel's 1/r^3 is 2/3 of what its name says (see the kernel).
  const double cube = is_mixed<Real> ? 2.0 / 3.0 : 1.0;
  const double charge_factor = s * s / cube;
  const double epsilon_factor = 12.0 * s;
  constants_.charge_factor = static_cast<Real>(charge_factor);
  constants_.epsilon_factor = static_cast<Real>(epsilon_factor);
  constants_.coulomb_energy = s / charge_factor;
  constants_.lennard_jones_energy = 1.0 / epsilon_factor;

  if (settings.coulomb == Coulomb::ewald) {
    const double alpha = settings.ewald_coefficient / s;
    const EwaldFit fit = fit_for<Real>(settings.ewald_coefficient * settings.cutoff);
    terms_ = static_cast<int>(fit.force.size());
    for (int k = 0; k < terms_; ++k) {
      constants_.force_fit[k] = static_cast<Real>(cube * alpha * alpha * alpha * fit.force[k]);
      constants_.energy_fit[k] = static_cast<Real>(alpha * fit.energy[k]);
    }
  } else if (settings.coulomb == Coulomb::reaction_field) {
    const double d = settings.reaction_field_dielectric;
    const double rc = settings.cutoff;
    const double k = (d - 1.0) / ((2.0 * d + 1.0) * rc * rc * rc);
    const double c = 3.0 * d / ((2.0 * d + 1.0) * rc);
    constants_.reaction_field_k = static_cast<Real>(k / (s * s * s));
    constants_.reaction_field_c = static_cast<Real>(c / s);
    constants_.force_fit[0] = static_cast<Real>(cube * 2.0 * k / (s * s * s));
  }
  const bool switched = settings.switch_distance > 0 && settings.switch_distance < settings.cutoff;
  if (switched) {
    constants_.switch_start = static_cast<Real>(settings.switch_distance * s);
    constants_.switch_scale =
        static_cast<Real>(1.0 / ((settings.cutoff - settings.switch_distance) * s));
  }
  functions_ = choose_pair_functions<Real>(terms_, switched);
}

template <class Real>
PairEnergies PairKernel<Real>::energies(const PairList& list, Real* data) const noexcept {
  double sums[2];
  functions_.energies(constants_, list, data, sums);
  return {.lennard_jones = sums[1], .coulomb = sums[0]};
}

template class PairKernel<float>;
template class PairKernel<double>;

}  // namespace fg
