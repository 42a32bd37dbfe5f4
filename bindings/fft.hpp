// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nanobind/nanobind.h>

/// Adds the transforms; python/finegrain/fft checks what they are given.
void add_transforms(nanobind::module_& module);
