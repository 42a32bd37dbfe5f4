// SPDX-License-Identifier: BSD-3-Clause
//
// The exchange and correlation formulas that have a kernel of their own, with the numbers in them.
// Units: hartree, bohr.
// Sources: Slater, Phys. Rev. 81, 385 (1951); Becke, Phys. Rev. A 38, 3098 (1988) (B88); Perdew,
// Burke and Ernzerhof, Phys. Rev. Lett. 77, 3865 (1996) (PBE); Zhang and Yang, Phys. Rev. Lett. 80,
// 890 (1998) (revPBE); Perdew and Zunger, Phys. Rev. B 23, 5048 (1981) (PZ81); Perdew and Wang,
// Phys. Rev. B 45, 13244 (1992) (PW92); Lee, Yang and Parr, Phys. Rev. B 37, 785 (1988) (LYP).
#pragma once

namespace fg::electrons {

enum class Exchange { none, slater, pbe, rev_pbe, becke88 };
enum class Correlation { none, pz81, pw92, pbe, lyp };

/// The terms of one functional.
struct FunctionalParts {
  Exchange exchange = Exchange::none;
  Correlation correlation = Correlation::none;

  constexpr bool uses_gradient() const noexcept {
    return exchange == Exchange::pbe || exchange == Exchange::rev_pbe ||
           exchange == Exchange::becke88 || correlation == Correlation::pbe ||
           correlation == Correlation::lyp;
  }
};

namespace xc {

/// A density up to this counts as zero: all results are 0. No power of a larger one overflows
/// [1/bohr^3].
inline constexpr double density_floor = 1e-30;

/// A spin has at least this share of the density in the interpolations between unpolarised and
/// polarised correlation. Some derivatives by the density of an empty spin are infinite.
inline constexpr double smallest_share = 1e-16;

inline constexpr double wigner_seitz = 0.62035049089940001667;  // (3 / 4 pi)^(1/3): r_s rho^(1/3)

// Slater: e = -slater rho^(4/3).
inline constexpr double slater = 0.73855876638202240588;  // 3/4 (3/pi)^(1/3)
// s^2 = reduced_gradient sigma rho^(-8/3): the gradient in units of 2 k_F rho.
inline constexpr double reduced_gradient = 0.02612117298523359957;  // 1 / (4 (3 pi^2)^(2/3))

// PBE exchange: F = 1 + kappa - kappa / (1 + mu s^2 / kappa).
inline constexpr double pbe_mu = 0.21951497276451705329;  // pbe_beta pi^2 / 3
inline constexpr double pbe_kappa = 0.804;
inline constexpr double rev_pbe_kappa = 1.245;

// B88, of one spin: F = 1 + (b / becke_slater) x^2 / (1 + 6 b x asinh x), x = |grad rho|
// rho^(-4/3).
inline constexpr double becke_b = 0.0042;
inline constexpr double becke_slater = 0.93052573634910002501;        // 3/2 (3 / 4 pi)^(1/3)
inline constexpr double becke_closed_shell = 1.58740105196819947475;  // 2^(2/3): x^2 without spin

// PBE correlation: t^2 = pbe_t sigma / (phi^2 rho^(7/3)).
inline constexpr double pbe_t = 0.06346820609770370420;      // pi / (16 (3 pi^2)^(1/3))
inline constexpr double pbe_beta = 0.06672455060314922;      // the digits of the PBE program
inline constexpr double pbe_gamma = 0.03109069086965489503;  // (1 - ln 2) / pi^2

/// G(r_s) = -2 a (1 + alpha r_s) ln(1 + 1 / (2 a (b1 s + b2 s^2 + b3 s^3 + b4 s^4))), s^2 = r_s.
struct PerdewWangTerm {
  double a, alpha, b1, b2, b3, b4;
};
/// PW92, table I: without spin, fully polarised, and minus the stiffness of the spin.
struct PerdewWang {
  PerdewWangTerm paramagnetic, ferromagnetic, minus_stiffness;
  double curvature;  // f''(0)
};
inline constexpr PerdewWang pw92 = {
    .paramagnetic = {0.031091, 0.21370, 7.5957, 3.5876, 1.6382, 0.49294},
    .ferromagnetic = {0.015545, 0.20548, 14.1189, 6.1977, 3.3662, 0.62517},
    .minus_stiffness = {0.016887, 0.11125, 10.357, 3.6231, 0.88026, 0.49671},
    .curvature = 1.709921};
/// The same fit with more digits of a and f''(0), as in the PBE program.
inline constexpr PerdewWang pbe_pw92 = {
    .paramagnetic = {0.0310907, 0.21370, 7.5957, 3.5876, 1.6382, 0.49294},
    .ferromagnetic = {0.01554535, 0.20548, 14.1189, 6.1977, 3.3662, 0.62517},
    .minus_stiffness = {0.0168869, 0.11125, 10.357, 3.6231, 0.88026, 0.49671},
    .curvature = 1.709920934161365617563962776245};
/// 1 / (2^(4/3) - 2): f(zeta) = scale ((1+zeta)^(4/3) + (1-zeta)^(4/3) - 2).
inline constexpr double spin_scale = 1.92366105093153631976;

/// PZ81, table XII: gamma / (1 + beta1 sqrt(r_s) + beta2 r_s) from r_s = 1 on, and below it
/// a ln r_s + b + c r_s ln r_s + d r_s. At r_s = 1 the two differ by 3e-5 hartree.
struct PerdewZunger {
  double gamma, beta1, beta2, a, b, c, d;
};
inline constexpr PerdewZunger pz81_paramagnetic = {-0.1423, 1.0529, 0.3334, 0.0311,
                                                   -0.048,  0.0020, -0.0116};
inline constexpr PerdewZunger pz81_ferromagnetic = {-0.0843, 1.3981, 0.2611, 0.01555,
                                                    -0.0269, 0.0007, -0.0048};

// LYP.
inline constexpr double lyp_a = 0.04918;
inline constexpr double lyp_b = 0.132;
inline constexpr double lyp_c = 0.2533;
inline constexpr double lyp_d = 0.349;
inline constexpr double lyp_kinetic = 2.87123400018819181594;  // 3/10 (3 pi^2)^(2/3)
inline constexpr double lyp_spin_kinetic = 36.46239897876477;  // 2^(11/3) lyp_kinetic

}  // namespace xc
}  // namespace fg::electrons
