// SPDX-License-Identifier: BSD-3-Clause
//
// How objects are connected, as a run makes them and as their messages are counted before it.
#pragma once

#include <cstddef>

#include "ab_initio/job/job.hpp"
#include "runtime/trees/multicast_tree.hpp"

namespace fg::ab_initio {

/// The way of messages from one object to many. Processes that pass them on take less time than one
/// that sends to all: 512 nodes are five levels.
inline constexpr Spread along_tree_spread{.fan_out = 4, .piece_bytes = std::size_t{64} << 10};

/// Two orbitals are one transform.
inline constexpr int orbitals_of_transform = 2;

/// The most matrices of overlaps that an order may need at once.
inline int matrices_of_order(const Job& job) noexcept {
  return job.dynamics.kind == DynamicsKind::car_parrinello ? 3 : 2;
}

}  // namespace fg::ab_initio
