// SPDX-License-Identifier: BSD-3-Clause
//
// An ab initio run, as runs/run.hpp asks for it: orbitals in their ground state, energies, forces
// and stress.
#pragma once

#include <memory>

#include "runs/calculation.hpp"

namespace fg::ab_initio {

std::unique_ptr<Calculation> load(const JobFile& file, const RunOptions& options);

}  // namespace fg::ab_initio
