// SPDX-License-Identifier: BSD-3-Clause
//
// What the force computes have to do in a step, in addition to forces. A pure function of the step
// and the job, carried in every message so that no compute needs the schedule.
#pragma once

#include <cstdint>

namespace fg {

struct StepKind {
  bool rebuild = false;   // atoms have changed patches; lists are built again
  bool prune = false;     // the inner list is made again from the outer one
  bool energies = false;  // energies and virial are needed
  bool virial = false;    // the virial is needed, with or without energies
};

}  // namespace fg
