// SPDX-License-Identifier: BSD-3-Clause
//
// Each formula of the engine against libxc in this process, term by term, so that no error hides
// below the sum; densities from 1e-14 to 1e3 and any gradient. libxc's thresholds are lowered so
// that it computes all of these points.
#include <gtest/gtest.h>
#include <xc.h>

#include <iostream>

#include "support/electrons/xc_errors.hpp"

namespace fg::test {
namespace {

using namespace electrons;

/// libxc's term for one of ours.
class LibxcPeer {
 public:
  LibxcPeer(int number, int spins) {
    if (xc_func_init(&function_, number, spins) != 0) throw std::runtime_error("libxc has no such");
    xc_func_set_dens_threshold(&function_, 1e-35);
    xc_func_set_sigma_threshold(&function_, 1e-60);
  }
  LibxcPeer(const LibxcPeer&) = delete;
  LibxcPeer& operator=(const LibxcPeer&) = delete;
  ~LibxcPeer() { xc_func_end(&function_); }

  void evaluate(std::size_t count, const double* density, const double* sigma, double* energy,
                double* by_density, double* by_sigma) const {
    if (function_.info->family == XC_FAMILY_GGA)
      xc_gga_exc_vxc(&function_, count, density, sigma, energy, by_density, by_sigma);
    else
      xc_lda_exc_vxc(&function_, count, density, energy, by_density);
  }

 private:
  xc_func_type function_;
};

void run(const LibxcPeer& peer, XcArrays& a) {
  a.make_room();
  peer.evaluate(a.size(), a.density.data(), a.sigma.data(), a.energy.data(), a.by_density.data(),
                a.by_sigma.data());
  for (std::size_t i = 0; i < a.size(); ++i) a.energy[i] *= a.density[i];
}

void run(const LibxcPeer& peer, XcSpinArrays& a) {
  a.make_room();
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double rho[2] = {a.density[0][i], a.density[1][i]};
    const double sigma[3] = {a.sigma[0][i], a.sigma[1][i], a.sigma[2][i]};
    double energy = 0, by_density[2] = {}, by_sigma[3] = {};
    peer.evaluate(1, rho, sigma, &energy, by_density, by_sigma);
    a.energy[i] = energy * (rho[0] + rho[1]);
    for (int k = 0; k < 2; ++k) a.by_density[k][i] = by_density[k];
    for (int k = 0; k < 3; ++k) a.by_sigma[k][i] = by_sigma[k];
  }
}

struct Case {
  const char* name;
  FunctionalParts parts;
  int number;
  bool logarithm;  // of 1 + 1/q, with q as below
};

class AgainstLibxc : public testing::TestWithParam<Case> {
 protected:
  /// 1e-11; but libxc adds 1 to 1/q before it takes the logarithm in PW92, where
  /// q = 2 a (b1 r_s^(1/2) + ... + b4 r_s^2), and so loses a fraction of 2^-53 q: 4e-9 at a density
  /// of 1e-14. With spin there are three such logarithms, and up to 16 times the loss in a
  /// derivative. The twin in the unit tests has no such loss, and agrees with the kernel.
  ///
  /// In LYP with spin libxc has differences of 2/3 where a product of shares of the spins is left,
  /// 1e-6 of it in these samples: it loses six digits.
  static double allowed(double rho, int spins) {
    if (GetParam().parts.correlation == Correlation::lyp)
      return spins == XC_POLARIZED ? 1e-9 : 1e-11;
    if (!GetParam().logarithm) return 1e-11;
    const double rs = xc::wigner_seitz / std::cbrt(rho);
    const xc::PerdewWangTerm& p = xc::pw92.paramagnetic;
    const double q =
        2 * p.a * (p.b1 * std::sqrt(rs) + p.b2 * rs + rs * (p.b3 * std::sqrt(rs) + p.b4 * rs));
    return 1e-11 + (spins == XC_POLARIZED ? 0x1p-48 : 0x1p-52) * q;
  }

  template <class Arrays>
  static void expect_same(int spins, const Arrays& samples) {
    const LibxcPeer peer(GetParam().number, spins);
    Arrays tried = samples, right = samples, flat = without_gradient(samples);
    tried.make_room();
    evaluate_points(GetParam().parts, {}, tried.arrays());
    run(peer, right), run(peer, flat);
    const XcErrors errors = xc_errors(tried, right, flat, GetParam().parts.uses_gradient(),
                                      [&](double rho) { return allowed(rho, spins); });
    EXPECT_LE(errors.worst(), 1) << errors.where();
    std::cout << "largest error: " << errors.where() << std::endl;
  }
};

TEST_P(AgainstLibxc, WithoutSpin) {
  expect_same(XC_UNPOLARIZED, XcSampler(21).points(20000));
}
/// libxc takes 1 - zeta from zeta, and powers of it down to -4/3: with a share of a spin of 1e-3 it
/// loses four digits in the potential of this spin. Smaller shares are compared with the twin. LYP
/// of one spin alone is exactly 0, which libxc has by cancellation only.
TEST_P(AgainstLibxc, WithSpin) {
  XcSpinArrays samples = XcSampler(22).spin_points(20000, -3);
  if (GetParam().parts.correlation == Correlation::lyp)
    for (std::size_t i = 0; i < samples.size(); ++i) {
      double& up = samples.density[0][i];
      double& down = samples.density[1][i];
      up = std::max(up, 1e-3 * down), down = std::max(down, 1e-3 * up);
    }
  expect_same(XC_POLARIZED, samples);
}

constexpr FunctionalParts of(Exchange exchange) {
  return {exchange, Correlation::none};
}
constexpr FunctionalParts of(Correlation correlation) {
  return {Exchange::none, correlation};
}

INSTANTIATE_TEST_SUITE_P(
    Functionals, AgainstLibxc,
    testing::Values(Case{"Slater", of(Exchange::slater), XC_LDA_X, false},
                    Case{"PbeExchange", of(Exchange::pbe), XC_GGA_X_PBE, false},
                    Case{"RevPbeExchange", of(Exchange::rev_pbe), XC_GGA_X_PBE_R, false},
                    Case{"Becke88", of(Exchange::becke88), XC_GGA_X_B88, false},
                    Case{"PerdewZunger", of(Correlation::pz81), XC_LDA_C_PZ, false},
                    Case{"PerdewWang", of(Correlation::pw92), XC_LDA_C_PW, true},
                    Case{"PbeCorrelation", of(Correlation::pbe), XC_GGA_C_PBE, true},
                    Case{"LeeYangParr", of(Correlation::lyp), XC_GGA_C_LYP, false}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace fg::test
