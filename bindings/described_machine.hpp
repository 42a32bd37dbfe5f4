// SPDX-License-Identifier: BSD-3-Clause
//
// A machine that Python describes by a dictionary, which python/finegrain/machines/for_engine.py
// makes, and arrays of whole numbers.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "topology/machines/machine.hpp"

using Numbers = nanobind::ndarray<const std::int64_t, nanobind::ndim<1>, nanobind::c_contig,
                                  nanobind::device::cpu>;

/// Throws an InputError with all problems of the description.
std::unique_ptr<const fg::topology::Machine> machine_of(const nanobind::dict& from);

/// Each from 0 to below a limit; throws an InputError for others. `what` names one of them.
std::vector<int> ints_of(const Numbers& numbers, int below, const char* what);
