// SPDX-License-Identifier: BSD-3-Clause
//
// How long counted floating-point operations take, by their kind, and messages between objects.
#pragma once

#include <array>
#include <string_view>

namespace fg {

/// Those of transforms, of products of matrices, and all others: on a core of speed 1 [ps an
/// operation], as fitted by bench/accuracy/ab_initio_work.py to measured times.
/// bench/results/predictions/ab_initio_work.json says on which machine.
inline constexpr std::array<double, 3> operation_picoseconds{64.4, 26.5, 301.7};

/// A message to an object, and what is lost where objects have little to do for each [ps]. No
/// simulated machine is charged for it.
inline constexpr double message_picoseconds = 8'400'000;

/// The fit, for a reader who sees times that follow from it.
inline constexpr std::string_view operation_fit =
    "a fit to one core of a Xeon with AVX-512, 2026-11-29";

}  // namespace fg
