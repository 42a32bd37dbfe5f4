// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/exchange_correlation/libxc_functional.hpp"

#include <xc.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#include "base/error.hpp"

namespace fg::electrons {

namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();
constexpr GradientThresholds no_limits = {.density = nothing,
                                          .sigma = nothing,
                                          .spin_density = nothing,
                                          .spin_sigma = nothing,
                                          .sum_sigma = nothing,
                                          .least_share = 0};

[[noreturn]] void refuse(std::string_view name, std::string what, std::string limit) {
  std::string known;
  for (const std::string& own : own_functionals()) known += (known.empty() ? "" : ", ") + own;
  throw InputError({.what = std::move(what),
                    .where = "functional",
                    .value = std::string(name),
                    .limit = std::move(limit),
                    .hint = "use one of " + known +
                            ", or libxc's names of an LDA or GGA with a + between the terms, such "
                            "as GGA_X_PBE_SOL+GGA_C_PBE_SOL; `xc-info` lists them"});
}

/// One term of libxc for one kind of density; libxc reads it only, once it is set up.
class LibxcTerm {
 public:
  LibxcTerm(int number, int spins) { FG_CHECK(xc_func_init(&function_, number, spins) == 0); }
  LibxcTerm(const LibxcTerm&) = delete;
  LibxcTerm& operator=(const LibxcTerm&) = delete;
  ~LibxcTerm() { xc_func_end(&function_); }

  const xc_func_info_type& info() const noexcept { return *function_.info; }
  bool uses_gradient() const noexcept { return info().family == XC_FAMILY_GGA; }

  /// The energy per electron, with the derivatives of the energy per volume; spins interleaved.
  void evaluate(std::size_t count, const double* density, const double* sigma, double* energy,
                double* by_density, double* by_sigma) const noexcept {
    if (uses_gradient())
      xc_gga_exc_vxc(&function_, count, density, sigma, energy, by_density, by_sigma);
    else
      xc_lda_exc_vxc(&function_, count, density, energy, by_density);
  }

 private:
  xc_func_type function_;
};

/// A term both without and with spin.
struct BothKinds {
  explicit BothKinds(int number) : plain(number, XC_UNPOLARIZED), spin(number, XC_POLARIZED) {}
  LibxcTerm plain, spin;
};

bool needs_density_only(const xc_func_info_type& info) noexcept {
  return info.family == XC_FAMILY_LDA || info.family == XC_FAMILY_GGA;
}

bool has_energy_of_space(const xc_func_info_type& info) noexcept {
  constexpr int needed = XC_FLAGS_HAVE_EXC | XC_FLAGS_HAVE_VXC | XC_FLAGS_3D;
  return info.kind != XC_KINETIC && (info.flags & needed) == needed &&
         (info.flags & XC_FLAGS_VV10) == 0;
}

std::unique_ptr<BothKinds> find_term(std::string_view whole, const std::string& name) {
  const int number = xc_functional_get_number(name.c_str());
  if (number < 0)
    refuse(whole, "no functional has the name '" + name + "'", "a name of this engine or of libxc");
  auto term = std::make_unique<BothKinds>(number);
  const xc_func_info_type& info = term->plain.info();
  if (!needs_density_only(info))
    refuse(whole, "'" + name + "' needs more than the density and its gradient", "an LDA or a GGA");
  if (!has_energy_of_space(info))
    refuse(whole, "'" + name + "' is no exchange-correlation energy of three dimensions",
           "an LDA or a GGA of exchange or correlation");
  return term;
}

/// A NaN stays one.
double not_negative(double x) noexcept {
  return x < 0 ? 0 : x;
}

/// Some points with spin, in arrays as libxc reads them.
class SpinBlock {
 public:
  static constexpr std::size_t most = 128;  // points whose arrays fit on the stack

  SpinBlock(const XcSpinPoints& points, std::size_t start, bool gradient) noexcept
      : count_(std::min(most, points.density[0].size() - start)) {
    for (std::size_t i = 0; i < count_; ++i) {
      for (int k = 0; k < 2; ++k) density_[2 * i + k] = not_negative(points.density[k][start + i]);
      if (gradient)
        for (int k = 0; k < 3; ++k) sigma_[3 * i + k] = points.sigma[k][start + i];
    }
  }

  std::size_t count() const noexcept { return count_; }

  /// Adds a term. Its gradient counts within limits for each spin in exchange, else for both.
  void add(const LibxcTerm& term, const GradientThresholds& limits, const XcSpinResults& r,
           std::size_t start) noexcept {
    const bool gradient = term.uses_gradient(), exchange = term.info().kind == XC_EXCHANGE;
    const double least = gradient && !exchange ? limits.least_share : 0;
    double density[2 * most], sigma[3 * most];
    double energy[most], by_density[2 * most], by_sigma[3 * most];
    for (std::size_t i = 0; i < count_; ++i) {
      const double rho = density_[2 * i] + density_[2 * i + 1];
      for (int k = 0; k < 2; ++k) density[2 * i + k] = within(density_[2 * i + k], least, rho);
      for (int k = 0; gradient && k < 3; ++k) {
        const double product = sigma_[3 * i + k];
        sigma[3 * i + k] = flat(i, k, exchange, limits) ? 0
                           : k == 1                     ? product
                                                        : not_negative(product);
      }
    }
    term.evaluate(count_, density, sigma, energy, by_density, by_sigma);
    for (std::size_t i = 0; i < count_; ++i) {
      const double* const by = by_density + 2 * i;
      r.energy[start + i] += (density_[2 * i] + density_[2 * i + 1]) * energy[i];
      for (int k = 0; k < 2; ++k) r.by_density[k][start + i] += chained(by, k, i, least);
      for (int k = 0; gradient && k < 3; ++k)
        if (!flat(i, k, exchange, limits)) r.by_sigma[k][start + i] += by_sigma[3 * i + k];
    }
  }

