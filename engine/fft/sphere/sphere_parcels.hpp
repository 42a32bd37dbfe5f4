// SPDX-License-Identifier: BSD-3-Clause
//
// What the ranks of a transform between waves and points send each other, known from its plan
// alone.
#pragma once

#include <cstddef>
#include <vector>

#include "fft/sphere/slab_turns.hpp"
#include "fft/sphere/sphere_plan.hpp"

namespace fg::fft {

struct SphereParcel {
  int from, to;
  std::size_t bytes;
};

/// The parcels of all exchanges of one transform backward, as a RankSphere sends them. The
/// transform has so many fields of complex numbers of `bytes` bytes. Forward, the same ones go the
/// other way. Takes a time of the order of ranks squared.
std::vector<SphereParcel> parcels_of(const SpherePlan& plan, int fields, SphereEnd end,
                                     std::size_t bytes);

}  // namespace fg::fft
