// SPDX-License-Identifier: BSD-3-Clause
//
// The shapes of pencils among which a transform may choose.
#pragma once

#include <array>
#include <vector>

#include "fft/plan.hpp"

namespace fg::fft {

/// Parts for `boxes` that make different stages: the usual ones first, then the squarest; at most
/// five. Only boxes.parts, if that is set. Throws as the constructor of TransformPlan does.
std::vector<std::array<int, 2>> pencil_shapes(const TransformBoxes& boxes);

/// All a * b = ranks, the squarest first.
std::vector<std::array<int, 2>> squarest_parts(int ranks);

}  // namespace fg::fft
