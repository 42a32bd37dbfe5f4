// SPDX-License-Identifier: BSD-3-Clause
//
// A classical run, as runs/run.hpp asks for it: minimisation, dynamics, and one evaluation.
#pragma once

#include <memory>

#include "runs/calculation.hpp"

namespace fg::classical {

std::unique_ptr<Calculation> load(const JobFile& file, const RunOptions& options);

}  // namespace fg::classical
