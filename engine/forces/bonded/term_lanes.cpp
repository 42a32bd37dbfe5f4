// SPDX-License-Identifier: BSD-3-Clause
#include "forces/bonded/term_lanes.hpp"

#include <type_traits>

#include "base/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forces/bonded/term_lanes.cpp"
#include <hwy/foreach_target.h>

#include "forces/bonded/term_lanes-inl.hpp"
#include "forces/terms/terms.hpp"

namespace fg {
#ifndef FG_FORCES_BONDED_LANE_TABLE
#define FG_FORCES_BONDED_LANE_TABLE

template <class Term>
struct LaneFunctionsOf {
  LaneFunctions functions{};
};

/// The functions of each kind that has kernels of several terms at once.
using LaneFunctionTable = PerTerm<LaneFunctionsOf, HarmonicBond, HarmonicAngle, PeriodicTorsion,
                                  RyckaertBellemans, HarmonicTorsion, ExceptionPair>;

#endif
}  // namespace fg

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {
namespace {

/// Kinds whose kernels have angles; those of the others are the same for all bits.
template <class Term>
constexpr bool has_angle =
    std::is_same_v<Term, HarmonicAngle> || std::is_same_v<Term, HarmonicTorsion>;

template <Bits bits>
LaneFunctionTable table_of() {
  LaneFunctionTable table;
  LaneFunctionTable::for_each_kind([&]<class Term>() {
    constexpr Bits kernel = has_angle<Term> ? bits : Bits::fast;
    table.of<Term>().functions = {run_lanes<Term, false, kernel>, run_lanes<Term, true, kernel>};
  });
  return table;
}

LaneFunctionTable lane_table(Bits bits) {
  return bits == Bits::portable ? table_of<Bits::portable>() : table_of<Bits::fast>();
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
LaneFunctions lane_functions(Bits bits) {
  return HWY_DYNAMIC_DISPATCH(lane_table)(bits).of<Term>().functions;
}

template LaneFunctions lane_functions<HarmonicBond>(Bits);
template LaneFunctions lane_functions<HarmonicAngle>(Bits);
template LaneFunctions lane_functions<PeriodicTorsion>(Bits);
template LaneFunctions lane_functions<RyckaertBellemans>(Bits);
template LaneFunctions lane_functions<HarmonicTorsion>(Bits);
template LaneFunctions lane_functions<ExceptionPair>(Bits);

}  // namespace fg
#endif
