// SPDX-License-Identifier: BSD-3-Clause
//
// How far the results of two programs for the same points are apart. An error is a fraction of the
// larger of the value and the value without a gradient, since local and gradient terms may cancel,
// and each has its rounding. For derivatives by the density that is also the energy per electron,
// and for those by sigma, which are small differences where gradients are large, the energy over
// sigma.
#pragma once

#include <algorithm>
#include <cmath>
#include <sstream>

#include "support/electrons/xc_samples.hpp"

namespace fg::test {

/// The largest error, in units of what is allowed, and where it is.
class XcErrors {
 public:
  void add(double error, double scale, double allowed, double density, const char* what) {
    // Below the smallest normal number nothing has relative precision.
    const double ratio = error / (allowed * std::max(scale, 1e-290));
    if (ratio <= worst_) return;  // not so if it is a NaN
    std::ostringstream text;
    text << what << " at density " << density << ": " << ratio << " times the allowed " << allowed;
    worst_ = ratio, where_ = text.str();
  }
  double worst() const { return worst_; }
  const std::string& where() const { return where_; }

 private:
  double worst_ = 0;
  std::string where_;
};

namespace detail {

inline double density_scale(double value, double flat, double energy, double flat_energy,
                            double density) {
  return std::max({std::abs(value), std::abs(flat),
                   std::max(std::abs(energy), std::abs(flat_energy)) / density});
}
inline double sigma_scale(double value, double flat, double energy, double sigma) {
  if (sigma == 0) return std::max(std::abs(value), std::abs(flat));
  return std::max(std::abs(value), std::min(std::abs(flat), std::abs(energy) / sigma));
}

}  // namespace detail

/// `flat` are the results of `right` where all sigma are 0; `allowed(density)` is a fraction.
template <class Allowed>
XcErrors xc_errors(const XcArrays& tried, const XcArrays& right, const XcArrays& flat,
                   bool gradient, const Allowed& allowed) {
  XcErrors errors;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    const double rho = right.density[i], limit = allowed(rho);
    const double scale = std::max(std::abs(right.energy[i]), std::abs(flat.energy[i]));
    errors.add(std::abs(tried.energy[i] - right.energy[i]), scale, limit, rho, "energy");
    errors.add(std::abs(tried.by_density[i] - right.by_density[i]),
               detail::density_scale(right.by_density[i], flat.by_density[i], right.energy[i],
                                     flat.energy[i], rho),
               limit, rho, "derivative by the density");
    if (gradient)
      errors.add(std::abs(tried.by_sigma[i] - right.by_sigma[i]),
                 detail::sigma_scale(right.by_sigma[i], flat.by_sigma[i], scale, right.sigma[i]),
                 limit, rho, "derivative by sigma");
  }
  return errors;
}

/// With spin. Derivatives by what belongs to an empty spin are left out: some are infinite.
template <class Allowed>
XcErrors xc_errors(const XcSpinArrays& tried, const XcSpinArrays& right, const XcSpinArrays& flat,
                   bool gradient, const Allowed& allowed) {
  XcErrors errors;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    const bool there[2] = {right.density[0][i] > 0, right.density[1][i] > 0};
    const double rho = right.density[0][i] + right.density[1][i], limit = allowed(rho);
    const double sigma = right.sigma[0][i] + right.sigma[2][i];
    const double scale = std::max(std::abs(right.energy[i]), std::abs(flat.energy[i]));
    errors.add(std::abs(tried.energy[i] - right.energy[i]), scale, limit, rho, "energy");
    for (int k = 0; k < 2; ++k)
      if (there[k])
        errors.add(std::abs(tried.by_density[k][i] - right.by_density[k][i]),
                   detail::density_scale(right.by_density[k][i], flat.by_density[k][i], scale,
                                         flat.energy[i], rho),
                   limit, rho, k == 0 ? "derivative by up" : "derivative by down");
    for (int k = 0; gradient && k < 3; ++k)
      if (there[k / 2] && there[(k + 1) / 2])
        errors.add(std::abs(tried.by_sigma[k][i] - right.by_sigma[k][i]),
                   detail::sigma_scale(right.by_sigma[k][i], flat.by_sigma[k][i], scale, sigma),
                   limit, rho, "derivative by a product of gradients");
  }
  return errors;
}

/// The same points without gradients.
inline XcArrays without_gradient(XcArrays points) {
  std::fill(points.sigma.begin(), points.sigma.end(), 0.0);
  return points;
}
inline XcSpinArrays without_gradient(XcSpinArrays points) {
  for (Values& sigma : points.sigma) std::fill(sigma.begin(), sigma.end(), 0.0);
  return points;
}

}  // namespace fg::test
