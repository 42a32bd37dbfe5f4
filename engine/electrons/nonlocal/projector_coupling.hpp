// SPDX-License-Identifier: BSD-3-Clause
//
// The projectors of all ions, their order, and how they are coupled. The nonlocal energy is
//   f sum_s sum_I sum_lm sum_ij Z_i D_ij Z_j,
// where Z are the products of projectors and orbitals. Rows are ordered by ion, by projector of the
// ion, and by m = -l, ..., l. Units: hartree, bohr. Source: Kleinman and Bylander, Phys. Rev. Lett.
// 48, 1425 (1982).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "electrons/waves/radial_table.hpp"

namespace fg::electrons {

/// The projectors of one kind of ion.
struct ProjectorKind {
  std::vector<RadialTable> tables;  // q(|G|) [bohr^(3/2)], each with its l
  std::vector<double> coupling;     // D [hartree], [projectors][projectors]
};

class ProjectorCoupling {
 public:
  /// Throws InputError if an l is above 3, or if D is not symmetric or couples different l. Throws
  /// InternalError if D has another size, or if an ion is of a kind that is not there.
  ProjectorCoupling(const std::vector<ProjectorKind>& kinds, std::span<const int> kind_of_ion);

  /// The rows of all ions, or those before an ion; `first(ions())` is the same as `rows()`.
  std::size_t rows() const noexcept { return first_.back(); }
  std::size_t first(std::size_t ion) const noexcept { return first_[ion]; }
  std::size_t ions() const noexcept { return first_.size() - 1; }

  /// Writes D Z; both [rows][orbitals], and not the same. Z has to be whole: summed over the shares
  /// of the waves.
  void couple(std::span<const double> z, std::size_t orbitals, std::span<double> dz) const;

 private:
  struct Term {
    std::size_t row, other;  // within an ion
    double d;
  };
  std::vector<std::vector<Term>> terms_;  // of each kind
  std::vector<int> kind_of_ion_;
  std::vector<std::size_t> first_;
};

/// The energy [hartree] of orbitals of one occupation from whole Z and D Z, both [rows][orbitals].
/// The energies of several blocks of orbitals add up.
double nonlocal_energy(std::span<const double> z, std::span<const double> dz,
                       double occupation) noexcept;

}  // namespace fg::electrons
