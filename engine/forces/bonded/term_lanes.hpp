// SPDX-License-Identifier: BSD-3-Clause
//
// Kernels that compute several terms of a kind at once, one in each lane of vectors of the
// processor. A kind with such a kernel has lane_parameters(), the numbers that the kernel needs of
// a term. The plain twin is the kind's Kernel; other kinds have only that. A lane's bits do not
// depend on its neighbours. Units: bohr, hartree, radians.
#pragma once

#include <array>
#include <concepts>

#include "base/bits.hpp"
#include "forces/terms/nearest_difference.hpp"
#include "forces/terms/term.hpp"

namespace fg {

template <class Term>
concept TermOfLanes = BondedTerm<Term> && requires(const Term& term) {
  { term.lane_parameters()[0] } -> std::convertible_to<double>;
};

template <TermOfLanes Term>
inline constexpr std::size_t lane_parameters_of =
    std::tuple_size_v<decltype(std::declval<const Term&>().lane_parameters())>;

/// Some terms of a kind. All arrays are aligned to whole vectors.
struct TermSlice {
  static constexpr int most = 64;     // terms
  static constexpr int multiple = 8;  // a whole number of vectors

  int terms;                 // a multiple of `multiple`; what is left over repeats a term
  const double* positions;   // [atoms][3][most], anywhere in space
  const double* parameters;  // [parameters][most]
  double* forces;            // [atoms][3][most]
  double* energies;          // [most]; only with sums
  double* virials;           // [6][most]; only with sums
};

struct LaneFunctions {
  using Function = void (*)(const TermSlice&, const NearestDifference&);
  Function forces, forces_and_sums;
};

/// The functions of the best SIMD target.
template <TermOfLanes Term>
LaneFunctions lane_functions(Bits bits);

}  // namespace fg
