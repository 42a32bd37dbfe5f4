// SPDX-License-Identifier: BSD-3-Clause
//
// What orbitals have besides themselves when they move: velocities, masses, and free orbitals. In
// constrained dynamics the orbitals themselves move. In free dynamics the coefficients chi move.
// They have overlaps S, and the orbitals are psi = chi S^(-1/2).
#pragma once

#include <complex>
#include <vector>

#include "ab_initio/job/job.hpp"
#include "ab_initio/orders/messages.hpp"
#include "base/aligned_vector.hpp"
#include "electrons/waves/plane_waves.hpp"

namespace fg::ab_initio {

struct OrbitalMotion {
  using Vector = AlignedVector<std::complex<double>>;

  /// Throws InputError if the masses of the job are beyond their limits.
  OrbitalMotion(const Job& job, const electrons::PlaneWaves& waves);

  /// Takes memory for so many numbers of the orbitals, which are at rest.
  void begin(std::size_t size);

  bool is_free;
  AlignedVector<double> masses;   // of each number of an orbital, [waves][2]
  Vector velocity;                // [orbitals][waves]
  Vector chi, force;              // of free orbitals; force: -1/f of it
  Ref<const BlockMessage> moved;  // of a drift: orbitals over the masses; those that have moved
  double timestep = 0;            // of that drift
};

}  // namespace fg::ab_initio
