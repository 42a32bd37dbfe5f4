// SPDX-License-Identifier: BSD-3-Clause
//
// How long counted floating-point operations take, by their kind, and messages between objects.
#pragma once

#include <array>
#include <string_view>

#include "runtime/simulated/simulated_time.hpp"

namespace fg {

/// Those of transforms, of products of matrices, all others, those of transforms of the density,
/// and those for ions: on a core of speed 1 [ps an operation], as fitted by
/// bench/accuracy/ab_initio_work.py to measured times.
/// bench/results/predictions/ab_initio_work.json says on which machine.
inline constexpr std::array<double, kinds_of_arithmetic> operation_picoseconds{43.1, 39.4, 172.6,
                                                                               208.5, 187.6};

/// A message to an object, and what is lost where objects have little to do for each [ps]. No
/// simulated machine is charged for it.
inline constexpr double message_picoseconds = 10'100'000;

/// The fit, for a reader who sees times that follow from it.
inline constexpr std::string_view operation_fit =
    "a fit to one core of a Xeon with AVX-512, 2026-11-29";

}  // namespace fg
