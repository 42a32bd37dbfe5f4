// SPDX-License-Identifier: BSD-3-Clause
#include "forces/bonded/term_lanes.hpp"

#include "base/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forces/bonded/term_lanes.cpp"
#include <hwy/foreach_target.h>

#include "forces/bonded/term_lanes-inl.hpp"
#include "forces/bonded/terms.hpp"

namespace fg {
#ifndef FG_FORCES_BONDED_LANE_TABLE
#define FG_FORCES_BONDED_LANE_TABLE

template <class Term>
struct LaneFunctionsOf {
  LaneFunctions functions{};
};

/// Of each kind that has kernels of several terms at once.
using LaneFunctionTable = PerTerm<LaneFunctionsOf, HarmonicBond, HarmonicAngle, PeriodicTorsion,
                                  RyckaertBellemans, HarmonicTorsion, ExceptionPair>;

#endif
}  // namespace fg

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {
namespace {

LaneFunctionTable lane_table() {
  LaneFunctionTable table;
  LaneFunctionTable::for_each_kind([&]<class Term>() {
    table.of<Term>().functions = {run_lanes<Term, false>, run_lanes<Term, true>};
  });
  return table;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg {
namespace {

HWY_EXPORT(lane_table);

}  // namespace

template <TermOfLanes Term>
LaneFunctions lane_functions() {
  return HWY_DYNAMIC_DISPATCH(lane_table)().of<Term>().functions;
}

template LaneFunctions lane_functions<HarmonicBond>();
template LaneFunctions lane_functions<HarmonicAngle>();
template LaneFunctions lane_functions<PeriodicTorsion>();
template LaneFunctions lane_functions<RyckaertBellemans>();
template LaneFunctions lane_functions<HarmonicTorsion>();
template LaneFunctions lane_functions<ExceptionPair>();

}  // namespace fg
#endif
