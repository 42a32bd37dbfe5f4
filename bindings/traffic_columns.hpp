// SPDX-License-Identifier: BSD-3-Clause
//
// What ranks send each other, as arrays of NumPy: senders, receivers, bytes and messages.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <tuple>
#include <vector>

#include "topology/machines/traffic.hpp"

template <class T>
using Column =
    nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
using TrafficColumns =
    std::tuple<Column<std::int32_t>, Column<std::int32_t>, Column<double>, Column<double>>;

/// In whole bytes and messages. Throws an InputError for a rank that does not exist.
std::vector<fg::topology::Traffic> traffic_of(const TrafficColumns& columns, int ranks);

/// The sum over parts: such columns with each pair once, ascending by sender and receiver. Sums are
/// made in the order of the parts. What a rank sends to itself is left out.
nanobind::tuple sum_traffic(int ranks, const std::vector<TrafficColumns>& parts);
