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

/// Where a point with spin is evaluated. If up + down is negative, e(up, down) = -f(-down, -up),
/// without gradient, as in Quantum ESPRESSO. If one spin is negative after that, the energy is f of
/// the sum alone, whose derivative both spins have.
struct PointOfSpins {
  std::array<double, 2> density{};
  bool turned = false;
  int only = -1;  // the spin that has all of the density; -1: both have some

  PointOfSpins() = default;
  PointOfSpins(double up, double down) noexcept : density{up, down}, turned(up + down < 0) {
    if (turned) density = {-down, -up};
    for (std::size_t s = 0; s < 2; ++s) {
      if (density[1 - s] >= 0) continue;
      only = static_cast<int>(s);
      density[s] += density[1 - s];
      density[1 - s] = 0;
    }
  }
};

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

  void compute_spins(const XcSpinPoints& points,
                     const XcSpinResults& results) const noexcept override {
    for (std::size_t first = 0; first < results.energy.size(); first += run) {
      const std::size_t count = std::min(run, results.energy.size() - first);
      const auto part = [&](const auto& array) {
        return array.empty() ? array : array.subspan(first, count);
      };
      compute_run({.density = {part(points.density[0]), part(points.density[1])},
                   .sigma = {part(points.sigma[0]), part(points.sigma[1]), part(points.sigma[2])}},
                  {.energy = part(results.energy),
                   .by_density = {part(results.by_density[0]), part(results.by_density[1])},
                   .by_sigma = {part(results.by_sigma[0]), part(results.by_sigma[1]),
                                part(results.by_sigma[2])}});
    }
  }

  void compute_run(const XcSpinPoints& points, const XcSpinResults& results) const noexcept {
    const std::size_t count = results.energy.size();
    const bool gradient = !points.sigma[0].empty();
    std::array<std::array<double, run>, 2> density;
    std::array<std::array<double, run>, 3> sigma;
    std::array<PointOfSpins, run> places;
    for (std::size_t i = 0; i < count; ++i) {
      places[i] = PointOfSpins(points.density[0][i], points.density[1][i]);
      for (std::size_t s = 0; s < 2; ++s) density[s][i] = places[i].density[s];
      for (std::size_t s = 0; gradient && s < 3; ++s)
        sigma[s][i] = places[i].turned ? 0 : points.sigma[s][i];
    }
    XcSpinPoints there{
        .density = {std::span(density[0]).first(count), std::span(density[1]).first(count)}};
    for (std::size_t s = 0; gradient && s < 3; ++s)
      there.sigma[s] = std::span(sigma[s]).first(count);
    inner_->evaluate_spins(there, results);
    for (std::size_t i = 0; i < count; ++i) {
      const PointOfSpins& place = places[i];
      if (place.only >= 0)
        results.by_density[static_cast<std::size_t>(1 - place.only)][i] =
            results.by_density[static_cast<std::size_t>(place.only)][i];
      if (!place.turned) continue;
      results.energy[i] = -results.energy[i];
      std::swap(results.by_density[0][i], results.by_density[1][i]);
      if (results.by_sigma[0].empty()) continue;
      for (const auto& by_sigma : results.by_sigma) by_sigma[i] = 0;
    }
  }

  std::unique_ptr<const Functional> inner_;
};

}  // namespace

std::unique_ptr<const Functional> make_mirrored(std::unique_ptr<const Functional> inner) {
  return std::make_unique<MirroredFunctional>(std::move(inner));
}

}  // namespace fg::electrons
