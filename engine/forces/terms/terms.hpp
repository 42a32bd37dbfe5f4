// SPDX-License-Identifier: BSD-3-Clause
//
// The kinds of bonded terms. A new one is a header like those included here, and its line in the
// list.
#pragma once

#include <vector>

#include "forces/terms/cmap.hpp"
#include "forces/terms/exception_pair.hpp"
#include "forces/terms/excluded_pair.hpp"
#include "forces/terms/gromos_angle.hpp"
#include "forces/terms/gromos_bond.hpp"
#include "forces/terms/harmonic_angle.hpp"
#include "forces/terms/harmonic_bond.hpp"
#include "forces/terms/harmonic_torsion.hpp"
#include "forces/terms/periodic_torsion.hpp"
#include "forces/terms/ryckaert_bellemans.hpp"
#include "forces/terms/term.hpp"

namespace fg {

template <template <class> class Holder>
using PerBondedTerm = PerTerm<Holder,             //
                              HarmonicBond,       //
                              HarmonicAngle,      //
                              GromosBond,         //
                              GromosAngle,        //
                              PeriodicTorsion,    //
                              RyckaertBellemans,  //
                              HarmonicTorsion,    //
                              Cmap,               //
                              ExceptionPair,      //
                              FarExclusion>;

template <class Term>
using TermTable = std::vector<Term>;

template <class Term>
struct SharedOf {
  typename Term::Shared data;
};

/// All bonded terms of a job, by kind: terms.of<HarmonicBond>(), and what the terms of a kind
/// share: terms.shared<Cmap>().
class BondedTerms : public PerBondedTerm<TermTable> {
 public:
  template <class Term>
  typename Term::Shared& shared() noexcept {
    return shared_.of<Term>().data;
  }
  template <class Term>
  const typename Term::Shared& shared() const noexcept {
    return shared_.of<Term>().data;
  }

 private:
  PerBondedTerm<SharedOf> shared_;
};

}  // namespace fg
