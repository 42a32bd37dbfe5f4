// SPDX-License-Identifier: BSD-3-Clause
//
// Energies and forces at given positions: one step that only computes forces.
// Units: Hartree atomic units.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "classical/machinery.hpp"
#include "records/options/run_result.hpp"

namespace fg::classical {

/// The sums from the objects, with the terms that depend only on the job. First come the
/// energy_terms before the kinetic energy, without those that the job's reports leave out.
/// Dispersion follows.
class PotentialTerms {
 public:
  explicit PotentialTerms(const System& system);

  /// The names in the order of of().
  std::vector<std::string> names() const;
  std::vector<double> of(const EnergyTotals& totals) const;
  /// xx yy zz xy xz yz of sum r_a f_b.
  std::array<double, 6> virial(const EnergyTotals& totals) const;

 private:
  std::array<bool, energy_term_count> reported_;
};

double sum(const std::vector<double>& terms) noexcept;

struct Evaluation {
  EnergyTotals totals;
  Frame frame;
};

/// `output` belongs to the machinery and must be empty.
Evaluation evaluate(Machinery& machinery, OutputQueue& output, const System& system,
                    const State& state);

/// The result in the usual units.
EnergyResult energy_result(const System& system, const Evaluation& evaluation);

}  // namespace fg::classical
