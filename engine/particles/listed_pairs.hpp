// SPDX-License-Identifier: BSD-3-Clause
//
// How many pairs of atoms on a list are closer than a radius. A list is of quads, so it has more
// pairs than these. The work of a list is counted by the close pairs.
// particles/assignment/pair_counts.hpp estimates their number before there is a list.
#pragma once

#include <cstdint>

#include "particles/pair_list.hpp"

namespace fg {

/// At the present positions of all quads that the list touches; excluded pairs are counted too.
/// `radius` in bohr.
template <class Real>
std::int64_t listed_pairs(const Neighbourhood<Real>& neighbourhood, const PairList& list,
                          double radius) noexcept;

}  // namespace fg
