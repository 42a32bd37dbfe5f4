// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nanobind/nanobind.h>

/// Adds what `finegrain map` needs: machines, what jobs send on them, and places of ranks.
void add_machines(nanobind::module_& module);
