// SPDX-License-Identifier: BSD-3-Clause
//
// Sums whose value does not depend on the order of their terms. Each term is rounded once to a
// 64-bit integer, and integers add exactly. Every sum across chares uses this file or runs in index
// order. A term must satisfy |x| * scale < 2^51. Then the SIMD conversion (add and subtract 1.5 *
// 2^52) and this one agree. `fits` checks this, and is false for NaN.
#pragma once

#include <cmath>
#include <cstdint>

namespace fg {

/// Terms per unit; a power of two, so that the conversion rounds only once.
struct FixedScale {
  double scale;

  constexpr double limit() const noexcept { return 2251799813685248.0 / scale; }  // 2^51 / scale
  bool fits(double x) const noexcept { return std::abs(x) < limit(); }
  std::int64_t to_fixed(double x) const noexcept {
    // The same rounding as the SIMD path: round to nearest even at the unit place.
    constexpr double magic = 6755399441055744.0;  // 1.5 * 2^52
    const double shifted = x * scale + magic;
    return static_cast<std::int64_t>(shifted - magic);
  }
  constexpr double to_double(std::int64_t x) const noexcept {
    return static_cast<double>(x) / scale;
  }
};

/// Forces [hartree/bohr]: resolution 3.6e-12, one contribution at most 8192.
inline constexpr FixedScale force_scale{274877906944.0};  // 2^38
/// Energies and virials [hartree]: resolution 1.5e-11, one contribution at most 32768.
inline constexpr FixedScale energy_scale{68719476736.0};  // 2^36
/// Charges on a mesh in double precision [e]: resolution 9.1e-13, one contribution at most 2048.
inline constexpr FixedScale charge_scale{1099511627776.0};  // 2^40
/// Charges on a mesh in single precision [e], summed in 32 bits. Resolution 6.0e-8, as a float has
/// just below 1; a sum at most 128.
inline constexpr float single_charge_scale = 16777216.0F;  // 2^24
/// Momenta [electron mass * bohr / au time]: resolution 6.0e-8, one contribution at most 1.3e8.
inline constexpr FixedScale momentum_scale{16777216.0};  // 2^24

}  // namespace fg