 private:
  /// The density of a spin that has at least a share of the whole, and the other spin the rest.
  static double within(double spin, double least, double rho) noexcept {
    return spin < least * rho ? least * rho : rho - spin < least * rho ? rho - least * rho : spin;
  }

  /// The derivative by the density of a spin: where one spin has the least share of rho, both have
  /// the same.
  double chained(const double* by, int k, std::size_t i, double least) const noexcept {
    const double a = density_[2 * i], b = density_[2 * i + 1], few = least * (a + b);
    if (a < few) return least * by[0] + (1 - least) * by[1];
    if (b < few) return (1 - least) * by[0] + least * by[1];
    return by[k];
  }

  /// Whether product k of the gradients does not count: up with up, up with down, down with down.
  bool flat(std::size_t i, int k, bool exchange, const GradientThresholds& limits) const noexcept {
    const double *n = density_ + 2 * i, *s = sigma_ + 3 * i;
    const auto low = [&](int spin) {
      return n[spin] <= limits.spin_density || s[2 * spin] <= limits.spin_sigma;
    };
    if (exchange) return k == 1 ? low(0) || low(1) : low(k / 2);
    return n[0] + n[1] <= limits.density || s[0] + 2 * s[1] + s[2] <= limits.sum_sigma;
  }

  std::size_t count_;
  double density_[2 * most], sigma_[3 * most];
};

class LibxcFunctional final : public Functional {
 public:
  LibxcFunctional(std::string_view name, const FunctionalSettings& settings) : name_(name) {
    for (std::size_t start = 0; start <= name.size();) {
      const std::size_t end = std::min(name.find('+', start), name.size());
      terms_.push_back(find_term(name, std::string(name.substr(start, end - start))));
      start = end + 1;
    }
    for (const auto& term : terms_) gradient_ = gradient_ || term->plain.uses_gradient();
    if (settings.thresholds) limits_ = *settings.thresholds;
  }

  const std::string& name() const noexcept override { return name_; }
  bool uses_gradient() const noexcept override { return gradient_; }

 private:
  static constexpr std::size_t block = 128;  // points whose arrays fit on the stack

  bool is_flat(double density, double sigma) const noexcept {
    return density <= limits_.density || sigma <= limits_.sigma;
  }

  void compute(const XcPoints& p, const XcResults& r) const noexcept override {
    double density[block], sigma[block], energy[block], by_density[block], by_sigma[block];
    for (std::size_t start = 0; start < p.density.size(); start += block) {
      const std::size_t count = std::min(block, p.density.size() - start);
      const auto flat = [&](std::size_t i) {
        return is_flat(p.density[start + i], p.sigma[start + i]);
      };
      for (std::size_t i = 0; i < count; ++i) {
        density[i] = not_negative(p.density[start + i]);
        if (gradient_) sigma[i] = flat(i) ? 0 : not_negative(p.sigma[start + i]);
        r.energy[start + i] = r.by_density[start + i] = 0;
        if (gradient_) r.by_sigma[start + i] = 0;
      }
      for (const auto& term : terms_) {
        const bool gradient = term->plain.uses_gradient();
        term->plain.evaluate(count, density, sigma, energy, by_density, by_sigma);
        for (std::size_t i = 0; i < count; ++i) {
          r.energy[start + i] += density[i] * energy[i];
          r.by_density[start + i] += by_density[i];
          if (gradient && !flat(i)) r.by_sigma[start + i] += by_sigma[i];
        }
      }
    }
  }

  void compute_spins(const XcSpinPoints& p, const XcSpinResults& r) const noexcept override {
    for (std::size_t start = 0; start < p.density[0].size(); start += SpinBlock::most) {
      SpinBlock points(p, start, gradient_);
      for (int k = 0; k < 2; ++k) std::fill_n(r.by_density[k].data() + start, points.count(), 0.0);
      for (int k = 0; gradient_ && k < 3; ++k)
        std::fill_n(r.by_sigma[k].data() + start, points.count(), 0.0);
      std::fill_n(r.energy.data() + start, points.count(), 0.0);
      for (const auto& term : terms_) points.add(term->spin, limits_, r, start);
    }
  }

  std::string name_;
  std::vector<std::unique_ptr<BothKinds>> terms_;
  bool gradient_ = false;
  GradientThresholds limits_ = no_limits;
};

}  // namespace

std::unique_ptr<const Functional> make_libxc_functional(std::string_view name,
                                                        const FunctionalSettings& settings) {
  return std::make_unique<LibxcFunctional>(name, settings);
}

std::vector<std::string> libxc_terms() {
  std::vector<int> numbers(static_cast<std::size_t>(xc_number_of_functionals()));
  xc_available_functional_numbers(numbers.data());
  std::vector<std::string> names;
  for (const int number : numbers) {
    const LibxcTerm term(number, XC_UNPOLARIZED);
    if (!needs_density_only(term.info()) || !has_energy_of_space(term.info())) continue;
    const std::unique_ptr<char, decltype(&std::free)> name(xc_functional_get_name(number),
                                                           &std::free);
    std::string upper(name.get());
    for (char& c : upper)
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    names.push_back(std::move(upper));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace fg::electrons
