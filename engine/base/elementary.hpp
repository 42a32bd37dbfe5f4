// SPDX-License-Identifier: BSD-3-Clause
//
// Elementary functions of double numbers for whatever decides a trajectory. With fast bits they are
// those of the C library, which has others for processors of other kinds, and other versions. With
// portable bits they are the series below. These are operations of IEEE 754 in a fixed order,
// within a few units in the last place. A process has the bits of its run (BitsOfRun).
#pragma once

#include <atomic>
#include <cmath>

#include "base/bits.hpp"

namespace fg::elementary {

namespace portable {

double exp(double x) noexcept;
double expm1(double x) noexcept;
double log(double x) noexcept;
double log1p(double x) noexcept;
double sin(double x) noexcept;  // |x| up to 1e6
double cos(double x) noexcept;
double atan2(double y, double x) noexcept;
double erf(double x) noexcept;
double erfc(double x) noexcept;
double pow(double x, double y) noexcept;  // x > 0, or a small whole number y
double cbrt(double x) noexcept;           // x > 0

}  // namespace portable

namespace detail {
inline std::atomic<bool> portable_bits = false;
}

/// Set before the threads of a run start.
inline void use(Bits bits) noexcept {
  detail::portable_bits.store(bits == Bits::portable, std::memory_order_relaxed);
}
inline bool portable_in_use() noexcept {
  return detail::portable_bits.load(std::memory_order_relaxed);
}
inline Bits bits_in_use() noexcept {
  return portable_in_use() ? Bits::portable : Bits::fast;
}

inline double exp(double x) noexcept {
  return portable_in_use() ? portable::exp(x) : std::exp(x);
}
inline double expm1(double x) noexcept {
  return portable_in_use() ? portable::expm1(x) : std::expm1(x);
}
inline double log(double x) noexcept {
  return portable_in_use() ? portable::log(x) : std::log(x);
}
inline double log1p(double x) noexcept {
  return portable_in_use() ? portable::log1p(x) : std::log1p(x);
}
inline double sin(double x) noexcept {
  return portable_in_use() ? portable::sin(x) : std::sin(x);
}
inline double cos(double x) noexcept {
  return portable_in_use() ? portable::cos(x) : std::cos(x);
}
inline double atan2(double y, double x) noexcept {
  return portable_in_use() ? portable::atan2(y, x) : std::atan2(y, x);
}
inline double erf(double x) noexcept {
  return portable_in_use() ? portable::erf(x) : std::erf(x);
}
inline double erfc(double x) noexcept {
  return portable_in_use() ? portable::erfc(x) : std::erfc(x);
}
inline double pow(double x, double y) noexcept {
  return portable_in_use() ? portable::pow(x, y) : std::pow(x, y);
}
inline double cbrt(double x) noexcept {
  return portable_in_use() ? portable::cbrt(x) : std::cbrt(x);
}

}  // namespace fg::elementary
