// SPDX-License-Identifier: BSD-3-Clause
//
// The machine that SimGrid simulates, as the programs of this folder see it: its clock, and the
// time that arithmetic takes on it.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <span>
#include <vector>

namespace fg::bench {

inline double seconds() {
  return MPI_Wtime();
}

/// Waits until this time, so that all processes can begin together.
inline void hold_until(double when) {
  const double rest = when - seconds();
  if (rest <= 0) return;
  const auto whole = static_cast<time_t>(rest);
  const timespec time{whole, static_cast<long>((rest - static_cast<double>(whole)) * 1e9)};
  smpi_nanosleep(&time, nullptr);
}

/// Charges the processor for this many operations. The program's own computation takes no simulated
/// time, so every run gives the same times.
inline void charge(double operations) {
  smpi_execute_flops(operations);
}

/// Long enough for a message from process 0 to reach all processes; simulated time costs nothing.
inline constexpr double notice = 20e-3;

struct Spread {
  double mean = 0, least = 0, greatest = 0;
};
inline Spread spread_of(std::span<const double> values) {
  Spread spread{0, values.front(), values.front()};
  for (const double value : values) {
    spread.mean += value / static_cast<double>(values.size());
    spread.least = std::min(spread.least, value);
    spread.greatest = std::max(spread.greatest, value);
  }
  return spread;
}

}  // namespace fg::bench
