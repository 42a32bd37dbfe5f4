// SPDX-License-Identifier: BSD-3-Clause
//
// The plain twin of the kernels of functionals, from the formulas with spin as they are printed;
// derivatives by dual numbers. Without spin both spins are equal.
#pragma once

#include "electrons/exchange_correlation/kernels.hpp"

namespace fg::electrons::reference {

void evaluate_points(FunctionalParts parts, const GradientCut& cut,
                     const PointArrays& points) noexcept;
void evaluate_points(FunctionalParts parts, const GradientCut& cut,
                     const SpinPointArrays& points) noexcept;

}  // namespace fg::electrons::reference
