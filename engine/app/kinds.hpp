// SPDX-License-Identifier: BSD-3-Clause
//
// The kinds of runs that this engine knows, and the choice of one by the job file.
#pragma once

#include <memory>
#include <span>

#include "runs/calculation.hpp"

namespace fg::app {

std::span<const RunKind> kinds();

/// Throws InputError, with the names of all kinds, if the job is of none of them.
std::unique_ptr<Calculation> load(const JobFile& file, const RunOptions& options,
                                  std::span<const RunKind> known = kinds());

}  // namespace fg::app
