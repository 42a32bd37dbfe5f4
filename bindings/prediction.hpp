// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nanobind/nanobind.h>

/// Adds what `finegrain predict` needs.
void add_predictions(nanobind::module_& module);
