// SPDX-License-Identifier: BSD-3-Clause
//
// The arctangent near zero: atan(x) = x + x y P(y) with y = x^2, for |x| up to tan(pi / 8). P is
// the Chebyshev interpolant of 12 terms there; the error of the product is below 2e-19.
#pragma once

namespace fg {

/// The coefficients of P, the lowest power first.
inline constexpr double arctangent_series[] = {
    -0.3333333333333333,   0.19999999999999804,  -0.14285714285659748, 0.11111111105147764,
    -0.09090908753118594,  0.07692296363979952,  -0.066664246872465,   0.05878926715756726,
    -0.052304374642516874, 0.045515165635903104, -0.0345685906686069,  0.01628357235648259};
inline constexpr int arctangent_terms = 12;
inline constexpr double tan_eighth_pi = 0.41421356237309503;

}  // namespace fg
