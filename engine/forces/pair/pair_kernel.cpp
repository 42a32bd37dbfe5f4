// SPDX-License-Identifier: BSD-3-Clause
#include "forces/pair/pair_kernel.hpp"

#include <cmath>
#include <span>
#include <string>
#include <type_traits>

#include "base/elementary.hpp"
#include "base/error.hpp"

namespace fg {
namespace {

template <class Real>
constexpr bool is_mixed = std::is_same_v<Real, float>;

/// The fit error for mixed precision: as small as the error from rounded coordinates.
template <class Real>
constexpr double wanted_error = is_mixed<Real> ? 1e-7 : 1e-14;
/// The largest error allowed, so that unusual coefficients also run, with slightly lower accuracy.
template <class Real>
constexpr double allowed_error = is_mixed<Real> ? 1e-6 : 1e-12;

template <class Real>
EwaldFit choose_fit(const PairSettings& settings, double length_scale) {
  const EwaldChoices choices = ewald_choices<Real>(settings.bits);
  const double alpha = settings.ewald_coefficient / length_scale;
  EwaldFit fit;
  for (const int terms : choices.terms) {
    fit = fit_ewald(alpha, terms, choices.pieces);
    if (fit.error <= wanted_error<Real>) return fit;
  }
  if (!(fit.error <= allowed_error<Real>)) {
    throw InputError(
        {.what = "the Ewald coefficient is too large for the cutoff",
         .value = "coefficient * cutoff = " +
                  std::to_string(settings.ewald_coefficient * settings.cutoff),
         .limit = "6",
         .hint =
             "lower ewald_coefficient or cutoff; a product of 3.1 reaches a tolerance of 1e-5"});
  }
  return fit;
}

}  // namespace

template <class Real>
PairKernel<Real>::PairKernel(const PairSettings& settings, const LennardJonesTypes& types) {
  FG_CHECK(settings.cutoff > 0);
  const double s = std::sqrt(ewald_range) / settings.cutoff;
  length_scale_ = s;
  // From an estimate, the kernel's 1/r^3 is 2/3 of its value (see the kernel).
  const double cube = is_mixed<Real> && settings.bits == Bits::fast ? 2.0 / 3.0 : 1.0;
  const double charge_factor = s * s / cube;
  const double epsilon_factor = 12.0 * s;
  constants_.charge_factor = static_cast<Real>(charge_factor);
  constants_.epsilon_factor = static_cast<Real>(epsilon_factor);
  constants_.coulomb_energy = s / charge_factor;
  constants_.lennard_jones_energy = 1.0 / epsilon_factor;

  if (settings.coulomb == Coulomb::ewald) {
    const EwaldFit fit = choose_fit<Real>(settings, s);
    terms_ = fit.terms;
    for (std::size_t k = 0; k < fit.force.size(); ++k) {
      const int piece = static_cast<int>(k) / terms_, term = static_cast<int>(k) % terms_;
      const std::size_t at = fit.pieces * term + piece;
      constants_.force_fit[at] = static_cast<Real>(-cube * fit.force[k]);
      constants_.energy_fit[at] = static_cast<Real>(-fit.energy[k]);
    }
  } else if (settings.coulomb == Coulomb::reaction_field) {
    const double d = settings.reaction_field_dielectric;
    const double rc = settings.cutoff;
    const double k = (d - 1.0) / ((2.0 * d + 1.0) * rc * rc * rc);
    const double c = 3.0 * d / ((2.0 * d + 1.0) * rc);
    constants_.reaction_field_k = static_cast<Real>(k / (s * s * s));
    constants_.reaction_field_c = static_cast<Real>(c / s);
    constants_.force_fit[0] = static_cast<Real>(-cube * 2.0 * k / (s * s * s));
  }
  const bool switched = settings.switch_distance > 0 && settings.switch_distance < settings.cutoff;
  if (switched) set_switching(settings);
  set_types(types);
  functions_ =
      choose_pair_functions<Real>(terms_, {.switched = switched, .typed = typed()}, settings.bits);
}

template <class Real>
void PairKernel<Real>::set_switching(const PairSettings& settings) {
  const double rc = settings.cutoff * length_scale_, r1 = settings.switch_distance * length_scale_;
  SwitchConstants<Real>& to = constants_.switching;
  to.kind = settings.switching;
  to.start = static_cast<Real>(r1);
  to.scale = static_cast<Real>(1.0 / (rc - r1));
  const auto power = [&](int half) -> typename SwitchConstants<Real>::Power {
    const double end = elementary::pow(rc, half), begin = elementary::pow(r1, half);
    return {static_cast<Real>(end / (end - begin)), static_cast<Real>(1 / end),
            static_cast<Real>(1 / (begin * end))};
  };
  to.six = power(3);
  to.twelve = power(6);
}

template <class Real>
void PairKernel<Real>::set_types(const LennardJonesTypes& types) {
  constants_.types = types.count;
  const std::size_t count = types.count, row = pair_row(types.count);
  // Rows of three vectors are read as four.
  pairs_.assign(count * 2 * row + 16, Real(0));
  for (std::size_t k = 0; k < types.sigma.size(); ++k) {
    const double sigma = types.sigma[k] * length_scale_;
    Real* const to = pairs_.data() + k / count * 2 * row + k % count;
    to[0] = static_cast<Real>(sigma * sigma);
    to[row] = constants_.epsilon_factor * static_cast<Real>(4 * types.epsilon[k]);
  }
  constants_.pairs = pairs_.data();
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
