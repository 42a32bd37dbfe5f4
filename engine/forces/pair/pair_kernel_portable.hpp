// SPDX-License-Identifier: BSD-3-Clause
//
// The pair kernels for float whose bits are the same on every SIMD target. They use no estimates,
// one Ewald fit for all targets, and sums in the order of the longest vectors.
#pragma once

#include "forces/pair/pair_kernel.hpp"

namespace fg {

/// `terms` is one of ewald_terms_portable; 0: reaction field.
PairFunctions<float> choose_portable_functions(int terms, LennardJonesKind kind);

}  // namespace fg
