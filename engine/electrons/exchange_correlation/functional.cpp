// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/exchange_correlation/functional.hpp"

#include <utility>

#include "base/error.hpp"
#include "electrons/exchange_correlation/kernels.hpp"
#include "electrons/exchange_correlation/libxc_functional.hpp"

namespace fg::electrons {

namespace {

constexpr std::pair<std::string_view, FunctionalParts> known[] = {
    {"PZ81", {Exchange::slater, Correlation::pz81}},
    {"PW92", {Exchange::slater, Correlation::pw92}},
    {"PBE", {Exchange::pbe, Correlation::pbe}},
    {"revPBE", {Exchange::rev_pbe, Correlation::pbe}},
    {"BLYP", {Exchange::becke88, Correlation::lyp}},
};

GradientCut cut_of(const GradientThresholds& limits) noexcept {
  return {.density = limits.density,
          .sigma = limits.sigma,
          .spin_density = limits.spin_density,
          .spin_sigma = limits.spin_sigma,
          .sum_density = limits.density,
          .sum_sigma = limits.sum_sigma,
          .least_share = limits.least_share};
}

/// One with kernels of its own.
class OwnFunctional final : public Functional {
 public:
  OwnFunctional(std::string_view name, FunctionalParts parts, const FunctionalSettings& settings)
      : name_(name), parts_(parts) {
    if (settings.thresholds) cut_ = cut_of(*settings.thresholds);
  }

  const std::string& name() const noexcept override { return name_; }
  bool uses_gradient() const noexcept override { return parts_.uses_gradient(); }

 private:
  void compute(const XcPoints& p, const XcResults& r) const noexcept override {
    evaluate_points(parts_, cut_,
                    PointArrays{p.density.size(), p.density.data(), p.sigma.data(), r.energy.data(),
                                r.by_density.data(), r.by_sigma.data()});
  }
  void compute_spins(const XcSpinPoints& p, const XcSpinResults& r) const noexcept override {
    evaluate_points(
        parts_, cut_,
        SpinPointArrays{
            .count = p.density[0].size(),
            .density = {p.density[0].data(), p.density[1].data()},
            .sigma = {p.sigma[0].data(), p.sigma[1].data(), p.sigma[2].data()},
            .energy = r.energy.data(),
            .by_density = {r.by_density[0].data(), r.by_density[1].data()},
            .by_sigma = {r.by_sigma[0].data(), r.by_sigma[1].data(), r.by_sigma[2].data()}});
  }

  std::string name_;
  FunctionalParts parts_;
  GradientCut cut_{};
};

}  // namespace

void Functional::evaluate(const XcPoints& points, const XcResults& results) const {
  const std::size_t count = points.density.size();
  FG_CHECK(results.energy.size() == count && results.by_density.size() == count);
  if (uses_gradient()) FG_CHECK(points.sigma.size() == count && results.by_sigma.size() == count);
  compute(points, results);
}

void Functional::evaluate_spins(const XcSpinPoints& points, const XcSpinResults& results) const {
  const std::size_t count = points.density[0].size();
  FG_CHECK(points.density[1].size() == count && results.energy.size() == count);
  for (const auto& array : results.by_density) FG_CHECK(array.size() == count);
  if (uses_gradient()) {
    for (const auto& array : points.sigma) FG_CHECK(array.size() == count);
    for (const auto& array : results.by_sigma) FG_CHECK(array.size() == count);
  }
  compute_spins(points, results);
}

std::unique_ptr<const Functional> make_functional(std::string_view name,
                                                  const FunctionalSettings& settings) {
  for (const auto& [own, parts] : known)
    if (own == name) return std::make_unique<OwnFunctional>(name, parts, settings);
  return make_libxc_functional(name, settings);
}

std::vector<std::string> own_functionals() {
  std::vector<std::string> names;
  for (const auto& entry : known) names.emplace_back(entry.first);
  return names;
}

std::vector<std::string> functional_terms() {
  return libxc_terms();
}

}  // namespace fg::electrons
