// SPDX-License-Identifier: BSD-3-Clause
//
// Exchange-correlation functionals of the density and of its gradient, on arrays of points. Known
// by name:
//   PZ81     Slater exchange, correlation of Perdew and Zunger
//   PW92     Slater exchange, correlation of Perdew and Wang
//   PBE, revPBE, BLYP
// and by libxc's names, with a + between the terms: GGA_X_PBE_SOL+GGA_C_PBE_SOL.
// Units: hartree, bohr; density [1/bohr^3], sigma [1/bohr^8], energy [hartree/bohr^3].
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fg::electrons {

/// A point has no gradient where its density or its sigma is not above these. The defaults are the
/// rules of Quantum ESPRESSO 6.7: subroutines gcxc, gcx_spin, gcc_spin and gcc_spin_more of its
/// xc_gga_drivers.f90. A comparison with it below 1e-6 hartree needs these rules.
struct GradientThresholds {
  double density = 1e-6;  // without spin; with spin, of both together in correlation
  double sigma = 1e-10;   // without spin
  // With spin, exchange has limits for one spin, and correlation for both together.
  double spin_density = 1e-10;
  double spin_sigma = 1e-20;
  double sum_sigma = 1e-12;
  /// In the gradient's part of correlation a spin has at least this share of the density.
  double least_share = 5e-7;
};

struct FunctionalSettings {
  std::optional<GradientThresholds> thresholds{};  // none: the gradient counts everywhere
};

/// sigma = |grad rho|^2; not read if the functional uses no gradient, and then it may be empty.
struct XcPoints {
  std::span<const double> density;
  std::span<const double> sigma{};
};

/// The energy per volume e and its derivatives. If the functional uses no gradient, `by_sigma` is
/// not written and may be empty.
struct XcResults {
  std::span<double> energy;
  std::span<double> by_density;
  std::span<double> by_sigma{};
};

/// With spin: of up and down; sigma is grad up . grad up, grad up . grad down, grad down . grad
/// down. The rest is as without spin.
struct XcSpinPoints {
  std::array<std::span<const double>, 2> density;
  std::array<std::span<const double>, 3> sigma{};
};
struct XcSpinResults {
  std::span<double> energy;
  std::array<std::span<double>, 2> by_density;
  std::array<std::span<double>, 3> by_sigma{};
};

/// May be used by several threads at once. A point has the same bits wherever it is in the arrays.
/// A negative density or sigma counts as 0 (make_mirrored counts negative densities), and where
/// there is no density all results are 0. The potential of PBE for a spin of which there is nothing
/// is infinite. It is computed as if there were 1e-16 of the density.
class Functional {
 public:
  virtual ~Functional() = default;

  virtual const std::string& name() const noexcept = 0;
  virtual bool uses_gradient() const noexcept = 0;

  /// Throws InternalError if the arrays have different sizes.
  void evaluate(const XcPoints& points, const XcResults& results) const;
  void evaluate_spins(const XcSpinPoints& points, const XcSpinResults& results) const;

 private:
  virtual void compute(const XcPoints& points, const XcResults& results) const noexcept = 0;
  virtual void compute_spins(const XcSpinPoints& points,
                             const XcSpinResults& results) const noexcept = 0;
};

/// Throws InputError if neither the engine nor libxc knows the name. Throws it also if the name is
/// that of a functional that needs more than the density and its gradient.
std::unique_ptr<const Functional> make_functional(std::string_view name,
                                                  const FunctionalSettings& settings = {});

/// The names with kernels of the engine's own.
std::vector<std::string> own_functionals();

/// Names of libxc's LDAs and GGAs that may stand between the + of a functional, in capitals.
std::vector<std::string> functional_terms();

}  // namespace fg::electrons
