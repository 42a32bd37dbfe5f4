// SPDX-License-Identifier: BSD-3-Clause
//
// The result of a run: energies by term, forces, stress, and the way there. Units: hartree, bohr.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/vec3.hpp"
#include "electrons/waves/lattice.hpp"

namespace fg::ab_initio {

/// Terms of the energy.
struct Energies {
  double kinetic = 0, hartree = 0, local = 0, alpha = 0, nonlocal = 0, exchange_correlation = 0,
         ewald = 0;
  std::optional<double> dispersion{};  // if the job has it

  double total() const noexcept {
    return kinetic + hartree + local + alpha + nonlocal + exchange_correlation + ewald +
           dispersion.value_or(0);
  }
  std::vector<std::pair<std::string, double>> terms() const {
    std::vector<std::pair<std::string, double>> all{
        {"kinetic", kinetic},   {"hartree", hartree},
        {"local", local},       {"alpha", alpha},
        {"nonlocal", nonlocal}, {"exchange_correlation", exchange_correlation},
        {"ewald", ewald}};
    if (dispersion) all.emplace_back("dispersion", *dispersion);
    return all;
  }
};

/// One iteration.
struct Iteration {
  std::int64_t number = 0;
  double energy = 0;
  double residual = 0;  // the largest |H psi - psi <psi|H|psi>| of a coefficient
  double seconds = 0;   // since the beginning
};

/// What is above the occupied orbitals, in the potential of the ground state.
struct EmptyOrbitals {
  bool converged = false;
  std::int64_t iterations = 0;
  std::vector<double> energies;  // ascending; with spin those of up first
  int up = 0;                    // of these; without spin all
  double gap = 0;  // the lowest empty energy less the highest occupied one; negative: electrons are
                   // not in the lowest orbitals
};

struct GroundState {
  bool converged = false;
  bool stopped = false;  // on request
  /// Why a dynamics has ended before its last step, with a whole state.
  std::optional<ErrorParts> broken_off;
  Energies energies;
  std::vector<Iteration> history;
  std::int64_t step = 0;  // the last one, of a dynamics
  electrons::Lattice cell;
  std::vector<Vec3> positions;  // of the ions
  std::vector<Vec3> forces;
  Vec3 net_force;                    // their sum, before it was removed if the job removes it
  std::array<double, 9> stress{};    // derivative of the energy by strain over the volume;
                                     // 0 for a molecule without images, which has none
  std::vector<double> eigenvalues;   // ascending; with spin those of up first
  std::vector<double> density;       // at the points of the grid, row by row; if it is asked for
  std::vector<double> spin_density;  // up less down, likewise; with spin
  std::array<double, 2> magnetization{};  // integrals of the spin density, of its absolute value
  std::optional<Vec3> dipole;             // e bohr; if there is vacuum round the ions
  double outside = 0;  // electrons outside the middle half of the cell, if isolated
  std::string digest;
  std::optional<EmptyOrbitals> empty;  // if they are asked for

  double residual() const noexcept { return history.empty() ? 0 : history.back().residual; }
};

}  // namespace fg::ab_initio
