// SPDX-License-Identifier: BSD-3-Clause
//
// Functions of ions with angular momentum: projectors or atomic orbitals. They are coefficients of
// plane waves V^(-1/2) exp(i G . r) of one share:
//   V^(-1/2) (-i)^l q(|G|) Y_lm(G) exp(-i G . R).
// Rows are ordered by ion, by function of the ion, and by m = -l, ..., l. Units: bohr.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "base/virial.hpp"
#include "electrons/ions/phase_factors.hpp"
#include "electrons/waves/radial_table.hpp"

namespace fg::electrons {

class IonWaves {
 public:
  /// The tables of each kind of ion: q(|G|) [bohr^(3/2)]; l is at most 3. Waves and tables must
  /// outlive it. Throws InputError if a wave is beyond a table, InternalError if an l is above 3.
  IonWaves(const PlaneWaves& waves, std::vector<std::span<const RadialTable>> tables_of_kinds);

  /// The same functions of the waves with the same indices in another cell.
  void change_waves(const PlaneWaves& waves);

  const PlaneWaves& waves() const noexcept { return *waves_; }
  /// The number of rows of an ion of this kind.
  std::size_t rows(int kind) const noexcept { return kind_of(kind).l.size(); }
  int l(int kind, std::size_t row) const noexcept { return kind_of(kind).l[row]; }
  /// V^(-1/2) q Y of a row [waves]; 0 at G = 0 unless l is 0.
  std::span<const double> form(int kind, std::size_t row) const noexcept {
    return std::span(kind_of(kind).forms).subspan(row * waves_->size(), waves_->size());
  }

  /// Writes the rows of one ion, [rows(kind)][waves].
  void write(int kind, const Vec3& position, std::span<std::complex<double>> out) const;
  /// The same, with memory for the factors [waves].
  void write(int kind, const Vec3& position, std::span<std::complex<double>> out,
             std::span<std::complex<double>> phase) const;

  /// The factors exp(-i G . R) of the rows [waves].
  void write_phases(const Vec3& position, std::span<std::complex<double>> out) const {
    phases_.write(position, out);
  }

  /// The sum over rows and waves of `weights` [rows(kind)][waves] times minus the derivative of
  /// `form` by the strain, with V held constant.
  Virial strained(int kind, std::span<const double> weights) const;

 private:
  struct Kind {
    std::span<const RadialTable> tables;
    std::vector<int> l;         // of each row
    std::vector<double> forms;  // [rows][waves]
  };
  void write_forms();
  const Kind& kind_of(int kind) const noexcept { return kinds_[static_cast<std::size_t>(kind)]; }

  const PlaneWaves* waves_;
  PhaseFactors phases_;
  std::vector<Kind> kinds_;
};

}  // namespace fg::electrons
