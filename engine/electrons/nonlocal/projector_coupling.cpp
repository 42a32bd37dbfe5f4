// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/nonlocal/projector_coupling.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "base/shown.hpp"
#include "electrons/waves/harmonics.hpp"
#include "electrons/waves/parts_of_sum.hpp"

namespace fg::electrons {

namespace {

std::string place(std::size_t kind, std::size_t i, std::size_t j) {
  return "kind " + std::to_string(kind) + ", row " + std::to_string(i) + ", column " +
         std::to_string(j);
}

/// D may lose its symmetry by rounding only.
constexpr double asymmetry = 1e-9;

void check(const ProjectorKind& kind, std::size_t number) {
  const std::size_t n = kind.tables.size();
  FG_CHECK(kind.coupling.size() == n * n);
  double largest = 0;
  for (const double d : kind.coupling) largest = std::max(largest, std::abs(d));
  for (std::size_t i = 0; i < n; ++i) {
    const int l = kind.tables[i].l();
    if (l > most_l)
      throw InputError({.what = "a projector has too large an angular momentum",
                        .where = "kind " + std::to_string(number),
                        .value = "l = " + std::to_string(l),
                        .limit = "3",
                        .hint = "use another pseudopotential"});
    for (std::size_t j = 0; j < n; ++j) {
      const double d = kind.coupling[i * n + j], mirrored = kind.coupling[j * n + i];
      if (!(std::abs(d - mirrored) <= asymmetry * largest))
        throw InputError({.what = "the coupling of projectors is not symmetric",
                          .where = place(number, i, j),
                          .value = shown(d) + " and " + shown(mirrored) + " hartree",
                          .limit = "1e-9 of the largest",
                          .hint = "check the pseudopotential"});
      if (d != 0 && kind.tables[j].l() != l)
        throw InputError({.what = "projectors of different angular momentum are coupled",
                          .where = place(number, i, j),
                          .value = shown(d) + " hartree",
                          .limit = "0",
                          .hint = "check the pseudopotential"});
    }
  }
}

}  // namespace

ProjectorCoupling::ProjectorCoupling(const std::vector<ProjectorKind>& kinds,
                                     std::span<const int> kind_of_ion)
    : terms_(kinds.size()), kind_of_ion_(kind_of_ion.begin(), kind_of_ion.end()) {
  std::vector<std::size_t> rows(kinds.size());
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    check(kinds[k], k);
    const std::size_t n = kinds[k].tables.size();
    std::vector<std::size_t> first(n);
    for (std::size_t i = 0; i < n; ++i) {
      first[i] = rows[k];
      rows[k] += static_cast<std::size_t>(2 * kinds[k].tables[i].l() + 1);
    }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t m = 0; m < static_cast<std::size_t>(2 * kinds[k].tables[i].l() + 1); ++m)
        for (std::size_t j = 0; j < n; ++j)
          if (const double d = kinds[k].coupling[i * n + j]; d != 0)
            terms_[k].push_back({first[i] + m, first[j] + m, d});
  }
  first_.push_back(0);
  for (const int kind : kind_of_ion_) {
    FG_CHECK(kind >= 0 && static_cast<std::size_t>(kind) < kinds.size());
    first_.push_back(first_.back() + rows[static_cast<std::size_t>(kind)]);
  }
}

void ProjectorCoupling::couple(std::span<const double> z, std::size_t orbitals,
                               std::span<double> dz) const {
  FG_CHECK(z.size() == rows() * orbitals && dz.size() == z.size());
  std::fill(dz.begin(), dz.end(), 0.0);
  for (std::size_t ion = 0; ion < ions(); ++ion)
    for (const Term& term : terms_[static_cast<std::size_t>(kind_of_ion_[ion])]) {
      const double* from = z.data() + (first_[ion] + term.other) * orbitals;
      double* to = dz.data() + (first_[ion] + term.row) * orbitals;
      for (std::size_t s = 0; s < orbitals; ++s) to[s] += term.d * from[s];
    }
}

double nonlocal_energy(std::span<const double> z, std::span<const double> dz,
                       double occupation) noexcept {
  return occupation * sum_in_parts(z.size(), [&](std::size_t i) { return z[i] * dz[i]; });
}

}  // namespace fg::electrons
