// SPDX-License-Identifier: BSD-3-Clause
//
// The orbitals of lowest energy in the space of atomic orbitals, in a given potential: the method
// of Rayleigh and Ritz. Atomic orbitals come in sets, each with as many as there are orbitals.
// Random ones follow the last atomic one and fill its set. They count only if there are fewer
// atomic orbitals than orbitals.
#pragma once

#include <span>
#include <vector>

namespace fg::ab_initio {

class Subspace {
 public:
  Subspace(int orbitals, int atomic);

  int sets() const noexcept { return sets_; }
  /// The products of two sets, set <= other: <a|b> and <a|H|b>, both [orbitals][orbitals].
  void add(int set, int other, std::span<const double> overlap, std::span<const double> h);
  /// What the orbitals have of a set, [of the set][orbitals]. Throws NumericsError if atomic
  /// orbitals are so much alike that there are too few independent ones.
  std::vector<double> orbitals(int set);

 private:
  void solve();

  int n_, count_, sets_;
  std::vector<double> overlap_, h_;   // [count][count]
  std::vector<double> coefficients_;  // [count][orbitals], once solved
};

}  // namespace fg::ab_initio
