// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/exchange_correlation/mirrored_functional.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "base/error.hpp"

namespace fg::electrons {

namespace {

constexpr std::size_t run = 512;  // points at a time, so that nothing is allocated

class MirroredFunctional final : public Functional {
 public:
  explicit MirroredFunctional(std::unique_ptr<const Functional> inner) : inner_(std::move(inner)) {}

  const std::string& name() const noexcept override { return inner_->name(); }
  bool uses_gradient() const noexcept override { return inner_->uses_gradient(); }

 private:
  // With s the sign of rho: e(rho) = s f(|rho|), so de/drho = f', and de/dsigma = s df/dsigma.
  void compute(const XcPoints& points, const XcResults& results) const noexcept override {
    std::array<double, run> absolute;
    for (std::size_t first = 0; first < points.density.size(); first += run) {
      const std::size_t count = std::min(run, points.density.size() - first);
      const auto density = points.density.subspan(first, count);
      const auto part = [&](const auto& array) {
        return array.empty() ? array : array.subspan(first, count);
      };
      const XcResults into{.energy = part(results.energy),
                           .by_density = part(results.by_density),
                           .by_sigma = part(results.by_sigma)};
      for (std::size_t i = 0; i < count; ++i) absolute[i] = std::abs(density[i]);
      inner_->evaluate({.density = std::span(absolute).first(count), .sigma = part(points.sigma)},
                       into);
      for (std::size_t i = 0; i < count; ++i) {
        if (density[i] >= 0) continue;
        into.energy[i] = -into.energy[i];
        if (!into.by_sigma.empty()) into.by_sigma[i] = -into.by_sigma[i];
      }
    }
  }

  void compute_spins(const XcSpinPoints& /*points*/,
                     const XcSpinResults& /*results*/) const noexcept override {
    FG_CHECK(false);
  }

  std::unique_ptr<const Functional> inner_;
};

}  // namespace

std::unique_ptr<const Functional> make_mirrored(std::unique_ptr<const Functional> inner) {
  return std::make_unique<MirroredFunctional>(std::move(inner));
}

}  // namespace fg::electrons
