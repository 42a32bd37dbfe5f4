// SPDX-License-Identifier: BSD-3-Clause
//
// How many transforms the density takes in an evaluation, and the fields of ions by splines. Two
// fields are one transform (density/exchange_and_correlation.cpp).
#pragma once

#include <cstddef>

#include "ab_initio/ions/ion_tables.hpp"
#include "ab_initio/job/job.hpp"
#include "electrons/exchange_correlation/functional.hpp"

namespace fg::ab_initio {

class EvaluationCounts {
 public:
  EvaluationCounts(const Job& job, const IonTables& tables)
      : spins_(static_cast<std::size_t>(job.electrons.spins)),
        local_(tables.local_kinds().size()),
        core_(tables.core_kinds().size()),
        gradient_(electrons::make_functional(job.electrons.functional)->uses_gradient()) {}

  bool has_gradient() const noexcept { return gradient_; }
  // One after the other. To waves: the density. To points: it with its core, then its gradients
  // along three axes. To waves: the potential of exchange and correlation with three components of
  // the flow. To points: the whole potential.
  double density() const noexcept { return of(spins_); }
  double core() const noexcept { return core_ > 0 ? of(spins_) : 0; }
  double gradients() const noexcept { return gradient_ ? of(3 * spins_) : 0; }
  double flows() const noexcept { return of((gradient_ ? 4 : 1) * spins_); }
  double potentials() const noexcept { return of(spins_); }
  /// Local potential and core of the ions.
  double of_ions() const noexcept { return of(local_) + of(core_); }

 private:
  static constexpr double of(std::size_t fields) noexcept {
    const std::size_t transforms = (fields + 1) / 2;
    return static_cast<double>(transforms);
  }

  std::size_t spins_, local_, core_;
  bool gradient_;
};

}  // namespace fg::ab_initio
