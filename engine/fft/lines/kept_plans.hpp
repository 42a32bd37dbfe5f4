// SPDX-License-Identifier: BSD-3-Clause
//
// The plans that were used last, for those who need the same lengths again. Whoever uses a plan
// owns it too, so that it lives on if it is no longer kept.
#pragma once

#include <cstddef>
#include <memory>

#include "fft/lines/line_plan.hpp"

namespace fg::fft {

/// For each precision. Beyond it the plans that were not used for longest are dropped.
inline constexpr std::size_t kept_plan_bytes = std::size_t{32} << 20;
/// So many stay whatever their size: those of a transform of three dimensions.
inline constexpr std::size_t always_kept_plans = 4;

/// The plan for a length, which is made if it is not kept. Threads that miss the same length at the
/// same time do not wait for each other. All get the plan of the first to end.
template <class Real>
std::shared_ptr<const LinePlan<Real>> line_plan(int length);

struct KeptPlans {
  std::size_t plans, bytes;
};
template <class Real>
KeptPlans kept_plans();

}  // namespace fg::fft
