// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nanobind/nanobind.h>

/// Adds the estimates of how long a step takes. Divisions are chosen by them:
/// python/finegrain/classical/preparation/division.py.
void add_estimates(nanobind::module_& module);
