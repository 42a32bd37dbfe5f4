// SPDX-License-Identifier: BSD-3-Clause
//
// What a transform sends, known from its plan alone.
#pragma once

#include <cstddef>
#include <vector>

#include "fft/plan.hpp"

namespace fg::fft {

/// What the busiest rank sends in one exchange; two ranks may give the two numbers.
struct Traffic {
  int messages = 0;
  std::size_t points = 0;  // that it sends, of one field
  bool real = false;       // the points are real numbers
};

/// For each exchange of the forward transform. Takes a time of the order of ranks squared.
std::vector<Traffic> traffic_of(const TransformPlan& plan);

/// The most points that a rank transforms along an axis, as a part of the grid.
double largest_share(const TransformPlan& plan);

}  // namespace fg::fft
