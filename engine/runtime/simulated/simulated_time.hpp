// SPDX-License-Identifier: BSD-3-Clause
//
// The time that arithmetic takes on a machine that SimGrid simulates. There the program's own
// computation takes no time. Objects charge the processor for what they have done. They count
// floating-point operations, or the time that the work takes on a machine where it was measured.
// Elsewhere nothing is charged, and this costs nothing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/profile.hpp"

namespace fg {

/// Kinds of arithmetic that reach different shares of a processor's speed. Fields that are larger
/// than a cache, such as the density, have transforms of their own kind. So has what is done for
/// each ion.
enum class Work : std::uint8_t { transforms, products, other, large_transforms, ions };
inline constexpr std::size_t kinds_of_arithmetic = 5;

#ifdef FG_SIMULATED
inline constexpr bool time_is_simulated = true;
/// The environment tells what an operation of each kind costs, in operations of the simulated
/// machine: FINEGRAIN_SIMULATED_COSTS = "0.25 0.125 1", for transforms of any size, products and
/// all other; a fourth number is for ions, which cost nothing without it. Without the variable an
/// operation takes its time of operation_times.hpp, as `charge_time` charges it.
void charge(Work kind, double operations);
/// The same, as the time of a phase.
inline void charge(const Phase& phase, Work kind, double operations) {
  const PhaseTimer timer(phase);
  charge(kind, operations);
}
/// Work that takes so long on one processor of the machine where it was measured. The environment
/// tells how fast the simulated processor is, as a multiple of that one:
/// FINEGRAIN_SIMULATED_SPEED = "0.1". Without it nothing is charged.
void charge_time(double picoseconds);
#else
inline constexpr bool time_is_simulated = false;
inline void charge(Work, double) noexcept {}
inline void charge(const Phase&, Work, double) noexcept {}
inline void charge_time(double) noexcept {}
#endif

}  // namespace fg
